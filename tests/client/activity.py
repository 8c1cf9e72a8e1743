"""Message activity of a Textual application: wait until it has processed everything, and no longer."""

import asyncio
from contextlib import suppress

from textual.message import Message

IDLE_TURNS = 12
"""Turns of the event loop without a message after which an application is idle: whatever it still has to do in this process
would have sent one by then."""
MOST_TURNS = 400
"""An application that never rests, as while bots play, is looked at all the same."""
OUTSIDE = 0.02
"""Seconds until a look at what no message tells of: a file, or a server in this process."""


class Activity:
    """Counts messages: give it to `run_test` as its `message_hook`."""

    def __init__(self) -> None:
        self.messages = 0
        self._stirred = asyncio.Event()

    def __call__(self, _message: Message) -> None:
        self.messages += 1
        self._stirred.set()

    async def idle(self) -> None:
        """Wait until the application has processed its messages, and those that came of them."""
        quiet = 0
        for _ in range(MOST_TURNS):
            before = self.messages
            await asyncio.sleep(0)
            quiet = quiet + 1 if self.messages == before else 0
            if quiet == IDLE_TURNS:
                return

    async def changed(self) -> None:
        """Wait for the next message, or a moment for what comes without one."""
        self._stirred.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(OUTSIDE):
                await self._stirred.wait()
