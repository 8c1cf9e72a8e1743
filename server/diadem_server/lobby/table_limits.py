"""How many tables one player and one address may keep, how fast they may be made, and how often changed."""

from collections.abc import Mapping

from diadem_server.config import Config
from diadem_server.limits.counts import Counts
from diadem_server.limits.rate_limits import Buckets, too_fast
from diadem_server.sessions.sessions import Session
from diadem_server.table.seating import MOST_ABSENCES
from diadem_shared.entries import Changed, Entry, Returned, Sat, TakenOver
from diadem_shared.game import Seat
from diadem_shared.match import Match
from diadem_shared.refusals import Code, Refusal, RefusalError

MOST_OWN = 10
"""Tables that one player has made and at which a match is not over."""
MOST_BEFORE_START = 500
"""Entries after which nobody sits down any more and nothing is agreed anew; who likes may leave or start."""


class TableLimits:
    def __init__(self, config: Config) -> None:
        self._config = config
        a_minute = config.tables_a_minute
        self.rates = Buckets(a_minute / 60, a_minute)
        """By prefix."""
        self.open = Counts()
        """Tables whose match is not over, by their maker, and by the prefix that the maker came from last."""
        self._makers: dict[str, int] = {}
        """Of those here, by code."""
        self._prefixes: dict[int, str] = {}
        """Of their makers; "" where that is not known."""

    def admit(self, maker: Session, tables: int) -> None:
        """Let them make another table besides so many, or refuse it and say why."""
        if tables >= self._config.max_tables:
            raise RefusalError(Refusal(Code.TOO_MANY_TABLES, {"most": self._config.max_tables}))
        if self.open[_by(maker.id)] >= MOST_OWN:
            raise RefusalError(Refusal(Code.TOO_MANY_OWN_TABLES, {"most": MOST_OWN}))
        most = self._config.max_tables_per_address
        if maker.prefix and not self.open.has_room(maker.prefix, most):
            raise RefusalError(Refusal(Code.TOO_MANY_TABLES_FROM_ADDRESS, {"most": most}))
        key = maker.prefix or str(maker.id)
        if not self.rates.take(key):
            raise RefusalError(too_fast(self.rates.wait(key)))

    def count(self, code: str, maker: int | None, prefix: str = "") -> None:
        """Who has made this table, as long as its match is not over; then None."""
        before = self._makers.get(code)
        if before == maker:
            return
        if before is not None:
            del self._makers[code]
            self._add(before, -1)
            if not self.open.here.get(_by(before)):
                del self._prefixes[before]
        if maker is not None:
            self._makers[code] = maker
            self._prefixes.setdefault(maker, prefix)
            self._add(maker, 1)

    def _add(self, maker: int, how_many: int) -> None:
        self.open.add(_by(maker), how_many)
        if prefix := self._prefixes[maker]:
            self.open.add(prefix, how_many)

    def came_from(self, prefix: str, maker: int) -> None:
        """Tables count for where their maker came from last."""
        before, how_many = self._prefixes.get(maker), self.open.here.get(_by(maker), 0)
        if before is None or before == prefix:
            return
        self._prefixes[maker] = prefix
        if before:
            self.open.add(before, -how_many)
        if prefix:
            self.open.add(prefix, how_many)


def _by(maker: int) -> str:
    return f"player {maker}"


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
