"""Sessions in the browser: bytes, memory, processor, and the time of a key, at the gate and in chromium.

Three ways lead to the gate: its own port, its own TLS, and nginx with TLS before it, set up as docs/hosting/browser.md has it.
Memory is proportional: what several share is divided among them.
"""

import asyncio
import os
import re
import shutil
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from diadem_server.gates.web import page_files
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.gates import children, descendants, until
from tests.rig.wire import Player
from tests.server.certificate import certificate
from tests.web.browser import CHROMIUM, DESKTOP, browser
from tests.web.nginx import NGINX, WEB, nginx
from tests.web.rig import Window, get, window
from tools.bench._browser import measured
from tools.bench.ssh import is_fork_server, memory

SESSIONS = 20
KEYS = 100
IDLE_SECONDS = 10.0
RIGHT = "\x1b[C"
QUIET = 0.05
"""Seconds without a byte after which the answer to a key is complete."""
SERVER = "from diadem_server.cli import main; main()"
OPTIONS = ("--web", "0", "--web-max", "200", "--web-max-per-address", "200", "--web-idle", "0")
OPEN = re.compile(r"open, port (\d+).*In the browser, port (\d+)", re.DOTALL)
TRUSTS_ANY = "--ignore-certificate-errors"
OWN_PORT, OWN_TLS, BEHIND_NGINX = "its own port", "its own TLS", "nginx with TLS"
TICKS = os.sysconf("SC_CLK_TCK")


class Felt(NamedTuple):
    """What came of one key."""

    seconds: float
    """Until its first byte was there."""
    size: int
    messages: int


def run() -> Iterator[str]:
    yield from _page()
    with TemporaryDirectory() as folder:
        yield from asyncio.run(_sessions(Path(folder)))
    for way in (OWN_PORT, OWN_TLS, BEHIND_NGINX):
        with TemporaryDirectory() as folder:
            yield from asyncio.run(_way(way, Path(folder)))
    if CHROMIUM is None:
        yield "in a browser: needs chromium"


def _page() -> Iterator[str]:
    files = page_files.load()
    gzipped = sum(len(each.gzipped) for each in files.values())
    plain = sum(len(each.content) for each in files.values())
    yield f"the page: {len(files)} files of {plain / 1000:.1f} kB, {gzipped / 1000:.1f} as they are sent"


async def _sessions(folder: Path) -> list[str]:
    said = []
    async with _server(folder) as (server, game, port):
        gate = children(server)[0]
        async with AsyncExitStack() as windows:
            for number in range(SESSIONS):
                ana = await windows.enter_async_context(window(port, f"Ana {number}"))
                await ana.reads("Diadem, as")
            clients = _clients(server)
            said.append(memory("in the browser, at the lobby", clients))
            said.append(memory("the web gate", [gate]))
            used = processor(gate), sum(map(processor, clients))
            await asyncio.sleep(IDLE_SECONDS)
            now = processor(gate), sum(map(processor, clients))
            idle = [
                (after - before) / IDLE_SECONDS for before, after in zip(used, now, strict=True)
            ]
            said.append(
                f"idle for {IDLE_SECONDS:.0f} s with {SESSIONS} sessions: the gate used {idle[0]:.2%}"
                f" of a core, a client {idle[1] / SESSIONS:.2%}"
            )
            for number in range(SESSIONS):
                await windows.enter_async_context(_at_a_table(port, game, number))
            tables = [each for each in _clients(server) if each not in clients]
            said.append(memory("in the browser, at a table of two", tables))
    return said


def _clients(server: int) -> list[int]:
    fork_server = next(each for each in descendants(server) if is_fork_server(each))
    return children(fork_server)


@asynccontextmanager
async def _at_a_table(port: int, game: int, number: int) -> AsyncIterator[Window]:
    """With somebody who looks for nothing but the start."""
    async with Player(game, f"Bob {number}") as bob:
        table = await bob.make(Setup("diamoniak"))
        async with window(port, f"Eve {number}", table=table) as eve:
            await eve.reads("sits down")
            await bob.ask(protocol.Start)
            await eve.reads("deck")
            yield eve


async def _way(way: str, folder: Path) -> list[str]:
    async with AsyncExitStack() as stack:
        options: tuple[str, ...] = ()
        trust = None
        if way != OWN_PORT:
            if shutil.which("openssl") is None or NGINX is None:
                return [f"{way}: needs openssl and nginx"]
            made, key = certificate(folder, "IP:127.0.0.1,DNS:games.example.org")
            trust = ssl.create_default_context(cafile=made)
            options = ("--tls-cert", str(made), "--tls-key", str(key))
        if way == BEHIND_NGINX:
            options = ("--behind-proxy", "127.0.0.1")
        _, _, port = await stack.enter_async_context(_server(folder, *options))
        if way == BEHIND_NGINX:
            port = await stack.enter_async_context(nginx(folder, port, WEB))
            trust = ssl.create_default_context(cafile=folder / "cert.pem")
            trust.check_hostname = False
        cookie = (await get(port, tls=trust)).cookie
        begun = perf_counter()
        ana = await stack.enter_async_context(window(port, "Ana", cookie, trust))
        await ana.reads("Diadem, as Ana")
        painted, size = perf_counter() - begun, len(ana.bytes)
        await ana.press("m")
        await ana.reads("What is played here?")
        await _answered(ana)
        felt = [await _press(ana, RIGHT) for _ in range(KEYS)]
        in_chromium = []
        if CHROMIUM is not None:
            chromium = await stack.enter_async_context(browser(folder / "profile", TRUSTS_ANY))
            address = f"http{'' if trust is None else 's'}://127.0.0.1:{port}/"
            seen = await measured(chromium, address, DESKTOP)
            in_chromium.append(f"{way}, in chromium: {seen}")
    size_of_key = median(each.size for each in felt)
    centiles = quantiles([each.seconds * 1000 for each in felt], n=100)
    told = (
        f"{way}: lobby after {painted * 1000:.0f} ms and {size} B; a key {size_of_key:.0f} B"
        f" in {median(each.messages for each in felt):.0f} messages, answered after"
        f" {centiles[49]:.1f} ms (p50), {centiles[89]:.1f} (p90)"
    )
    return [told, *in_chromium]


async def _press(ana: Window, key: str) -> Felt:
    before, messages, begun = len(ana.bytes), ana.messages, perf_counter()
    await ana.press(key)
    await until(lambda: len(ana.bytes) > before, "an answer")
    seconds = ana.heard_at - begun
    await _answered(ana)
    return Felt(seconds, len(ana.bytes) - before, ana.messages - messages)


async def _answered(ana: Window) -> None:
    """Wait until nothing more comes."""
    seen = -1
    while seen != len(ana.bytes):
        seen = len(ana.bytes)
        await asyncio.sleep(QUIET)


def processor(process: int) -> float:
    """Seconds that it has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:13])) / TICKS


@asynccontextmanager
async def _server(folder: Path, *options: str) -> AsyncIterator[tuple[int, int, int]]:
    """Its process, its port, and its port for browsers."""
    given = ("--host", "127.0.0.1", "--port", "0", "--data", str(folder / "matches"), *OPTIONS)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, *given, *options), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        said = ""
        while not (found := OPEN.search(said)):
            line = await process.stdout.readline()
            assert line, f"it has ended: {said}"
            said += line.decode()
        reading = asyncio.create_task(process.stdout.read())
        yield process.pid, int(found[1]), int(found[2])
        reading.cancel()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
