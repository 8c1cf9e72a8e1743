"""A server in this process, its gate in another, and players who come with a real ssh client."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh

from diadem_server.app import App
from diadem_server.config import SshConfig
from diadem_server.gates import kinds
from diadem_server.gates.supervisor import Supervisor
from tests.rig.wire import PATIENCE, server
from tests.ssh.screen import Screen

POLL = 0.02
PATIENCE_FOR_NOTHING = 0.5
"""Seconds that a test waits for what must not happen."""
STEERS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[@-Z\\-_=>])"
)
FORWARD = re.compile(r"\x1b\[(\d+)C")
"""Skips what stands there already: blanks, as a rule."""
PLENTY: dict[str, Any] = {"connections_a_second": 1e6, "most": 100, "most_per_address": 100}
KEY = asyncssh.generate_private_key("ssh-ed25519")


class Host:
    def __init__(self, app: App, ssh: Supervisor) -> None:
        self.app = app
        self.ssh = ssh

    @property
    def clients(self) -> list[int]:
        """The processes of the sessions that there are."""
        return [client for server in self.fork_servers for client in children(server)]

    @property
    def fork_servers(self) -> list[int]:
        return [
            child
            for child in children(self.gate)
            if "diadem_client.hosted.forkserver" in command_of(child)
        ]

    @property
    def gate(self) -> int:
        assert self.ssh.pid is not None
        return self.ssh.pid

    @property
    def processes(self) -> list[int]:
        """All that there are because of ssh."""
        return [self.gate, *self.fork_servers, *self.clients]

    @property
    def lines(self) -> int:
        """Connections that the gate has, whether or not they have logged in."""
        return sum(
            entry[3] == "01" and entry[1].rpartition(":")[2] == f"{self.ssh.port:04X}"
            for table in ("tcp", "tcp6")
            for entry in map(str.split, Path(f"/proc/net/{table}").read_text().splitlines()[1:])
        )


@asynccontextmanager
async def host(data: Path, app: dict[str, Any] | None = None, **ssh: Any) -> AsyncIterator[Host]:
    async with (
        server(data, **(app or {})) as running,
        Supervisor(kinds.ssh(SshConfig(0, **(PLENTY | ssh)), running), running) as gate,
    ):
        yield Host(running, gate)


class Visit:
    """A player's terminal over ssh."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        self.process = process
        self._said = b""
        self._screen = Screen()
        self._before = ""
        self._read = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with suppress(asyncssh.Error):  # connections may be aborted
            while some := await self.process.stdout.read(1 << 16):
                self._said += some
                self._screen.feed(some)

    @property
    def bytes(self) -> bytes:
        return self._said

    @property
    def text(self) -> str:
        """All text that was ever shown, without escape sequences."""
        said = FORWARD.sub(lambda skip: " " * int(skip[1]), self._said.decode(errors="replace"))
        return STEERS.sub("", said)

    @property
    def screen(self) -> str:
        """What stands there now; of a word that was typed, letters may have been painted one by one."""
        return self._screen.text

    def forget(self) -> None:
        """What is read from now on was not there before."""
        self._said = b""
        self._before = self.screen

    def press(self, keys: str) -> None:
        self.process.stdin.write(keys.encode())

    async def reads(self, words: str) -> None:
        await until(lambda: self._has_read(words), lambda: f"{words!r} in {self.screen!r}")

    def _has_read(self, words: str) -> bool:
        return words in self.text or (words in self.screen and words not in self._before)

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


async def until(found: Callable[[], object], what: Callable[[], str] | str) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            while not found():  # noqa: ASYNC110
                await asyncio.sleep(POLL)  # what happens in other processes wakes nobody here
    except TimeoutError:
        raise AssertionError(
            f"waited in vain for {what if isinstance(what, str) else what()}"
        ) from None


def children(process: int) -> list[int]:
    try:
        return [
            int(child)
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(process: int) -> list[int]:
    found = children(process)
    return found + [each for child in found for each in descendants(child)]


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


async def read_ports(output: asyncio.StreamReader) -> tuple[int, int]:
    """Of a server that starts: where it listens, and where over ssh."""
    said = ""
    while not (found := re.search(r"open, port (\d+).*Over ssh, port (\d+)", said, re.DOTALL)):
        line = await output.readline()
        assert line, "it ended before it had begun"
        said += line.decode()
    return int(found[1]), int(found[2])


def open_files(process: int) -> list[str]:
    links = []
    for file in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(str(file.readlink()))
    return links
