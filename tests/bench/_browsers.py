"""Honest players in a browser, as far as the gate goes: how long a key takes until something of it is shown."""

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from time import perf_counter

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from diadem import protocol
from diadem.entries import Setup
from tests.bench._line import Line
from tests.bench._players import view_of
from tests.web.rig import get, hello, socket

ADDRESS = "127.0.2.1"
"""Where they all are; attackers are elsewhere."""
KEYS = (b"?", b"\x1b")
"""Help, and back again: each paints half of the screen."""
QUIET = 0.05
"""Seconds without a byte after which the answer to a key is complete."""
PAINTED = 1.0
"""The same at the beginning, when a client is started and comes to its table."""


class Browser:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._heard_at = perf_counter()
        self._answer: asyncio.Future[float] | None = None
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for _ in self._socket:
                self._heard_at = perf_counter()
                if self._answer is not None and not self._answer.done():
                    self._answer.set_result(self._heard_at)
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError(f"closed with {self._socket.close_code}"))

    async def quiet(self, seconds: float) -> None:
        """Wait until nothing has come for so long."""
        while (missing := self._heard_at + seconds - perf_counter()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(missing)

    async def press(self, key: bytes) -> float:
        """How long it takes until something is shown."""
        self._answer = asyncio.get_running_loop().create_future()
        begun = perf_counter()
        await self._socket.send(key)
        return await self._answer - begun

    async def play(self, until: float, pause: float, times: list[float]) -> None:
        """Press keys until then; how long each took is added to the times."""
        for key in itertools.cycle(KEYS):
            await self.quiet(QUIET)
            times.append(await self.press(key))
            if perf_counter() > until and key is KEYS[-1]:
                return
            await asyncio.sleep(pause)


async def come_in(stack: AsyncExitStack, port: int, others: Sequence[Line]) -> list[Browser]:
    """A browser for each of the others, at a table with that one, who waits."""
    browsers = []
    for number, other in enumerate(others):
        other.command(protocol.Make, Setup("diamoniak"))
        table = (await view_of(other))["table"]
        cookie = (await get(port, source=ADDRESS)).cookie
        line = await stack.enter_async_context(await socket(port, cookie, local_addr=(ADDRESS, 0)))
        await line.send(hello(f"Eve {number}", table=table))
        browser = Browser(line)
        await view_of(other, lambda view: len(view["public"]["players"]) > 1)
        other.command(protocol.Start)
        await browser.quiet(PAINTED)
        browsers.append(browser)
    return browsers
