"""An event loop with virtual time, which advances to the next timer when there is nothing to do.

One seed makes one order of events. Other threads hand in what they have done (the journal its commits)
at points that the seed chooses, and take no time.
"""

import asyncio
import random
import selectors
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple, Unpack

from tests.rig.virtual_network import AcceptedSocket, PortListener, take

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

TINY = 1e-6
"""Seconds beyond a timer's, so that no rounding keeps it from being due."""
STUCK_SECONDS = 60.0
"""Of real time, after which another thread is taken to be stuck."""


class NothingWillHappen(Exception):
    """Everybody waits, and no timer is set."""


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, seed: int = 0) -> None:
        self._now = 0.0
        self._chance = random.Random(seed)
        self._home = threading.get_ident()
        self._handed_in: list[Callable[[], object]] = []
        """By other threads."""
        self._arrival = threading.Condition()
        self._in_executors = 0
        self._dial = PortListener()
        self.is_awaited: Callable[[], bool] = lambda: False
        """Whether a thread besides the executors' owes something; whoever knows sets this."""
        super().__init__(_LeapingSelector(self))

    def run_forever(self) -> None:
        self._home = threading.get_ident()
        super().run_forever()

    def time(self) -> float:
        return self._now

    def leap(self, seconds: float | None) -> None:
        if seconds is None:
            raise NothingWillHappen
        self._now += seconds + TINY

    # Other threads

    def call_soon_threadsafe(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        if threading.get_ident() == self._home:
            return self.call_soon(callback, *args, context=context)
        if self.is_closed():
            raise RuntimeError("the event loop is closed")

        def call() -> object:
            return context.run(callback, *args) if context else callback(*args)

        with self._arrival:
            self._handed_in.append(call)
            self._arrival.notify()
        return asyncio.Handle(callback, args, self, context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        self._in_executors += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._is_back)
        return future

    def _is_back(self, _: object) -> None:
        self._in_executors -= 1

    def take_in(self, *, is_idle: bool) -> bool:
        """Wait for other threads, if it is time to; whether there is something new to do."""
        took = False
        while self.is_awaited() and (is_idle or took or self._chance.random() < 1 / 2):
            self._take_in()
            took = True
        if is_idle and not took and self._in_executors:
            self._take_in()
            took = True
        return took

    def _take_in(self) -> None:
        with self._arrival:
            if not self._arrival.wait_for(lambda: self._handed_in, STUCK_SECONDS):
                raise NothingWillHappen
            calls, self._handed_in = self._handed_in, []
        for call in calls:
            call()

    # The network is virtual too

    async def sock_accept(self, sock: socket.socket) -> tuple[Any, Any]:
        return await self._dial.accept(sock)

    async def connect_accepted_socket(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.BaseProtocol], sock: AcceptedSocket, **_: Any
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        return take(protocol_factory, sock)

    async def create_connection(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        host: str,
        port: int,
        *,
        local_addr: tuple[str, int] | None = None,
        **_: Any,
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        address = local_addr[0] if local_addr else "127.0.0.1"
        return await self._dial.connect(protocol_factory, address, (host, port))


class _LeapingSelector(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        is_idle = timeout is None or timeout > 0
        has_more = self._loop.take_in(is_idle=is_idle)
        ready = super().select(0)
        if is_idle and not ready and not has_more:
            self._loop.leap(timeout)
        return ready
