"""Servers that are measured: each in a process of its own, with all its threads on one core."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import IO, NamedTuple

from tools.bench._recorded import SEED

ROOT = Path(__file__).parents[2]
SERVER_CORE, LOAD_CORE = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
LOOPS = ("asyncio", "uvloop")
OPEN = re.compile(r"open, port (\d+)")
PLENTY = "100000"
OPTIONS = (
    *("--host", "127.0.0.1", "--port", "0", "--no-announce"),
    # Every table is of an address of its own: so many to an address are not made in a minute.
    *("--behind-proxy", "127.0.0.1"),
    *("--max-tables", PLENTY, "--max-connections", PLENTY, "--max-per-address", PLENTY),
    *("--max-arrivals", PLENTY, "--max-commands", PLENTY),
)
PINNED = f"""\
import os, sys
os.sched_setaffinity(0, {{{SERVER_CORE}}})
loop, folder, *arguments = sys.argv[1:]
sys.path[:0] = [folder + "/server", folder + "/shared", folder]
"""
DIADEM = f"""\
{PINNED}
import secrets
drawn = secrets.token_bytes
secrets.token_bytes = lambda size=32: {SEED!r} if size == {len(SEED)} else drawn(size)
if loop != "uvloop":
    sys.modules["uvloop"] = None
sys.argv[1:] = arguments
from diadem_server.net import websocket
websocket.KEEPALIVE_SECONDS = 3600.0  # whoever loads one server leaves the others unheard
from diadem_server.cli import main
main()
"""
YARDSTICK = f"""\
{PINNED}
import asyncio
from tools.bench._yardsticks import KINDS
if loop == "uvloop":
    import uvloop as asyncio
asyncio.run(KINDS[arguments[0]]())
"""


class Serving(NamedTuple):
    pid: int
    port: int
    seconds: float
    """Until it was open."""

    @property
    def processor(self) -> float:
        """Seconds, of all threads together."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    @property
    def memory(self) -> int:
        """Resident, in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)


@contextmanager
def diadem(loop: str, data: Path, checkout: Path = ROOT, *options: str) -> Iterator[Serving]:
    """The server of this checkout or of another one. It is killed: its folder is as after an accident."""
    given = ("--data", str(data), *OPTIONS, *_quotas(checkout), *options)
    with _process(DIADEM, loop, str(checkout), *given) as serving:
        yield serving


def _quotas(checkout: Path) -> tuple[str, ...]:
    """None that is met, where a checkout has them."""
    config = checkout / "server" / "diadem_server" / "config.py"
    has_them = "max-newcomers" in config.read_text()
    return ("--max-newcomers", PLENTY, "--max-written", PLENTY) if has_them else ()


@contextmanager
def yardstick(loop: str, kind: str) -> Iterator[Serving]:
    with _process(YARDSTICK, loop, str(ROOT), kind) as serving:
        yield serving


@contextmanager
def _process(program: str, *arguments: str) -> Iterator[Serving]:
    started = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout
        try:
            port = _port(process.stdout)
            yield Serving(process.pid, port, perf_counter() - started)
        finally:
            process.kill()


def _port(said: IO[str]) -> int:
    heard = ""
    for line in said:
        heard += line
        if found := OPEN.search(line):
            Thread(target=_pass_on, args=[said], daemon=True).start()
            return int(found[1])
    raise AssertionError(f"the server has ended: {heard}")


def _pass_on(said: IO[str]) -> None:
    """What goes wrong while it is measured is worth knowing."""
    for line in said:
        if " WARNING " in line or " ERROR " in line or line.startswith(("Traceback", " ")):
            sys.stderr.write(line)


@contextmanager
def on_load_core() -> Iterator[None]:
    """Whoever loads servers leaves them theirs."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {LOAD_CORE})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
