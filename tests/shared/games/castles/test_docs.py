"""The page of the rules says what the tables of the code say."""

from pathlib import Path

from diadem_shared.games.castles import DIAMONIAK, PIRATATAK
from diadem_shared.games.castles.table import ALLOWED

PAGE = (Path(__file__).parents[4] / "docs" / "games" / "castles.md").read_text()


def test_the_phases_on_the_page_are_those_of_the_code() -> None:
    for phase, kinds in ALLOWED.items():
        moves = ", ".join(kind.__name__.lower() for kind in kinds) or "nothing"
        assert f"| {phase} | {moves} |" in PAGE


def test_the_editions_on_the_page_are_those_of_the_code() -> None:
    editions = DIAMONIAK, PIRATATAK
    sizes = [f"{len(edition.deck())} cards" for edition in editions]
    ages = [f"{edition.ages[0]} to {edition.ages[1]}" for edition in editions]
    assert f"| deck | {' | '.join(sizes)} |" in PAGE
    assert f"| for ages | {' | '.join(ages)} |" in PAGE
    for edition in editions:
        assert ", ".join(edition.colours) in PAGE
