"""The bots of a game by name, loaded lazily."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

BotT = TypeVar("BotT")


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
