"""The bots of a game by name, loaded lazily."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

BotT = TypeVar("BotT")


def gentlest(bots: Iterable[str]) -> str:
    """Of these levels, weakest first, the one that a newcomer plays against: the stand-in hardly plays."""
    stand_in, *players = bots
    return players[0] if players else stand_in


class Lineup(Mapping[str, BotT]):
    """Bots by level, weakest first. Their modules are imported when one is needed; a client needs none."""

    def __init__(self, levels: tuple[str, ...], load: Callable[[], Mapping[str, BotT]]) -> None:
        self._levels = levels
        self._load = load

    @cached_property
    def loaded(self) -> Mapping[str, BotT]:
        return self._load()

    def __getitem__(self, level: str) -> BotT:
        if level not in self._levels:
            raise KeyError(level)
        return self.loaded[level]

    def __iter__(self) -> Iterator[str]:
        return iter(self._levels)

    def __len__(self) -> int:
        return len(self._levels)
