"""A registry whose entries are loaded lazily."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TypeVar, cast

EntryT = TypeVar("EntryT")


class Registry(MutableMapping[str, EntryT]):
    """Entries by name, each loaded when it is wanted first: who plays one game needs none of the others in memory.

    An entry is found in `GAMES` of its folder.
    """

    def __init__(self, package: str, folders: Mapping[str, str]) -> None:
        self._package = package
        self._folders = dict(folders)
        self._loaded: dict[str, EntryT] = {}

    def __getitem__(self, name: str) -> EntryT:
        if name not in self._loaded:
            folder = import_module(f"{self._package}.{self._folders[name]}")
            self._loaded[name] = cast("EntryT", folder.GAMES[name])
        return self._loaded[name]

    def load(self) -> None:
        """All of them now, as a server does before anybody waits for it."""
        for name in self:
            self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in self._folders

    def __setitem__(self, name: str, entry: EntryT) -> None:
        self._loaded[name] = entry

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._loaded.pop(name, None)
        self._folders.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._folders, *self._loaded)))

    def __len__(self) -> int:
        return len(self._folders.keys() | self._loaded.keys())
