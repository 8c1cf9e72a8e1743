"""Texts that were broken into lines, where there is less room."""

from pathlib import Path

import diadem_client
from diadem_client.board.canvas import cells_of
from diadem_client.ui.widgets.paragraphs import placed

TEXT = """\
Each of you wants to be the first to put together the six parts of one
castle. You draw cards.

THE CARDS
  4 castles of six parts: blue, yellow
  20 diamonds, 3 fairies, 7 witches, and whatever else there is to be drawn
  from the deck."""
RULES = sorted(Path(diadem_client.__path__[0]).glob("games/*/rules/*/*.txt"))


def rebroken(text: str, width: int) -> list[str]:
    return [row for _, row in placed(text, width)]


def test_it_stays_as_it_is_where_there_is_room() -> None:
    assert rebroken(TEXT, 75) == TEXT.splitlines()


def test_a_paragraph_is_broken_anew_and_a_list_is_not_joined() -> None:
    assert rebroken(TEXT, 40) == [
        "Each of you wants to be the first to put",
        "together the six parts of one castle.",
        "You draw cards.",
        "",
        "THE CARDS",
        "  4 castles of six parts: blue, yellow",
        "  20 diamonds, 3 fairies, 7 witches, and",
        "  whatever else there is to be drawn",
        "  from the deck.",
    ]


def test_each_line_of_rules_is_shown_and_fits() -> None:
    too_wide, not_whole = {}, set()
    for path in RULES:
        text = path.read_text(encoding="utf-8")
        rows = rebroken(text, 53)
        name = str(path.relative_to(RULES[0].parents[3]))
        if wide := [row for row in rows if cells_of(row) > 53]:
            too_wide[name] = wide
        if " ".join(rows).split() != text.split():
            not_whole.add(name)
    assert RULES
    assert too_wide == {}
    assert not_whole == set()
