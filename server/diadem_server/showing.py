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
from diadem.protocol import Happened, PlayerLine, TablePublic


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
        self._head = b"\x88" + pack({"type": "view", "table": table})[1:] + pack("number")
        self._setup = Packed(operator.is_)  # not "==": it may differ in 1 and True
        self._players = Packed(operator.eq)

    def turn_to(self, match: Match, public: TablePublic, last: Logged | None) -> None:
        self._match, self._last = match, last
        changing = {name: getattr(public, name) for name in _CHANGING}
        self._entry = pack({"entry": match.entries, "seat": None})[1:-1]
        self._public = b"".join(
            (
                _PUBLIC,
                self._setup(public.setup),
                _PLAYERS,
                self._players(public.players),
                pack(changing)[1:],
                _PRIVATE,
            )
        )
        self._told_to_all = pack(None) + self._happened(None)

    def frame(self, viewer: Viewer, number: int) -> bytes:
        own = private(self._match, viewer)
        if own is None and not self._knows_more(viewer):
            rest = self._told_to_all
        else:
            rest = pack(own) + self._happened(viewer)
        return b"".join((self._head, pack(number), self._entry, pack(viewer), self._public, rest))

    def _knows_more(self, viewer: Viewer) -> bool:
        told = self._last.told if self._last else ()
        return viewer is not None and any(happening.to == viewer for happening in told)

    def _happened(self, viewer: Viewer) -> bytes:
        return _HAPPENED + pack(self._last.told_to(viewer) if self._last else [])


_PUBLIC = pack("public") + bytes([0x80 | len(TablePublic.__struct_fields__)]) + pack("setup")
_PLAYERS = pack("players")
_CHANGING = tuple(
    name for name in TablePublic.__struct_fields__ if name not in {"setup", "players"}
)
_PRIVATE = pack("private")
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
