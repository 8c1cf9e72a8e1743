"""A registry loads an entry when somebody wants it, and no other."""

import subprocess
import sys

import pytest

from diadem_shared.games import GAMES
from diadem_shared.registry import Registry

LOOKS_AT_ONE = """
import sys
from diadem_client import app, games
from diadem_shared import games as rules
assert "diadingo" in games.GAMES and len(rules.GAMES) == len(list(rules.GAMES))
rules.GAMES["diadingo"], games.GAMES["diadingo"]
print(*sorted({name.split(".")[2] for name in sys.modules if ".games." in name}))
"""


def test_who_plays_one_game_has_no_other_in_memory() -> None:
    told = subprocess.run(  # noqa: S603, fixed words
        [sys.executable, "-c", LOOKS_AT_ONE], check=True, capture_output=True, text=True
    )
    assert told.stdout.split() == ["client_game", "diadingo"]


def test_each_name_leads_to_the_game_that_is_called_so() -> None:
    assert [game.name for game in GAMES.values()] == list(GAMES)


def test_what_is_not_there_is_not_found() -> None:
    registry: Registry[object] = Registry("diadem_shared.games", {})
    registry["new"] = 1
    assert registry["new"] == 1
    del registry["new"]
    assert "new" not in registry
    assert registry.get("new") is None
    with pytest.raises(KeyError):
        del registry["new"]
