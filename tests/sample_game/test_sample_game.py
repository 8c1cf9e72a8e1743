"""docs/adding-a-game.md, followed for real: a folder, a line in the registry, and the rig is content."""

import re
from pathlib import Path

import pytest

from diadem.games import GAMES
from tests.rig.conformance import check_match, check_round
from tests.rig.interference import check_interference
from tests.sample_game import Guess, Numbers

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "adding-a-game.md"
SEEDS = range(6)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    game = Numbers()
    monkeypatch.setitem(GAMES, game.name, game)
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sample_game_passes_the_rig(registered: Numbers, seed: int) -> None:
    check_round(registered, seed)
    check_match(registered, seed)
    check_interference(registered, seed)


def test_what_the_page_shows_is_what_was_built() -> None:
    """Every line of Python on the page stands in the sample game, in that order."""
    built = (HERE / "__init__.py").read_text()
    shown = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert shown
    for block in shown:
        assert all(piece.strip("\n") in built for piece in block.split("    ...\n")), block


def test_the_moves_of_the_page_can_be_typed() -> None:
    assert Numbers().parse(" Guess 7 ") == Guess(7)
