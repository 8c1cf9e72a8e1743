"""What is measured, each in a process of its own: a server, or the yardstick.

    python -m tests.bench._serving diadem DIRECTORY
    python -m tests.bench._serving bare VIEW_BYTES

prints a port, and ends when its input does.
"""

import asyncio
import logging
import sys
import time
from collections import defaultdict
from pathlib import Path

from websockets.asyncio.server import ServerConnection, broadcast, serve

from diadem.protocol import Accepted, pack
from diadem_server.app import App, keep_room_for_reads
from diadem_server.config import Config
from diadem_server.garbage import collect_seldom
from diadem_server.net.entrance import BACKLOG

PLENTY = 100_000


async def diadem(folder: str) -> None:
    config = Config(
        data=Path(folder),
        host="127.0.0.1",
        port=0,
        max_tables=PLENTY,
        max_tables_per_address=PLENTY,
        tables_a_minute=PLENTY,
        max_connections=PLENTY,
        max_per_address=PLENTY,
        connections_a_second=PLENTY,
        commands_a_second=PLENTY,
        burst=PLENTY,
    )
    started = time.perf_counter()
    async with App(config) as app:
        collect_seldom()
        print(app.port, time.perf_counter() - started, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def bare(size: str) -> None:
    """Sends an answer, and a ready-made view to everybody at the table, for whatever comes."""
    keep_room_for_reads()
    view, answer = b"v" * int(size), pack(Accepted(1_000, 1_000))
    tables: defaultdict[str, set[ServerConnection]] = defaultdict(set)

    async def handle(websocket: ServerConnection) -> None:
        assert websocket.request is not None
        table = tables[websocket.request.path]
        table.add(websocket)
        async for frame in websocket:
            broadcast([websocket], answer)
            if frame:
                broadcast(table, view)
        table.discard(websocket)

    async with serve(handle, "127.0.0.1", 0, compression=None, backlog=BACKLOG) as server:
        print(server.sockets[0].getsockname()[1], 0, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    loop, what, given = sys.argv[1:]
    run = asyncio.run
    if loop == "uvloop":
        import uvloop

        run = uvloop.run
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # clients hang up without a word
    run({"diadem": diadem, "bare": bare}[what](given))
