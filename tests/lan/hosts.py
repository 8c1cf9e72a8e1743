"""Programs on hosts of a test's network, where this machine has room for one."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.lan.network import ROOT, CannotBeBuilt, Host
from tests.patience import PATIENCE
from tests.programs import tied

MUST = "DIADEM_TESTS_NEED_LAN"
"""Set where no excuse is taken."""
SERVER = ("-c", "from diadem_server.cli import main; main()")


def excuse(error: CannotBeBuilt) -> NoReturn:
    if os.environ.get(MUST):
        raise error
    pytest.skip(f"no network of namespaces here: {error}")


@asynccontextmanager
async def on(host: Host, *command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python program there."""
    process = await asyncio.create_subprocess_exec(
        *tied(*host.inside, sys.executable, *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**22,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


@asynccontextmanager
async def server(
    host: Host, data: Path, *options: str, name: str = "Home"
) -> AsyncIterator[asyncio.subprocess.Process]:
    given = ("--data", str(data), "--name", name, *options)
    async with on(host, *SERVER, *given) as process:
        yield process


async def line_with(process: asyncio.subprocess.Process, words: str) -> list[str]:
    """What it says until it says this, that line included."""
    assert process.stdout is not None
    said: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while words not in (said or [""])[-1]:
            said.append((await process.stdout.readline()).decode())
            assert said[-1], f"it ended without a word of {words!r}: {said}"
    return said


class Watcher:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.heard: list[dict[str, Any]] = []
        self.resident = 0

    async def until(self, so: Callable[[list[dict[str, Any]]], object]) -> list[dict[str, Any]]:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while not so(self.heard):
                line = await self._process.stdout.readline()
                assert line, "the watcher ended"
                told = json.loads(line)
                self.heard, self.resident = told["heard"], told["resident"]
        return self.heard

    async def sees(self, *names: str) -> list[dict[str, Any]]:
        """Exactly these."""
        return await self.until(lambda heard: [each["name"] for each in heard] == list(names))

    def make_table_on(self, name: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n".encode())


@asynccontextmanager
async def watcher(host: Host) -> AsyncIterator[Watcher]:
    async with on(host, "-m", "tests.lan.watcher") as process:
        yield Watcher(process)
