"""How many tables one player and one address may keep, and how fast they may be made."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from diadem.game import Refusal, Refused
from diadem.match import Phase
from diadem_server.config import Config
from diadem_server.limits import Buckets, too_fast
from diadem_server.sessions import Session, Sessions

if TYPE_CHECKING:
    from diadem_server.table import Table

MOST_OWN = 10
"""Tables that one player has made and at which a match is not over."""


class TableLimits:
    def __init__(self, config: Config, sessions: Sessions) -> None:
        self._config = config
        self._sessions = sessions
        a_minute = config.tables_a_minute
        self._rates = Buckets(a_minute / 60, a_minute)
        """By prefix."""

    def admit(self, maker: Session, tables: "Collection[Table]") -> None:
        """Let them make another table besides these, or refuse it and say why."""
        if len(tables) >= self._config.max_tables:
            raise Refused(Refusal("too_many_tables", {"most": self._config.max_tables}))
        makers = [table.made_by for table in tables if table.match.phase is not Phase.OVER]
        if makers.count(maker.id) >= MOST_OWN:
            raise Refused(Refusal("too_many_own_tables", {"most": MOST_OWN}))
        if maker.prefix:
            self._refuse_if_too_many_from(maker.prefix, makers)
        key = maker.prefix or str(maker.id)
        if not self._rates.take(key):
            raise Refused(too_fast(self._rates.wait(key)))

    def _refuse_if_too_many_from(self, prefix: str, makers: list[int | None]) -> None:
        """Tables count for where their maker came from last."""
        most = self._config.max_tables_per_address
        people = (self._sessions.get(maker) for maker in makers)
        if sum(person is not None and person.prefix == prefix for person in people) >= most:
            raise Refused(Refusal("too_many_tables_from_address", {"most": most}))
