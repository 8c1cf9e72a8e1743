"""Honest players in a browser, as far as the gate goes: how long a key takes until what it does is shown."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from time import perf_counter

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.patience import PATIENCE
from tests.rig.gates import Shown
from tests.web.rig import get, hello, socket
from tools.bench._line import Line
from tools.bench._players import view_of

ADDRESS = "127.0.2.1"
"""Where they all are; attackers are elsewhere."""
HELP, BACK = b"?", b"\x1b"
"""Each paints half of the screen."""
IN_HELP = "Keys that do something here"


class Browser:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._shown = Shown()
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self._socket:
                if isinstance(message, bytes):
                    self._shown.take(message)
                    self._changed.set()
        self._changed.set()

    async def sees(self, words: str, *, there: bool = True) -> None:
        """Until these words are there, or there no more."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (words in self._shown.screen) != there:
                    if self._reading.done():
                        raise ConnectionError(f"closed with {self._socket.close_code}")
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain for {words!r}:\n{self._shown.screen}") from None

    async def press(self, key: bytes) -> float:
        """How long it takes until help is shown, or the table again."""
        begun = perf_counter()
        await self._socket.send(key)
        await self.sees(IN_HELP, there=key == HELP)
        return perf_counter() - begun

    async def play(self, until: float, pause: float, times: list[float]) -> None:
        """Look help up until then; how long each key took is added to the times."""
        while perf_counter() < until:
            for key in (HELP, BACK):
                times.append(await self.press(key))
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
        await browser.sees("deck")
        browsers.append(browser)
    return browsers
