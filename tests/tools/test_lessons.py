"""Looking for the deal of a lesson: each game with one has a finder, called as its folder."""

import pytest

from diadem_shared.games import package_of
from tests.cases import cases
from tests.game_features import WITH_LESSON
from tools.lessons.__main__ import finder_of


@cases("game", WITH_LESSON)
def test_every_lesson_has_a_finder(game: str) -> None:
    assert callable(finder_of(package_of(game)))


def test_a_missing_finder_is_named() -> None:
    with pytest.raises(SystemExit, match="chess is missing"):
        finder_of("diadem_shared.games.chess")
