"""Attackers that send all that is taken."""

import asyncio
import time
from dataclasses import dataclass


@dataclass
class Outcome:
    """The outcome of an attack."""

    was_cut: bool
    sent: int
    """Bytes that the gate took before login, packets that it may have taken after it."""
    seconds: float


async def pour(host: str, port: int, seconds: float, first: bytes, again: bytes) -> Outcome:
    """Send all that is taken, and read nothing."""
    begun = time.monotonic()
    sent = 0
    try:
        async with asyncio.timeout(seconds):
            _reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(first)
                while True:
                    writer.write(again)
                    sent += len(again)
                    await writer.drain()
                    sent -= writer.transport.get_write_buffer_size()
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Outcome(was_cut=False, sent=sent, seconds=seconds)
    except OSError:
        return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)
