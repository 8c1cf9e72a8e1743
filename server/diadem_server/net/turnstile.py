"""What clients may ask for in crowds is done one at a time, with a pause in between.

So it takes no more than its share of the time, however many have come; and the loop, which would go
round and round otherwise, leaves the processor to the thread that writes the journal.
"""

import asyncio
from collections import deque
from collections.abc import Callable

Task = Callable[[], object]


class Turnstile:
    def __init__(self, pause: float) -> None:
        self._pause = pause
        """Seconds; 0 for a turn of the loop."""
        self._waiting: deque[Task] = deque()

    def wait(self, task: Task) -> None:
        if not self._waiting:
            self._come_back()
        self._waiting.append(task)

    async def passed(self) -> None:
        """For whoever goes on by herself."""
        passes = asyncio.Event()
        self.wait(passes.set)
        await passes.wait()

    def _come_back(self) -> None:
        loop = asyncio.get_running_loop()
        if self._pause:
            loop.call_later(self._pause, self._let_one_through)
        else:
            loop.call_soon(self._let_one_through)

    def _let_one_through(self) -> None:
        task = self._waiting.popleft()
        if self._waiting:
            self._come_back()
        task()
