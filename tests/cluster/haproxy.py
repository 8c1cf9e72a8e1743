"""haproxy before two nodes, with the configuration of docs/hosting/cluster.md as it stands there."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cluster.postgres import FAILOVER_SECONDS, until
from tests.pages import HOSTING
from tests.programs import tied
from tests.rig.wire import lasting_port

HAPROXY = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NEEDED = "DIADEM_TESTS_NEED_HAPROXY"
"""Set where the tests must not be skipped."""
GAME, WEB, SSH = 7453, 7480, 7422
"""Ports as they are written."""
POLL = 0.1
SERVERS = ("one", "two", "three")
needs_haproxy = pytest.mark.skipif(
    HAPROXY is None and not os.environ.get(NEEDED), reason="needs haproxy"
)


class Haproxy(NamedTuple):
    ports: Mapping[int, int]
    """Where it listens, by the port that is written."""
    told: Path
    """A socket at which it says how its servers are."""

    async def become(self, *states: str, port: int = GAME) -> None:
        """Returns once its servers are in these states, whichever in which."""
        async with asyncio.timeout(FAILOVER_SECONDS):
            while set(await self.states(port)) != set(states):  # noqa: ASYNC110, it wakes nobody here
                await asyncio.sleep(POLL)

    async def states(self, port: int = GAME) -> list[str]:
        """Of its servers, in what it does for this port."""
        (name,) = re.findall(rf"listen (\w+)\n(?:    (?!bind).*\n)*    bind :{port}\n", written())
        reader, writer = await asyncio.open_unix_connection(self.told)
        writer.write(b"show stat\n")
        lines = (await reader.read()).decode().splitlines()
        writer.close()
        of_servers = [line.split(",") for line in lines if line.startswith(f"{name},")]
        return [line[17] for line in of_servers if line[1] in SERVERS]


def written() -> str:
    (found,) = re.findall(r"```haproxy\n(.*?)```", HOSTING, re.DOTALL)
    return str(found)


def configuration(ports: Mapping[int, int], servers: Sequence[Mapping[int, int]]) -> str:
    """What is written, with these ports, and as many of its servers, at these ports of this machine."""
    named = dict(zip(SERVERS, servers, strict=False))
    return "\n".join(each for line in written().splitlines() for each in _here(line, ports, named))


def _here(
    line: str, ports: Mapping[int, int], servers: Mapping[str, Mapping[int, int]]
) -> Iterator[str]:
    match line.split():
        case ["bind", address]:
            yield f"    bind 127.0.0.1:{ports[_port(address)]}"
        case ["server", name, address]:
            if name in servers:
                at = servers[name]
                yield f"    server {name} 127.0.0.1:{at[_port(address)]} check port {at[GAME]}"
        case _:
            yield line


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


@asynccontextmanager
async def haproxy(folder: Path, servers: Sequence[Mapping[int, int]]) -> AsyncIterator[Haproxy]:
    """Once all of these servers are up; each is told by its ports, by those that are written."""
    assert HAPROXY is not None, "there is no haproxy here"
    ports = {port: lasting_port() for port in (GAME, WEB, SSH)}
    file, told = folder / "haproxy.cfg", folder / "told"
    file.write_text(f"global\n    stats socket {told}\n\n{configuration(ports, servers)}\n")
    process = await asyncio.create_subprocess_exec(*tied(HAPROXY, "-db", "-f", str(file)))
    made = Haproxy(ports, told)
    try:
        await until(told.exists)
        await made.become("UP")
        yield made
    finally:
        process.terminate()
        await process.wait()
