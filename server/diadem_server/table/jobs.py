"""What a table has to do, one thing after the other."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from diadem_server.sessions.sessions import Session

Work: TypeAlias = Callable[[], Awaitable[None]]


class Job(NamedTuple):
    work: Work
    session: Session | None = None
    command: int = 0
    """Whose command it is, if it is one: that has to be answered, come what may."""


class Jobs:
    """A queue for one who takes and many who put. asyncio's own is ready for more, at several times the cost."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queued: deque[Job | None] = deque()
        self._came: asyncio.Future[None] | None = None
        """Done as soon as there is one; None while nobody waits for it."""

    def __len__(self) -> int:
        return len(self._queued)

    def put(self, job: Job | None) -> None:
        """None ends the work."""
        self._queued.append(job)
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    async def take(self) -> Job | None:
        if not self._queued:
            self._came = self._loop.create_future()
            try:
                await self._came
            finally:
                self._came = None
        return self._queued.popleft()

    def rest(self) -> list[Job]:
        """All that nobody will do any more."""
        rest = [job for job in self._queued if job is not None]
        self._queued.clear()
        return rest
