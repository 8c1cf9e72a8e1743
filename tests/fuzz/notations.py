"""Whatever is typed as a move is one or is refused, and what is one is written so as to be read again."""

from diadem_shared.games import GAMES
from diadem_shared.refusals import RefusalError

INSTRUMENTED = ("diadem_shared.games",)
SEEDS = [
    b"draw",
    b"stop",
    b"buy from 2",
    b"pay 3 diamonds to 1",
    b"lay H8 across WORD",
    b"lay A7 down S*LIT(e)",
    b"exchange ABC*",
    b"give A",
    b"accept",
    b"doubt WORD",
    b"turn 12 to red",
    b"steal from 3",
    "dr\u00e4w \u0663 \ufb01".encode(),
]


def one_input(data: bytes) -> None:
    text = data.decode(errors="replace")
    for game in GAMES.values():
        try:
            move = game.parse(text)
        except RefusalError as refused:
            assert refused.refusal.code in game.refusals
        else:
            assert game.parse(game.notate(move)) == move
