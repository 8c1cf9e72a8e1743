"""Who is kept away from a table."""

from collections.abc import Iterable

from diadem_server.sessions.sessions import Session
from diadem_server.storage.records import BanRow
from diadem_shared.refusals import Code, Refusal, RefusalError

MOST_BANNED = 32
"""At one table."""


class Bans:
    def __init__(self, rows: Iterable[BanRow] = ()) -> None:
        self.rows = list(rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names they had then."""
        if not self.rows:
            return ()
        return tuple(dict.fromkeys(ban.name for ban in self.rows))

    def is_banned(self, session: Session) -> bool:
        """By who they are, or by where they come from."""
        return any(
            ban.session == session.id or (ban.prefix and ban.prefix == session.prefix)
            for ban in self.rows
        )

    def refuse_if_full(self) -> None:
        if len(self.rows) >= MOST_BANNED:
            raise RefusalError(Refusal(Code.LIST_FULL, {"most": MOST_BANNED}))

    def add(self, ban: BanRow) -> None:
        self.rows.append(ban)

    def lift(self, name: str) -> None:
        """Of all who had that name when they were banned."""
        self.rows = [ban for ban in self.rows if ban.name != name]
