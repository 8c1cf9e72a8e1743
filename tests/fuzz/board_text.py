"""Whatever text is given as a board is one or is refused, and what is one can be started on or not."""

from diadem_shared.entries import Setup
from diadem_shared.games.diamino.board import BadBoard, parse_layout, standard_layout
from diadem_shared.match import open_match
from diadem_shared.refusals import RefusalError

INSTRUMENTED = ("diadem_shared.games.diamino", "diadem_shared.match")
SEEDS = [
    str(standard_layout()).encode(),
    b"+....\n.....\n..2..\n.....\n....3",
    b". . + . .\r\n\r\n. # . . .",
    "+\u2028.\u00a0.".encode(),
]


def one_input(data: bytes) -> None:
    text = data.decode(errors="replace")
    try:
        layout = parse_layout(text)
    except BadBoard as bad:
        assert str(bad)
    else:
        assert parse_layout(str(layout)) == layout
    try:
        open_match(Setup("diamino-bonus", options={"board": text}))
    except RefusalError as refused:
        assert refused.refusal.code
