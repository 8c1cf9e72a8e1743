"""Browses for servers, and prints a line of JSON for each change.

    python -m tests.lan.watcher

A line on standard input that names a server makes a table there, and keeps it.
"""

import asyncio
import json
import resource
import sys
from functools import partial
from pathlib import Path

import msgspec

from diadem_client.net.client import Client
from diadem_client.net.discovery import DiscoveredServer, ServerBrowser
from diadem_client.net.session import ClientSession
from diadem_shared import protocol
from diadem_shared.entries import Setup


def tell(heard: tuple[DiscoveredServer, ...]) -> None:
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    told = {"heard": [msgspec.to_builtins(each) for each in heard], "resident": resident}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def _note(changed: asyncio.Event, _: object) -> None:
    changed.set()


async def main() -> None:
    heard: tuple[DiscoveredServer, ...] = ()

    def hear(now: tuple[DiscoveredServer, ...]) -> None:
        nonlocal heard
        heard = now
        tell(now)

    clients: list[asyncio.Task[None]] = []
    looking = asyncio.create_task(ServerBrowser(hear).run())
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        address = next(each.address for each in heard if each.name == line)
        changed = asyncio.Event()
        session = ClientSession("Ana", version="test", first_id=1)
        client = Client(address, session, partial(_note, changed))
        clients.append(asyncio.create_task(client.run()))
        while not client.is_connected:
            await changed.wait()
            changed.clear()
        await client.ask(protocol.Make, Setup("diamoniak"))
    looking.cancel()
    await asyncio.wait({looking})
    for each in clients:
        each.cancel()


if __name__ == "__main__":
    asyncio.run(main())
