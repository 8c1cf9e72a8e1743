"""The page of the rules says what the tables of the code say."""

import re
from pathlib import Path
from string import ascii_uppercase

from diadem_shared.games.diamino.board import standard_layout
from diadem_shared.games.diamino.deal import RUMMY_HANDS
from diadem_shared.games.diamino.notation import FORMS
from diadem_shared.games.diamino.table import ALLOWED
from diadem_shared.games.diamino.tiles import TILE_SETS

PAGE = (Path(__file__).parents[4] / "docs" / "games" / "diamino.md").read_text()


def test_every_clause_is_on_the_page() -> None:
    clauses = re.findall(r"^- \*\*(M-\d+)", PAGE, re.MULTILINE)
    assert clauses == [f"M-{number}" for number in range(1, 34)]


def test_the_phases_on_the_page_are_those_of_the_code() -> None:
    for phase, kinds in ALLOWED.items():
        moves = ", ".join(kind.__name__.lower() for kind in kinds) or "nothing"
        assert f"| {phase} | {moves} |" in PAGE


def test_the_board_on_the_page_is_that_of_the_code() -> None:
    """M-2."""
    rows = re.findall(r"^ +\d+ ((?:[.SgR#] ?)+)$", PAGE, re.MULTILINE)
    assert "".join(f"{row}\n" for row in rows) == str(standard_layout())


def test_the_tiles_on_the_page_are_those_of_the_code() -> None:
    """M-1."""
    sets = [TILE_SETS[language] for language in ("de", "fr", "en")]
    for letter in ascii_uppercase:
        cells = [f"{each.tiles.count(letter)}/{each.values[letter]}" for each in sets]
        assert f"| {letter} | {' | '.join(cells)} |" in PAGE


def test_the_hands_on_the_page_are_those_of_the_code() -> None:
    """M-19."""
    *sizes, last = map(str, RUMMY_HANDS.values())
    assert f"dealt {', '.join(sizes)} or {last} tiles" in PAGE


def test_the_forms_on_the_page_are_those_that_are_read() -> None:
    assert [form for form in FORMS if f"`{form}`" not in PAGE] == []
