"""The marks of bots are those that follow from what was measured."""

from diadem_shared.bot_ratings import ratings_of
from diadem_shared.games import GAMES
from tools.bot_ratings import GENTLEST, PAGE, marks, written

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
    files = written(PAGE.read_text())
    assert files
    assert {file: file.read_text() for file in files} == files


def test_where_bots_were_measured_every_level_but_the_zombie_has_a_mark() -> None:
    measured = {name: set(ratings_of(name)) for name in GAMES if ratings_of(name)}
    assert measured == {name: {*GAMES[name].bots} - {"zombie"} for name in measured}


def test_a_game_whose_bots_were_not_measured_has_no_marks() -> None:
    assert ratings_of("chess") == {}


def test_a_mark_foretells_the_share_that_was_measured() -> None:
    assert marks(TABLE)["diadingo"] == {"naive": GENTLEST, "forgetful": 1000, "human": 1200}
