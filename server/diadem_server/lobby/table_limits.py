"""How many tables one player and one address may keep, how fast they may be made, and how often changed."""

from collections.abc import Collection, Mapping

from diadem.entries import Changed, Entry, Returned, Sat, TakenOver
from diadem.game import Seat
from diadem.match import Match, Phase
from diadem.refusals import Code, Refusal, RefusalError
from diadem_server.config import Config
from diadem_server.limits.rate_limits import Buckets, too_fast
from diadem_server.sessions.sessions import Session, Sessions
from diadem_server.table.seating import MOST_ABSENCES
from diadem_server.table.table import Table

MOST_OWN = 10
"""Tables that one player has made and at which a match is not over."""
MOST_BEFORE_START = 500
"""Entries after which nobody sits down any more and nothing is agreed anew; who likes may leave or start."""


class TableLimits:
    def __init__(self, config: Config, sessions: Sessions) -> None:
        self._config = config
        self._sessions = sessions
        a_minute = config.tables_a_minute
        self._rates = Buckets(a_minute / 60, a_minute)
        """By prefix."""

    def admit(self, maker: Session, tables: Collection[Table]) -> None:
        """Let them make another table besides these, or refuse it and say why."""
        if len(tables) >= self._config.max_tables:
            raise RefusalError(Refusal(Code.TOO_MANY_TABLES, {"most": self._config.max_tables}))
        makers = [table.made_by for table in tables if table.match.phase is not Phase.OVER]
        if makers.count(maker.id) >= MOST_OWN:
            raise RefusalError(Refusal(Code.TOO_MANY_OWN_TABLES, {"most": MOST_OWN}))
        if maker.prefix:
            self._refuse_if_too_many_from(maker.prefix, makers)
        key = maker.prefix or str(maker.id)
        if not self._rates.take(key):
            raise RefusalError(too_fast(self._rates.wait(key)))

    def _refuse_if_too_many_from(self, prefix: str, makers: list[int | None]) -> None:
        """Tables count for where their maker came from last."""
        most = self._config.max_tables_per_address
        people = (self._sessions.get(maker) for maker in makers)
        if sum(person is not None and person.prefix == prefix for person in people) >= most:
            raise RefusalError(Refusal(Code.TOO_MANY_TABLES_FROM_ADDRESS, {"most": most}))


def against_change(match: Match, absences: Mapping[Seat, int], entry: Entry) -> Refusal | None:
    """Every entry is kept for as long as the table is: what can be done to and fro is done so often.

    `absences` says how often the player of each seat was away.
    """
    match entry:
        case Sat() | Changed() if match.entries >= MOST_BEFORE_START:
            return Refusal(Code.TOO_MANY_CHANGES, {"most": MOST_BEFORE_START})
        case TakenOver(seat) | Returned(seat):
            if absences.get(seat, 0) >= MOST_ABSENCES + isinstance(entry, Returned):
                return Refusal(Code.TOO_MANY_CHANGES, {"most": MOST_ABSENCES})
        case _:
            pass
    return None
