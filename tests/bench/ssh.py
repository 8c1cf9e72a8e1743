"""Sessions over ssh: memory, and the time from a key to the repainted screen against a local client.

Server and players are a process each. Memory is proportional: what several share is divided among
them.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.ssh.rig import Visit, children, command_of, connection, opened, read_ports

SESSIONS = 20
KEYS = 150
SERVER = "from diadem_server.cli import main; main()"
OPTIONS = ("--ssh-guests", "--ssh-max", "100", "--ssh-max-per-address", "100")


def run() -> Iterator[str]:
    yield from asyncio.run(_measure())


async def _measure() -> list[str]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        server, port = await stack.enter_async_context(_server(folder))
        visits = []
        for number in range(SESSIONS):
            line = await stack.enter_async_context(await connection(port, f"ana{number}", None))
            visits.append(await stack.enter_async_context(opened(line)))
            await visits[-1].reads("Diadem, as")
        (nursery,) = (each for each in children(server) if "nursery" in command_of(each))
        lines = [_memory("at the lobby", nursery)]
        for visit in visits:
            await _play(visit)
        lines.append(_memory("at a table with bots", nursery))
        return lines


async def _play(visit: Visit) -> None:
    for keys, then in (
        ("m", "What is played here?"),
        ("\r", "add a bot"),
        ("b", "zombie"),
        ("\r", "strong 1 sits down"),
        ("s", "deck"),
    ):
        visit.forget()
        visit.press(keys)
        await visit.reads(then)


def _memory(where: str, nursery: int) -> str:
    sessions = [_kilobytes(each) for each in children(nursery)]
    proportional = median(each["Pss"] for each in sessions) / 1024
    own = median(each["Private_Dirty"] for each in sessions) / 1024
    shared = _kilobytes(nursery)["Rss"] / 1024
    return (
        f"{where}: {proportional:.1f} MB proportional a session of {len(sessions)},"
        f" {own:.1f} of them its own; the nursery is {shared:.1f} MB"
    )


def _kilobytes(process: int) -> dict[str, int]:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return {
        name: int(value) for name, value in re.findall(r"^(\w+): +(\d+) kB", rollup, re.MULTILINE)
    }


@asynccontextmanager
async def _server(folder: str) -> AsyncIterator[tuple[int, int]]:
    """Its process, and its port for ssh."""
    options = ("--host", "127.0.0.1", "--port", "0", "--data", folder, "--ssh", "0", *OPTIONS)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, *options, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    _, port = await read_ports(process.stdout)
    reading = asyncio.create_task(process.stdout.read())
    try:
        yield process.pid, port
    finally:
        process.terminate()
        await process.wait()
        await reading
