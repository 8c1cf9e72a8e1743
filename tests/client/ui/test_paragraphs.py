"""Texts that were broken into lines, where there is less room."""

from pathlib import Path

import pytest

import diadem_client
from diadem_client.board.canvas import cells_of
from diadem_client.ui.widgets.paragraphs import rebroken

TEXT = """\
Each of you wants to be the first to put together the six parts of one
castle. You draw cards.

THE CARDS
  4 castles of six parts: blue, yellow
  20 diamonds, 3 fairies, 7 witches, and whatever else there is to be drawn
  from the deck."""
RULES = sorted(Path(diadem_client.__path__[0]).glob("games/*/rules/*/*.txt"))


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


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_rules_of_each_game_can_be_read_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rows = rebroken(text, 53)
    assert max(map(cells_of, rows)) <= 53
    assert " ".join(rows).split() == text.split()
