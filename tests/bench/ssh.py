"""Sessions over ssh: memory, and the time from a key to the repaint of the screen.

Server, clients and OpenSSH's client are a process each. Memory is proportional: what several share is
divided among them. The yardsticks are clients started one by one, and one without ssh in between.
"""

import os
import pty
import re
import select
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from fcntl import ioctl
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from termios import TIOCSWINSZ
from time import perf_counter

from tests.ssh.rig import children, command_of, descendants

SESSIONS = 20
KEYS = 200
QUIET = 0.05
"""Seconds without a byte after which a screen is complete."""
RIGHT = b"\x1b[C"
SERVER = "from diadem_server.cli import main; main()"
CLIENT = str(Path(sys.executable).with_name("game-client"))
OPTIONS = ("--ssh", "0", "--ssh-guests", "--ssh-max", "100", "--ssh-max-per-address", "100")
SSH = ("-F", "none", "-t", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null")
AIM_MEGABYTES, AIM_MILLISECONDS = 20, 3


def run() -> Iterator[str]:
    with ExitStack() as stack:
        home = stack.enter_context(TemporaryDirectory())
        server, port, ssh = stack.enter_context(_server(home))
        with ExitStack() as plain:
            alone = [plain.enter_context(_local(port, home, number)) for number in range(SESSIONS)]
            for screen in alone:
                screen.reads(b"Diadem, as")
            yield _memory("started one by one, at the lobby", [each.process for each in alone])
        with ExitStack() as copies:
            visits = [copies.enter_context(_visit(ssh, number)) for number in range(SESSIONS)]
            for screen in visits:
                screen.reads(b"Diadem, as")
            # Its clients look like it, and come after it.
            fork_server = next(each for each in descendants(server) if is_fork_server(each))
            yield _memory("over ssh, at the lobby", children(fork_server))
            yield _memory("the ssh gate", children(server)[:1])
            for screen in visits:
                _play(screen)
            yield _memory("over ssh, at a table with a bot", children(fork_server))
        yield from _latency(stack, port, ssh, home)


def _latency(stack: ExitStack, port: int, ssh: int, home: str) -> Iterator[str]:
    screens = stack.enter_context(_local(port, home, 98)), stack.enter_context(_visit(ssh, 99))
    times: tuple[list[float], list[float]] = [], []
    for screen in screens:
        screen.reads(b"Diadem, as")
        screen.press(b"m")
        screen.reads(b"What is played here?")
    for _ in range(KEYS):
        for screen, taken in zip(screens, times, strict=True):
            taken.append(screen.time_of(RIGHT))
    local, remote = (quantiles(taken, n=100) for taken in times)
    for name, at in (("p50", 49), ("p95", 94)):
        more = (remote[at] - local[at]) * 1000
        yield (
            f"key to repaint, {name}: {local[at] * 1000:.1f} ms without ssh, {remote[at] * 1000:.1f}"
            f" over it: {more:.1f} more ({more / AIM_MILLISECONDS:.2f} of what is aimed for)"
        )


def is_fork_server(process: int) -> bool:
    return "diadem_client.hosted.forkserver" in command_of(process)


def _play(screen: "Screen") -> None:
    for key, then in (
        (b"m", b"What is played here?"),
        (b"\r", b"add a bot"),
        (b"b", b"zombie"),
        (b"\r", b"strong 1 sits down"),
        (b"s", b"deck"),
    ):
        screen.press(key)
        screen.reads(then)


class Screen:
    def __init__(self, process: int, line: int) -> None:
        self.process = process
        self._line = line

    def press(self, key: bytes) -> None:
        while self._read(QUIET):
            pass
        os.write(self._line, key)

    def reads(self, words: bytes) -> None:
        said = b""
        while words not in said:
            some = self._read(20)
            assert some, f"waited in vain for {words!r}: {said[-500:]!r}"
            said += some

    def time_of(self, key: bytes) -> float:
        """Seconds until the first of what changes on the screen has come."""
        self.press(key)
        begun = perf_counter()
        assert self._read(20)
        return perf_counter() - begun

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._line], [], [], seconds)[0]:
            return b""
        return os.read(self._line, 1 << 16)


@contextmanager
def _terminal(*command: str, **environment: str) -> Iterator[Screen]:
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process.pid, ours)
    finally:
        os.close(ours)
        with suppress(ProcessLookupError):
            process.terminate()
        process.wait()


@contextmanager
def _local(port: int, home: str, number: int) -> Iterator[Screen]:
    own = f"{home}/{number}"
    where = ("--host", f"127.0.0.1:{port}", "--name", f"Ana {number}")
    with _terminal(CLIENT, *where, XDG_CONFIG_HOME=own, XDG_STATE_HOME=own) as screen:
        yield screen


@contextmanager
def _visit(port: int, number: int) -> Iterator[Screen]:
    who = ("-o", "PubkeyAuthentication=no", "-p", str(port), f"Bob{number}@127.0.0.1")
    with _terminal("ssh", *SSH, *who) as screen:
        yield screen


@contextmanager
def _server(folder: str) -> Iterator[tuple[int, int, int]]:
    """Its process, its port, and its port for ssh."""
    options = ("--host", "127.0.0.1", "--port", "0", "--data", f"{folder}/matches", *OPTIONS)
    command = [sys.executable, "-c", SERVER, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        while not (found := re.search(r"open, port (\d+).*Over ssh, port (\d+)", said, re.DOTALL)):
            said += process.stdout.readline()
        try:
            yield process.pid, int(found[1]), int(found[2])
        finally:
            process.terminate()
            process.communicate()


def _memory(what: str, processes: list[int]) -> str:
    rollups = [Path(f"/proc/{each}/smaps_rollup").read_text() for each in processes]
    proportional, own = (
        median(int(text.partition(f"{name}:")[2].split()[0]) for text in rollups) / 1024
        for name in ("Pss", "Private_Dirty")
    )
    return (
        f"{what}: {proportional:.1f} MB proportional each of {len(processes)}, {own:.1f} of them its"
        f" own ({proportional / AIM_MEGABYTES:.2f} of what is aimed for)"
    )
