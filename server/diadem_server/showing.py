"""The one redactor: whatever leaves a table for a viewer is put together here.

The public part of a view is packed once for everybody and set into each viewer's frame as it is.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from diadem.entries import Entry, Moved
from diadem.frames import pack
from diadem.game import Seat, Viewer
from diadem.match import Match, Told
from diadem.protocol import Happened, PlayerLine, TablePublic, TableView


class Logged(NamedTuple):
    """An entry of a table's log. Moves are told by their events alone: their text may be secret."""

    number: int
    entry: Entry
    told: Told

    def told_to(self, viewer: Viewer) -> list[Happened]:
        shown: list[Any] = [] if isinstance(self.entry, Moved) else [self.entry]
        shown += [happening.told(viewer) for happening in self.told]
        return [Happened(self.number, event) for event in shown]


class Packed:
    """Bytes of a value, made anew only when it is another."""

    def __init__(self, is_same: Callable[[Any, Any], bool]) -> None:
        self._is_same = is_same
        self._value: Any = None
        self._bytes = pack(None)

    def __call__(self, value: Any) -> bytes:
        if not self._is_same(value, self._value):
            self._value, self._bytes = value, pack(value)
        return self._bytes


class Frames:
    """The frames of one table as it is now: one for each viewer, sharing what is public.

    They are set together from pieces that are the fields of `TableView`, in order.
    """

    def __init__(self, table: str) -> None:
        self._head = _VIEW + _fields(type="view", table=table)
        self._setup = Packed(operator.is_)  # not "==": it may differ in 1 and True
        self._players = Packed(operator.eq)

    def turn_to(self, match: Match, public: TablePublic, last: Logged | None) -> None:
        self._match, self._last = match, last
        self._public = b"".join(
            (
                _PUBLIC,
                self._setup(public.setup),
                _PLAYERS,
                self._players(public.players),
                _fields(**{name: getattr(public, name) for name in _CHANGING}),
                _PRIVATE,
            )
        )
        self._told_to_all = self._told(None)

    def frame(self, viewer: Viewer, number: int) -> bytes:
        own = private(self._match, viewer)
        return b"".join(
            (
                self._head,
                _fields(number=number, entry=self._match.entries, seat=viewer),
                self._public,
                _NIL if own is None else pack(own),
                _HAPPENED,
                self._told(viewer) if self._knows_more(viewer) else self._told_to_all,
            )
        )

    def _knows_more(self, viewer: Viewer) -> bool:
        told = self._last.told if self._last else ()
        return viewer is not None and any(happening.to == viewer for happening in told)

    def _told(self, viewer: Viewer) -> bytes:
        return pack(self._last.told_to(viewer) if self._last else [])


def _map_of(fields: Sequence[str]) -> bytes:
    """How msgpack begins a map of up to 15 fields."""
    return bytes([0x80 | len(fields)])


def _fields(**values: Any) -> bytes:
    """Fields for a map that was begun elsewhere."""
    return pack(values)[1:]


_VIEW = _map_of(("type", *TableView.__struct_fields__))
_PUBLIC = pack("public") + _map_of(TablePublic.__struct_fields__) + pack("setup")
_PLAYERS = pack("players")
_CHANGING = TablePublic.__struct_fields__[2:]
_PRIVATE = pack("private")
_NIL = pack(None)
_HAPPENED = pack("happened")


def public(
    match: Match,
    *,
    present: Sequence[bool],
    ready: Sequence[bool],
    maker: Seat | None,
    watchers: int,
    deadline: int | None,
) -> TablePublic:
    players = tuple(
        PlayerLine(
            name=player.name,
            bot=player.played_by,
            away=player.stand_in is not None,
            present=present[seat],
            ready=ready[seat],
        )
        for seat, player in enumerate(match.players)
    )
    return TablePublic(
        setup=match.setup,
        phase=match.phase,
        players=players,
        maker=maker,
        actors=match.actors,
        rounds=match.rounds,
        watchers=watchers,
        left=match.left,
        deadline=deadline,
        game=None if match.state is None else match.game.public(match.state),
    )


def private(match: Match, viewer: Viewer) -> Any:
    if match.state is None or viewer is None:
        return None
    return match.game.private(match.state, viewer)


def recalled(match: Match, log: Sequence[Logged], viewer: Viewer) -> list[Happened]:
    """What a log shown later still says: games may have things forgotten (D-12)."""
    shown = []
    for logged in log:
        for happened in logged.told_to(viewer):
            event = happened.event
            if match.state is not None and isinstance(event, match.game.event_type):
                event = match.game.recall(match.game.public(match.state), event)
            if event is not None:
                shown.append(Happened(happened.entry, event))
    return shown
