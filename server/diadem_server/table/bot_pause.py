"""How long a bot takes over a move: as long as the host wants, unless somebody who plays wants to be held for less."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from diadem_server.limits.rate_limits import Bucket

AT_ONCE = 60
"""Moves that bots of one table make at once if that is wished."""
A_SECOND = 20
"""Moves a second that they make over time, whatever is wished: one table takes no more of the server than
the commands of one client do."""


class BotPause:
    def __init__(self, longest: Callable[[], float], wished: Callable[[], float]) -> None:
        """`longest`: seconds that the host wants. `wished`: the fewest that anybody who plays does."""
        self._longest = longest
        self._wished = wished
        self._haste = Bucket(A_SECOND, AT_ONCE)
        self._changed = asyncio.Event()

    def change(self) -> None:
        """Another pause is wished: whoever waits looks again."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def over(self, begun: float) -> None:
        """Wait for what is left of a pause that began at this time of the event loop."""
        now = asyncio.get_running_loop().time
        while (left := begun + self._seconds() - now()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
        self._haste.take()

    def _seconds(self) -> float:
        longest, wished = self._longest(), self._wished()
        return longest if wished >= longest else min(longest, max(wished, self._haste.wait()))
