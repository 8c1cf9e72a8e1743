"""Who is at a table, and as what: put together when that changes, and not for every view."""

from collections.abc import Sequence
from typing import NamedTuple

from diadem_server.sessions.sessions import Session
from diadem_server.table import views
from diadem_server.table.seating import Seating
from diadem_server.table.views import Presence
from diadem_shared.game import Seat
from diadem_shared.match import Match


class RosterEntry(NamedTuple):
    """Of somebody who looks at the table."""

    session: Session
    seat: Seat | None
    is_maker: bool
    resigned: Seat | None
    """The seat that they may take back."""


class Roster(NamedTuple):
    presence: Presence
    places: Sequence[RosterEntry]


def build_roster(match: Match, seating: Seating) -> Roster:
    maker = seating.maker(match)
    lines = views.player_lines(
        match.players, seating.present, seating.is_ready, seating.program_seats
    )
    onlookers = [each.name for each in seating.onlookers]
    places = []
    for session in seating.viewers:
        seat = seating.seat_of(session)
        is_maker = seat is not None and seat == maker
        resigned = seating.resigned_from(session, match.phase)
        places.append(RosterEntry(session, seat, is_maker, resigned))
    return Roster(Presence(lines, maker, onlookers), places)
