"""The names that the seats of a table had when something happened there."""

from collections.abc import Sequence
from typing import Any

from diadem_shared.entries import Left, Sat


class _Somebody:
    """One who sat there once."""

    def __init__(self, name: str = "") -> None:
        self.name = name


def former_names(events: Sequence[Any], names: Sequence[str]) -> list[tuple[str, ...]]:
    """For each event the names by which it is told, from those that the seats have after the last one.

    Told of who leaves are the names as they were until then. A name is empty where it is not known: of who left,
    if the event of their sitting down is not there.
    """
    seated = [_Somebody(name) for name in names]
    then: list[list[_Somebody]] = []
    for event in reversed(events):
        if isinstance(event, Left) and event.seat <= len(seated):
            seated.insert(event.seat, _Somebody())
        then.append(list(seated))
        if isinstance(event, Sat) and seated:
            seated.pop().name = event.name
    return [tuple(each.name for each in people) for people in reversed(then)]
