"""A host that has many addresses, and opens a websocket from each in turn.

    python -m tests.lan.neighbours URL ADDRESS ...

All that are let in are held until its input ends. It prints a line of JSON: the status of each handshake.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from diadem_shared.protocol import SUBPROTOCOL


async def come(url: str, addresses: list[str]) -> None:
    statuses = []
    async with AsyncExitStack() as lines:
        for address in addresses:
            line = connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], local_addr=(address, 0))
            try:
                await lines.enter_async_context(line)
                statuses.append(101)
            except InvalidStatus as refused:
                statuses.append(refused.response.status_code)
        sys.stdout.write(json.dumps(statuses) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(come(sys.argv[1], sys.argv[2:]))
