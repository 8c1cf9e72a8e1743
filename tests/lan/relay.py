"""A slow and lossy link: two interfaces, between which every frame is delayed or lost.

    python -m tests.lan.relay HERE THERE SECONDS LOSS

Says "ready" when both are there; ends with its standard input.
"""

import asyncio
import fcntl
import os
import random
import struct
import sys
from contextlib import suppress

TUNSETIFF = 0x400454CA
TAP_WITHOUT_HEADER = 0x0002 | 0x1000
LONGEST_FRAME = 2048


def tap(name: str) -> int:
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH22x", name.encode(), TAP_WITHOUT_HEADER))
    return handle


def write(handle: int, frame: bytes) -> None:
    with suppress(OSError):  # that end is down, and so the frame is lost
        os.write(handle, frame)


def carry(source: int, sink: int, seconds: float, loss: float, chance: random.Random) -> None:
    with suppress(OSError):
        frame = os.read(source, LONGEST_FRAME)
        if chance.random() >= loss:
            asyncio.get_running_loop().call_later(seconds, write, sink, frame)


async def main(here: str, there: str, seconds: float, loss: float) -> None:
    loop, chance = asyncio.get_running_loop(), random.Random(here)
    ends = tap(here), tap(there)
    for source, sink in (ends, ends[::-1]):
        loop.add_reader(source, carry, source, sink, seconds, loss, chance)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))
