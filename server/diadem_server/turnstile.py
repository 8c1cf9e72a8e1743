"""What clients may ask for in crowds is done one at a time, one a turn of the loop.

So a turn stays short, however many come at once, and whoever plays is served in between.
"""

import asyncio
from collections import deque
from collections.abc import Callable

Task = Callable[[], object]


class Turnstile:
    def __init__(self) -> None:
        self._waiting: deque[Task] = deque()

    def wait(self, task: Task, *, is_short: bool = False) -> None:
        """What is short goes before what is not."""
        if not self._waiting:
            self._come_back()
        if is_short:
            self._waiting.appendleft(task)
        else:
            self._waiting.append(task)

    async def passed(self) -> None:
        """For whoever goes on by herself."""
        passes = asyncio.Event()
        self.wait(passes.set)
        await passes.wait()

    def _come_back(self) -> None:
        asyncio.get_running_loop().call_soon(self._let_one_through)

    def _let_one_through(self) -> None:
        task = self._waiting.popleft()
        if self._waiting:
            self._come_back()
        task()
