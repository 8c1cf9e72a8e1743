"""The page of the rules says what the tables of the code say."""

import re
from pathlib import Path

from diadem_shared.games.diadingo.board import ROWS
from diadem_shared.games.diadingo.notation import FORMS
from diadem_shared.games.diadingo.table import ALLOWED

PAGE = (Path(__file__).parents[4] / "docs" / "games" / "diadingo.md").read_text()


def test_every_clause_is_on_the_page() -> None:
    clauses = re.findall(r"^- \*\*(D-\d+)", PAGE, re.MULTILINE)
    assert clauses == [f"D-{number}" for number in range(1, 13)]


def test_the_phases_on_the_page_are_those_of_the_code() -> None:
    for phase, kinds in ALLOWED.items():
        moves = ", ".join(kind.__name__.lower() for kind in kinds) or "nothing"
        assert f"| {phase} | {moves} |" in PAGE


def test_the_board_on_the_page_is_that_of_the_code() -> None:
    drawn = re.findall(r"^ +([A-G])((?: +\d)+)$", PAGE, re.MULTILINE)
    assert [letter for letter, _ in drawn] == list("ABCDEFG")
    assert tuple(len(numbers.split()) for _, numbers in drawn) == ROWS


def test_the_forms_on_the_page_are_those_that_are_read() -> None:
    assert [form for form in FORMS if f"`{form}`" not in PAGE] == []
