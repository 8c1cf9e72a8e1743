"""The marks of bots are those that follow from what was measured."""

from diadem_shared.bot_ratings import MARKS
from diadem_shared.games import GAMES
from tools.bot_ratings import DATA, GENTLEST, PAGE, marks, written

TABLE = """## Even steps

| level | against | Diadingo, 400 rounds | professional scoring, 400 rounds |
|---|---|---|---|
| forgetful | naive | 50 % (45 to 55 %) | 61 % (56 to 66 %) |
| human | forgetful | 76 % (63 to 72 %) | 67 % (62 to 72 %) |

## How newcomers fare

| level | against | Diadingo |
|---|---|---|
| perfect | human | 99 % |
"""


def test_the_marks_are_those_of_the_page() -> None:
    """If not: python -m tools.bot_ratings"""
    assert written(PAGE.read_text()) == DATA.read_text()


def test_every_level_but_the_zombie_has_a_mark() -> None:
    assert {game: set(known) for game, known in MARKS.items()} == {
        name: {*game.bots} - {"zombie"} for name, game in GAMES.items()
    }


def test_a_mark_foretells_the_share_that_was_measured() -> None:
    assert marks(TABLE)["diadingo"] == {"naive": GENTLEST, "forgetful": 1000, "human": 1200}
