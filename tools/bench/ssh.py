"""Sessions over ssh: memory, and the time from a key to the repaint of the screen.

Server, clients and OpenSSH's client are a process each. Memory is proportional: what several share is
divided among them; only root can see it of hosted clients. The yardsticks are clients started one by one, and one without ssh in between.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from tests.rig.gates import children, command_of, descendants
from tools.bench._screen import Screen, on_a_terminal

SESSIONS = 20
KEYS = 200
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
            yield memory("started one by one, at the lobby", [each.process for each in alone])
        with ExitStack() as copies:
            visits = [copies.enter_context(_visit(ssh, number)) for number in range(SESSIONS)]
            for screen in visits:
                screen.reads(b"Diadem, as")
            # Its clients look like it, and come after it.
            fork_server = next(each for each in descendants(server) if is_fork_server(each))
            yield memory("over ssh, at the lobby", children(fork_server))
            yield memory("the ssh gate", children(server)[:1])
            for screen in visits:
                _play(screen)
            yield memory("over ssh, at a table with a bot", children(fork_server))
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


def _play(screen: Screen) -> None:
    for key, then in (
        (b"m", b"What is played here?"),
        (b"\r", b"add a bot"),
        (b"b", b"sleepy"),
        (b"\r", b"sits down, a bot"),
        (b"s", b"deck"),
    ):
        screen.press(key)
        screen.reads(then)


@contextmanager
def _local(port: int, home: str, number: int) -> Iterator[Screen]:
    own = f"{home}/{number}"
    where = ("--host", f"127.0.0.1:{port}", "--name", f"Ana {number}")
    with on_a_terminal(CLIENT, *where, XDG_CONFIG_HOME=own, XDG_STATE_HOME=own) as screen:
        yield screen


@contextmanager
def _visit(port: int, number: int) -> Iterator[Screen]:
    who = ("-o", "PubkeyAuthentication=no", "-p", str(port), f"Bob{number}@127.0.0.1")
    with on_a_terminal("ssh", *SSH, *who) as screen:
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


def memory(what: str, processes: list[int]) -> str:
    rollups = [Path(f"/proc/{each}/smaps_rollup").read_text() for each in processes]
    proportional, own = (
        median(int(text.partition(f"{name}:")[2].split()[0]) for text in rollups) / 1024
        for name in ("Pss", "Private_Dirty")
    )
    return (
        f"{what}: {proportional:.1f} MB proportional each of {len(processes)}, {own:.1f} of them its"
        f" own ({proportional / AIM_MEGABYTES:.2f} of what is aimed for)"
    )
