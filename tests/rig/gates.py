"""A gate as tests see it from outside: its processes, and what it shows."""

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.gates.supervisor import Supervisor
from tests.patience import PATIENCE
from tests.rig.terminal_screen import Screen

POLL = 0.02
STEERS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[@-Z\\-_=>])"
)
FORWARD = re.compile(r"\x1b\[(\d+)C")
"""Skips what stands there already: blanks, as a rule."""


class GateHost:
    """A server in this process, and its gate in another."""

    def __init__(self, app: App, supervisor: Supervisor) -> None:
        self.app = app
        self.supervisor = supervisor

    @property
    def port(self) -> int:
        return self.supervisor.port

    @property
    def clients(self) -> list[int]:
        """The processes of the sessions that there are; a fork server begins with one that only tries the sandbox."""
        return [
            client
            for server in self.fork_servers
            for client in children(server)
            if name_of(client) == "game-client"
        ]

    @property
    def fork_servers(self) -> list[int]:
        return [
            child
            for child in children(self.gate)
            if "diadem_client.hosted.forkserver" in command_of(child)
        ]

    @property
    def gate(self) -> int:
        assert self.supervisor.pid is not None
        return self.supervisor.pid

    def keep_up(self) -> None:
        """Let the gate and its clients have as much of the processor as a test, where that may be allowed. Beside many
        other tests they would starve, as they give way to all that is not theirs."""
        with suppress(PermissionError):
            for process in (self.gate, *self.fork_servers):
                own = os.getpriority(os.PRIO_PROCESS, 0)
                os.setpriority(os.PRIO_PROCESS, process, own)

    @property
    def processes(self) -> list[int]:
        """All that there are because of the gate."""
        return [self.gate, *self.fork_servers, *self.clients]

    @property
    def lines(self) -> int:
        """Connections that the gate has, whatever they have said yet."""
        return sum(
            entry[3] == "01" and entry[1].rpartition(":")[2] == f"{self.supervisor.port:04X}"
            for table in ("tcp", "tcp6")
            for entry in map(str.split, Path(f"/proc/net/{table}").read_text().splitlines()[1:])
        )


class Shown:
    """What a player's terminal is told to show."""

    def __init__(self) -> None:
        self._said = b""
        self._screen = Screen()
        self._before = ""

    def take(self, some: bytes) -> None:
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

    async def reads(self, words: str) -> None:
        await until(lambda: self._has_read(words), lambda: f"{words!r} in {self.screen!r}")

    def _has_read(self, words: str) -> bool:
        return words in self.text or (words in self.screen and words not in self._before)


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


def name_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def open_files(process: int) -> list[str]:
    """Of a hosted client only root can tell."""
    links = []
    try:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):
                links.append(str(file.readlink()))
    except PermissionError:
        pytest.skip("only root can look into a process that is not dumpable")
    return links


def memory(process: int) -> int:
    """Megabytes at the most so far; none, if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(r"VmHWM:\s*(\d+)", status)
    return int(found[1]) // 1024 if found else 0
