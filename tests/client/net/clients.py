"""Clients without screens, on real sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.session import ClientSession
from diadem_client.state.client_state import ClientState
from tests.patience import PATIENCE


class Running:
    """A client and every picture it showed."""

    def __init__(self, port: int, name: str, **given: Any) -> None:
        self.pictures: list[ClientState] = []
        self._changed = asyncio.Event()
        memories = given.pop("memories", None)
        session = ClientSession(name, version="test", first_id=given.pop("first_id", 1), **given)
        address = Address("127.0.0.1", port)
        self.client = Client(address, session, self._show, memories=memories)

    def _show(self, client_state: ClientState) -> None:
        self.pictures.append(client_state)
        self._changed.set()

    @property
    def client_state(self) -> ClientState:
        return self.client.client_state

    async def until(self, found: Callable[[ClientState], object]) -> ClientState:
        async with asyncio.timeout(PATIENCE):
            while not found(self.client_state):
                self._changed.clear()
                await self._changed.wait()
        return self.client_state

    async def ask(self, kind: Any, *given: Any, **named: Any) -> Any:
        """Ask as soon as there is a connection."""
        await self.until(lambda _: self.client.is_connected)
        async with asyncio.timeout(PATIENCE):
            return await self.client.ask(kind, *given, **named)


@asynccontextmanager
async def running(port: int, name: str = "Ana", **given: Any) -> AsyncIterator[Running]:
    it = Running(port, name, **given)
    task = asyncio.create_task(it.client.run())
    try:
        yield it
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
