"""One ssh session: a player's remote terminal, a pty of this machine, and the client that runs on it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncssh

from diadem_server.gates.admission import FULL
from diadem_server.gates.client_line import HostedPlayer
from diadem_server.gates.players import random_token
from diadem_server.gates.terminal import RESTORE, environment
from diadem_server.gates.terminal_session import TerminalSession, player_name
from diadem_shared.forkserver_protocol import TABLE_CODE, LaunchRequest

if TYPE_CHECKING:
    from diadem_server.gates.ssh.auth import Identity
    from diadem_server.gates.ssh.listener import SshListener

log = logging.getLogger(__name__)

MOST_ENVIRONMENT = 64 * 1024
"""The most bytes of environment variables that a player may send; asyncssh keeps them all."""
VARIABLE = 64
"""Bytes that each variable counts for besides its name and value."""
FAILED = 1
NOT_OFFERED = 2


class SshSession(asyncssh.SSHServerSession[bytes]):
    def __init__(
        self,
        listener: "SshListener",
        identity: "Identity",
        ended: Callable[[], None],
        closed: Callable[["SshSession"], None],
    ) -> None:
        """`ended` is called when a session that was counted has ended, `closed` when its channel is closed."""
        self._listener = listener
        self._identity = identity
        self._ended = ended
        self._closed = closed
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._term: str | None = None
        self._size = (0, 0)
        self._wanted = ""
        self._hosting: TerminalSession | None = None
        self._lost: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Done when the player is gone."""
        self.is_counted = False
        """Whether admission counts it just now."""

    # Called by asyncssh

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    def keeps_too_much(self) -> bool:
        if self._channel is None:
            return False
        variables = self._channel.get_environment_bytes().items()
        return (
            sum(len(name) + len(value) + VARIABLE for name, value in variables) > MOST_ENVIRONMENT
        )

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object
    ) -> bool:
        self._term, self._size = term_type, term_size[:2]
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._wanted = command.strip()
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        assert self._channel is not None  # noqa: S101, a session has one
        self._channel.pause_reading()
        self._listener.take_in(self)

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = width, height
        if self._hosting is not None:
            self._hosting.terminal.resize(width, height)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._hosting is not None:
            self._hosting.terminal.feed(data)

    def eof_received(self) -> bool:
        return True  # the client's output is still sent

    def pause_writing(self) -> None:
        if self._hosting is not None:
            self._hosting.terminal.pause()

    def resume_writing(self) -> None:
        if self._hosting is not None:
            self._hosting.terminal.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lose()
        self._closed(self)

    def _lose(self) -> None:
        if not self._lost.done():
            self._lost.set_result(0)

    # The session

    async def run(self) -> None:
        """Run the whole session; when it returns no process is left."""
        player = self._identity.fingerprint
        if why := self._not_offered():
            self._dismiss(why, NOT_OFFERED)
        elif why := self._listener.admission.enter(player, self._identity.ends.address):
            self._dismiss(why, FAILED)
        else:
            self.is_counted = True
            try:
                await self._stay(player)
            finally:
                self._listener.admission.leave(player, self._identity.ends.address)
                self.is_counted = False
                self._ended()

    async def _stay(self, player: str | None) -> None:
        name, address = player_name(self._identity.name), self._identity.ends.address
        log.info("ssh: %s came from %s, %s", name, address, player or "a guest")
        try:
            await self._play(name)
        except OSError as error:
            log.error("ssh: no room for another session: %s", error)
            self._dismiss(FULL, FAILED)
        finally:
            log.info("ssh: %s left", name)

    def _not_offered(self) -> str | None:
        if self._wanted and not TABLE_CODE.fullmatch(self._wanted):
            return "Only the code of a table can be asked for, like K7F3."
        if self._term is None:
            return (
                f"Diadem needs a terminal: ssh -t{' ... ' + self._wanted if self._wanted else ''}"
            )
        return None

    async def _play(self, name: str) -> None:
        assert self._channel is not None  # noqa: S101, it was started
        hosting = self._hosting = TerminalSession(self._listener.clients, self._channel, self._size)
        self._channel.resume_reading()
        player = self._player()
        try:
            orders = await self._orders(name, player)
        except BaseException:
            hosting.cancel()
            raise
        status = await hosting.run(player, orders, self._lost)
        if status is not None:
            self._finish(status)

    def _player(self) -> HostedPlayer:
        players, key = self._listener.players, self._identity.fingerprint
        address = self._identity.ends.address
        if key is None:
            return HostedPlayer(address, random_token())
        return HostedPlayer(address, players.token(key), players.folder(key))

    async def _orders(self, name: str, player: HostedPlayer) -> LaunchRequest:
        listener = self._listener
        assert self._channel is not None  # noqa: S101, it was started
        return LaunchRequest(
            name=name,
            environment=environment(self._term or "", self._channel.get_environment()),
            password=(listener.settings.password or "") if self._identity.is_listed else "",
            table=self._wanted.upper(),
            is_known=bool(player.folder),
            files=await listener.server.files(player.folder) if player.folder else {},
            reached=self._identity.ends.reached,
            idle=listener.config.idle_seconds,
        )

    def _finish(self, status: int) -> None:
        """Send the client's exit status."""
        if status < 0:
            log.error("ssh: the client of %s was ended by signal %d", self._identity.name, -status)
            self._dismiss("Diadem had to stop. Please come again.", FAILED, RESTORE)
        elif self._channel is not None:
            self._channel.exit(status)

    def _dismiss(self, sentence: str, status: int, before: bytes = b"") -> None:
        if self._channel is not None and not self._lost.done():
            with suppress(BrokenPipeError):
                self._channel.write(before + f"{sentence}\r\n".encode())
            self._channel.exit(status)

    async def close(self) -> None:
        """End the session as the host closes; the client tells its player."""
        if self._hosting is None:
            self._dismiss("The host closes Diadem for now.", FAILED)
        elif not await self._hosting.leave():
            self._dismiss("The host closes Diadem for now.", FAILED, RESTORE)
            self._lose()
