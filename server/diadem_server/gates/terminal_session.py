"""A hosted client on a terminal of its own, from its start until nothing of it is left, as every gate runs it."""

import asyncio
import signal
from contextlib import suppress

from diadem_server.gates.client_line import ClientLine, HostedPlayer
from diadem_server.gates.client_pool import ClientPool, HostedClient
from diadem_server.gates.terminal import Channel, Terminal
from diadem_server.sessions import names
from diadem_shared.forkserver_protocol import LaunchRequest
from diadem_shared.protocol import LONGEST_NAME

DRAINING_SECONDS = 5.0
"""Seconds that a client's last output waits for a player who does not read."""
LEAVING_SECONDS = 3.0
"""The grace period in seconds for a client that is told to end."""


def player_name(told: str) -> str:
    """What a player is called who says to be called that."""
    return names.clean(told)[:LONGEST_NAME].strip() or "Player"


class TerminalSession:
    """Either `run` or `cancel` gives its terminal back."""

    def __init__(self, clients: ClientPool, channel: Channel, size: tuple[int, int]) -> None:
        """Raises OSError where the system has no room for another terminal."""
        self._clients = clients
        self.terminal = Terminal(channel, size)
        self.client: HostedClient | None = None
        """None until it has been started."""

    @property
    def is_running(self) -> bool:
        return self.client is not None and not self.client.ended.done()

    async def run(
        self, player: HostedPlayer, orders: LaunchRequest, gone: "asyncio.Future[int]"
    ) -> int | None:
        """The client's exit status, once its output was taken; None if the player was gone before. Raises OSError
        where the system has no room for a client."""
        line: ClientLine | None = None
        try:
            try:
                line = ClientLine(self._clients.server, player)
                self.client = await self._clients.spawn(self.terminal.theirs, line.theirs.fileno())
            finally:
                self.terminal.hand_over()
                if line is not None:
                    line.hand_over()
            line.serve(orders)
            ended = self.client.ended
            await asyncio.wait([ended, gone], return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                return None
            with suppress(TimeoutError):
                async with asyncio.timeout(DRAINING_SECONDS):
                    await self.terminal.is_drained.wait()
            return ended.result()
        finally:
            self.terminal.hang_up()
            if self.client is not None:
                await self.client.end()
            if line is not None:
                await line.close()

    def cancel(self) -> None:
        """No client is to be started."""
        self.terminal.hand_over()
        self.terminal.hang_up()

    async def leave(self) -> bool:
        """Have the client tell its player that the host closes, and end; whether it did."""
        if self.client is None:
            return False
        self.client.send(signal.SIGTERM)
        return await self.client.gone_within(LEAVING_SECONDS)
