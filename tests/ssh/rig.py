"""A server in this process, its gate in another, and players who come with a real ssh client."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh

from diadem_server.config import SshConfig
from diadem_server.gates import kinds
from diadem_server.gates.supervisor import Supervisor
from tests.patience import PATIENCE
from tests.rig.gates import GateHost, Shown
from tests.rig.wire import server

PATIENCE_FOR_NOTHING = 0.5
"""Seconds that a test waits for what must not happen."""
PLENTY: dict[str, Any] = {
    "connections_a_second": 1e6,
    "sessions_a_second": 1e6,
    "most": 100,
    "most_per_address": 100,
}
KEY = asyncssh.generate_private_key("ssh-ed25519")


class Host(GateHost):
    @property
    def ssh(self) -> Supervisor:
        return self.supervisor


@asynccontextmanager
async def host(
    data: Path, app: dict[str, Any] | None = None, *, gives_way: bool = False, **ssh: Any
) -> AsyncIterator[Host]:
    """The gate has as much of the processor as the test, unless it is to give way: beside many others it would starve."""
    async with (
        server(data, **(app or {})) as running,
        Supervisor(kinds.ssh(SshConfig(0, **(PLENTY | ssh)), running), running) as gate,
    ):
        made = Host(running, gate)
        if not gives_way:
            made.keep_up()
        yield made


class Visit(Shown):
    """A player's terminal over ssh."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        super().__init__()
        self.process = process
        self._read = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with suppress(asyncssh.Error):  # connections may be aborted
            while some := await self.process.stdout.read(1 << 16):
                self.take(some)

    def press(self, keys: str) -> None:
        self.process.stdin.write(keys.encode())

    async def type(self, keys: str) -> None:
        """As `press`, for whoever waits for it as in a browser."""
        self.press(keys)

    async def quit(self) -> int | None:
        self.press("\x11")
        return await self.status()

    async def status(self) -> int | None:
        """How it ended, once it has."""
        async with asyncio.timeout(PATIENCE):
            await self._read
            await self.process.wait_closed()
        return self.process.exit_status


class Greeted(asyncssh.SSHClient):
    """Answers when it is asked nothing, as the client of OpenSSH does."""

    def __init__(self, heard: list[str] | None = None, stubbornness: int = 1) -> None:
        self._heard = [] if heard is None else heard
        self._stubbornness = stubbornness
        self._tries = 0

    def auth_banner_received(self, msg: str, lang: str) -> None:
        self._heard.append(msg)

    def kbdint_auth_requested(self) -> str | None:
        self._tries += 1
        return "" if self._tries <= self._stubbornness else None

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: object
    ) -> list[str]:
        return []


async def connection(
    port: int,
    name: str = "ana",
    key: asyncssh.SSHKey | None = KEY,
    heard: list[str] | None = None,
    **options: Any,
) -> asyncssh.SSHClientConnection:
    """What the server says before it lets in goes to `heard`."""
    given = {"client_factory": lambda: Greeted(heard), "client_keys": [key] if key else []}
    return await asyncssh.connect(
        "127.0.0.1",
        port,
        username=name,
        known_hosts=None,
        config=None,
        agent_path=None,
        **(given | options),
    )


@asynccontextmanager
async def visit(
    port: int, name: str = "ana", key: asyncssh.SSHKey | None = KEY, **session: Any
) -> AsyncIterator[Visit]:
    """As `ssh -t` does it."""
    async with await connection(port, name, key) as line, opened(line, **session) as visit:
        yield visit


@asynccontextmanager
async def opened(
    line: asyncssh.SSHClientConnection, command: str | None = None, **session: Any
) -> AsyncIterator[Visit]:
    given: dict[str, Any] = {"term_type": "xterm-256color", "term_size": (80, 24)} | session
    process: asyncssh.SSHClientProcess[bytes] = await line.create_process(
        command, encoding=None, **given
    )
    yield Visit(process)
    process.close()


async def read_ports(output: asyncio.StreamReader) -> tuple[int, int]:
    """Of a server that starts: where it listens, and where over ssh."""
    said = ""
    while not (found := re.search(r"open, port (\d+).*Over ssh, port (\d+)", said, re.DOTALL)):
        line = await output.readline()
        assert line, "it ended before it had begun"
        said += line.decode()
    return int(found[1]), int(found[2])
