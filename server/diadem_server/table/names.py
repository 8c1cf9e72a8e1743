"""Whom others at a table know by a name: who sits there, looks on, or has said something lately."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from diadem_server.sessions.sessions import Session
from diadem_server.storage.records import LineRow
from diadem_server.table.seating import Seating
from diadem_shared.match import Player
from diadem_shared.protocol import MOST_ONLOOKERS_NAMED


def sessions_by_name(
    players: Sequence[Player],
    seating: Seating,
    lines: Sequence[LineRow],
    most_onlookers: int | None = None,
) -> Iterator[tuple[str, int]]:
    """Each by name and session; where two have one name, the first is meant."""
    for owner, player in zip(seating.owners, players, strict=True):
        if owner is not None:
            yield player.name, owner
    for onlooker in islice(seating.onlookers, most_onlookers):
        yield onlooker.name, onlooker.id
    for line in reversed(lines):
        if line.session is not None:
            yield line.said.name, line.session


def muted_by(
    viewers: Iterable[Session],
    players: Sequence[Player],
    seating: Seating,
    lines: Sequence[LineRow],
) -> dict[Session, tuple[str, ...]]:
    """The names that each of them who muted somebody here would know them by."""
    muting = [viewer for viewer in viewers if viewer.muted]
    if not muting:
        return {}
    names = list(dict.fromkeys(sessions_by_name(players, seating, lines, MOST_ONLOOKERS_NAMED)))
    return {
        viewer: tuple(dict.fromkeys(name for name, id_ in names if id_ in viewer.muted))
        for viewer in muting
    }
