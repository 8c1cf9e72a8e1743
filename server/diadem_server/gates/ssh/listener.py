"""Where players come in over ssh."""

import asyncio
import logging
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import asyncssh

from diadem_server.app import App
from diadem_server.config import SshConfig
from diadem_server.gates.ssh.admission import Room
from diadem_server.gates.ssh.auth import Guard
from diadem_server.gates.ssh.client_pool import Nursery
from diadem_server.gates.ssh.keys import BadKey, Players, allowed_keys, host_key
from diadem_server.gates.ssh.session import Session

log = logging.getLogger(__name__)

KEEPALIVES = 3
WINDOW = 1 << 16
"""Bytes that a player may send ahead; nobody types that fast."""


class Listener:
    """`async with Listener(config, app) as ssh:` runs it; `ssh.port` says where."""

    def __init__(self, config: SshConfig, app: App) -> None:
        self.config = config
        self._app = app
        data = app.config.data
        self._key = host_key(data)
        self.players = Players(data, app.hall.sessions)
        if config.keys is not None:
            allowed_keys(config.keys)
        self.room = Room(config, app.hall.metrics)
        self.nursery = Nursery()
        self.side_door = Path()
        self.connections: set[asyncssh.SSHServerConnection] = set()
        self._sessions: dict[asyncio.Task[None], Session] = {}
        self._exits = AsyncExitStack()
        self._acceptor: asyncssh.SSHAcceptor | None = None

    @property
    def password(self) -> str | None:
        return self._app.config.password

    @property
    def fingerprint(self) -> str:
        return self._key.get_fingerprint()

    @property
    def port(self) -> int:
        return self.config.port if self._acceptor is None else self._acceptor.get_port()

    async def __aenter__(self) -> "Listener":
        asyncssh.set_log_level(logging.CRITICAL)
        async with self._exits as exits:
            folder = exits.enter_context(
                tempfile.TemporaryDirectory(prefix="diadem-", ignore_cleanup_errors=True)
            )
            self.side_door = Path(folder) / "door"
            exits.push_async_callback(self._app.close_side_door)
            await self._app.open_side_door(self.side_door)
            exits.push_async_callback(self.nursery.close)
            await self.nursery.start()
            self._acceptor = await self._listen()
            exits.push_async_callback(self._leave)
            self._exits = exits.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    async def _listen(self) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            self._app.config.host or "",
            self.config.port,
            server_factory=lambda: Guard(self),
            server_host_keys=[self._key],
            server_version="Diadem",
            config=None,
            encoding=None,
            line_editor=False,
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            password_auth=False,
            gss_host=None,
            login_timeout=self.config.login_seconds,
            keepalive_interval=self.config.keepalive_seconds,
            keepalive_count_max=KEEPALIVES,
            window=WINDOW,
        )

    async def _leave(self) -> None:
        """Nobody comes in any more, and whoever is here is told."""
        if self._acceptor is not None:
            self._acceptor.close()
            await self._acceptor.wait_closed()
        running = list(self._sessions.items())
        await asyncio.gather(*(session.close() for _, session in running))
        await asyncio.gather(*(task for task, _ in running), return_exceptions=True)
        for connection in list(self.connections):
            connection.close()
            await connection.wait_closed()

    def is_listed(self, key: asyncssh.SSHKey, address: str) -> bool:
        """The list is read each time: who is added to it need not wait for another start."""
        if self.config.keys is None:
            return False
        try:
            listed = allowed_keys(self.config.keys)
        except BadKey as error:
            log.error("nobody is let in by key: %s", error)
            return False
        return listed.validate(key, address, address) is not None

    def take_in(self, session: Session) -> None:
        task = asyncio.create_task(session.run())
        self._sessions[task] = session
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        del self._sessions[task]
        if not task.cancelled() and task.exception() is not None:
            log.error("a session over ssh broke down", exc_info=task.exception())
