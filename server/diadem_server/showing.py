"""The one redactor: whatever leaves a table for a viewer is put together here.

The public part of a view is packed once for everybody and set into each viewer's frame as it is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgpack
import msgspec

from diadem.entries import Entry, Moved
from diadem.game import Seat, Viewer
from diadem.match import Match, Told
from diadem.protocol import Happened, PlayerLine, TablePublic

VIEW_FIELDS = ("table", "number", "entry", "seat", "public", "private", "happened")


class Logged(NamedTuple):
    """An entry of a table's log. Moves are told by their events alone: their text may be secret."""

    number: int
    entry: Entry
    told: Told

    def told_to(self, viewer: Viewer) -> list[Happened]:
        shown: list[Any] = [] if isinstance(self.entry, Moved) else [self.entry]
        shown += [happening.told(viewer) for happening in self.told]
        return [Happened(self.number, event) for event in shown]


class Frames:
    """The frames of one state of a table, one for each viewer, sharing what is public."""

    def __init__(self, table: str, match: Match, public: TablePublic, last: Logged | None) -> None:
        self._match = match
        self._last = last
        self._head = b"\x88" + packed("type") + packed("view") + packed("table") + packed(table)
        self._entry = packed("entry") + packed(match.entries)
        self._public = packed("public") + packed(public)
        self._told_to_all = self._happened(None)

    def frame(self, viewer: Viewer, number: int) -> bytes:
        return b"".join(
            (
                self._head,
                _NUMBER,
                packed(number),
                self._entry,
                _SEAT,
                packed(viewer),
                self._public,
                _PRIVATE,
                packed(private(self._match, viewer)),
                self._happened(viewer) if self._knows_more(viewer) else self._told_to_all,
            )
        )

    def _knows_more(self, viewer: Viewer) -> bool:
        told = self._last.told if self._last else ()
        return viewer is not None and any(happening.to == viewer for happening in told)

    def _happened(self, viewer: Viewer) -> bytes:
        return _HAPPENED + packed(self._last.told_to(viewer) if self._last else [])


def packed(value: Any) -> bytes:
    whole: bytes = msgpack.packb(msgspec.to_builtins(value, builtin_types=(bytes,)))
    return whole


_NUMBER = packed("number")
_SEAT = packed("seat")
_PRIVATE = packed("private")
_HAPPENED = packed("happened")


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
