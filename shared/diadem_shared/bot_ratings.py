"""Ratings of bots in standings, by level; a zombie has none. `python -m tools.bot_ratings` writes them into the folders of the games."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from diadem_shared.games import GAMES, package_of


def ratings_file(package: str) -> Traversable:
    return resources.files(package).joinpath("ratings.json")


def ratings_of(game: str) -> Mapping[str, int]:
    """By level; none of a game whose bots have not been measured."""
    return _read(package_of(game)).get(game, {}) if game in GAMES else {}


@cache
def _read(package: str) -> Mapping[str, Mapping[str, int]]:
    """By game and level."""
    file = ratings_file(package)
    if not file.is_file():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, int]])
