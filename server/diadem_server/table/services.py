"""What a table needs of the server it is in: where to write, and whom to tell of what ends."""

import logging
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Protocol

from diadem_server.limits.rate_limits import Buckets
from diadem_server.metrics import Metrics
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import Change
from diadem_server.storage.journal import Journal, JournalUnavailable, SeatTaken
from diadem_server.table.bots import BotWorkers
from diadem_shared.protocol import Answer
from diadem_shared.refusals import Code, Refusal

log = logging.getLogger(__name__)


class Quota(Protocol):
    def spend(self, session: Session | None, changes: Iterable[Change]) -> None:
        """Count what was written for this session."""

    def bot_pause(self, maker: Session | None) -> float:
        """Seconds for which a bot at a table of this maker waits until there is room for its move."""


class TableServices(Protocol):
    @property
    def journal(self) -> Journal: ...

    @property
    def metrics(self) -> Metrics: ...

    @property
    def bot_workers(self) -> BotWorkers: ...

    @property
    def bot_pause(self) -> float:
        """Seconds for which a bot waits before it moves, so that people can follow."""

    @property
    def chat_limits(self) -> Buckets:
        """Of each session, wherever it says something."""

    @property
    def quota(self) -> Quota:
        """Of the addresses that players come from."""

    def now(self) -> float:
        """The time of day, for what is written down."""

    def session(self, id_: int | None) -> Session | None: ...

    def answer(self, session: Session, answer: Answer) -> None:
        """Answer what has made no entry, once the answer is written."""

    def refuse(self, session: Session, command: int, why: Refusal) -> None:
        """The same with a refusal."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task that ends with the server."""

    def changed(self, code: str) -> None:
        """Who sits at a table, or what the lobby shows of it, may be different now."""

    async def play_again(self, code: str) -> Refusal | None:
        """Make the table at which this one's match is played again, or say why not."""

    async def ended(self, code: str) -> None:
        """Nobody is left at a table and nothing goes on there: it can be given up."""

    def broken(self, code: str, why: Refusal) -> None:
        """Nobody can come to this table any more."""


async def write_for_table(
    services: TableServices, code: str, changes: Sequence[Change]
) -> Refusal | None:
    """Write all of it, or say why nothing was written."""
    try:
        await services.journal.write(*changes)
    except SeatTaken as taken:
        return Refusal(Code.SEATED_ELSEWHERE, {"table": taken.code})
    except JournalUnavailable as error:
        log.error("table %s stands still, the journal cannot be written: %s", code, error)
        return Refusal(Code.JOURNAL_UNAVAILABLE)
    return None
