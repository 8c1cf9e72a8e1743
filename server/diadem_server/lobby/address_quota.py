"""Quotas by address: new players an hour, and bytes written an hour for all who come from there.

Both are token buckets by prefix. Bytes are spent once they are written, so the bucket may be in debt, by an hour's worth at the
most; a command that would have to write is refused meanwhile. Moves of bots, which nobody asks for, become slow instead, so that
a table goes on that others share.
"""

from collections.abc import Iterable

from diadem_server.config import Config
from diadem_server.limits.rate_limits import Buckets, whole_seconds
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import Change
from diadem_server.storage.sizes import size_of
from diadem_shared.refusals import Code, Refusal, RefusalError

HOUR = 60 * 60.0
TOLD_FROM = 64 * 1024
"""Bytes of one address after which other nodes are told of them, and not of every move."""
LONGEST_BOT_PAUSE = 5.0
"""Seconds that a bot waits for room, and so the least that goes on where an address has used up its share."""


class AddressQuota:
    def __init__(self, config: Config) -> None:
        self.newcomers = Buckets(config.newcomers_an_hour / HOUR, config.newcomers_an_hour)
        self.written = Buckets(config.written_an_hour / HOUR, config.written_an_hour)

    def admit_newcomer(self, prefix: str) -> None:
        """Count a new player from there, or refuse them. Raises RefusalError."""
        if prefix and not self.newcomers.take(prefix):
            seconds = whole_seconds(self.newcomers.wait(prefix))
            raise RefusalError(Refusal(Code.TOO_MANY_NEWCOMERS, {"seconds": seconds}))

    def refusal(self, session: Session) -> Refusal | None:
        """Why nothing more is written for this session now."""
        wait = self.written.wait(_key(session))
        return Refusal(Code.TOO_MUCH_WRITTEN, {"seconds": whole_seconds(wait)}) if wait else None

    def spend(self, session: Session | None, changes: Iterable[Change]) -> None:
        """These are written for this session."""
        if session is not None:
            self.written.spend(_key(session), sum(map(size_of, changes)), TOLD_FROM)

    def bot_pause(self, maker: Session | None) -> float:
        """Seconds for which bots at a table of this maker wait until there is room for their move."""
        wait = 0.0 if maker is None else self.written.wait(_key(maker))
        return min(wait, LONGEST_BOT_PAUSE)


def _key(session: Session) -> str:
    return session.prefix or f"player {session.id}"
