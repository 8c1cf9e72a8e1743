"""Attackers of the web gate, over plain TCP: before the websocket is open, before hello, and as a player.

By itself: `python -m tests.web.attackers NAME[,NAME...] HOST PORT SECONDS`.
"""

import asyncio
import json
import os
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from websockets.frames import Frame, Opcode

from tests.rig.attacking import Attack, Outcome, Target, attack_alone, pour

CHUNK = 1 << 16
GOES_ON = 1.0
"""Seconds for which whoever comes again and again does so, cut or not."""
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def frame(payload: bytes, opcode: Opcode = Opcode.BINARY, *, fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin=fin).serialize(mask=True)


def much(piece: bytes) -> bytes:
    return piece * max(1, CHUNK // len(piece))


def handshake(port: int, cookie: str = "") -> bytes:
    """As the page of a browser begins; of a new one each time, if it brings no cookie."""
    return (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Cookie: diadem={cookie or secrets.token_urlsafe(32)}\r\n\r\n"
    ).encode()


def hello(name: str = "eve", **given: object) -> bytes:
    said = {"v": 1, "name": name, "size": [80, 24]} | given
    return frame(json.dumps(said).encode(), Opcode.TEXT)


# Before the websocket is open


async def garbage(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, b"", os.urandom(CHUNK))


async def endless_line(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, b"GET /", b"x" * CHUNK)


async def endless_header(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, GET + b"Cookie: ", b"x" * CHUNK)


async def endless_headers(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, GET, much(b"Cookie: diadem=x\r\n"))


async def body_without_end(target: Target, seconds: float) -> Outcome:
    said = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n"
    return await pour(target, seconds, said, b"x" * CHUNK)


async def requests_in_a_row(target: Target, seconds: float) -> Outcome:
    """One answer a connection is all that there is."""
    return await pour(target, seconds, b"", much(GET + b"\r\n"))


async def pages(target: Target, seconds: float) -> Outcome:
    """The page again and again, each time over a connection of its own."""

    async def fetch() -> None:
        reader, writer = await target.dial()
        try:
            writer.write(GET + b"\r\n")
            await reader.read()
        finally:
            writer.transport.abort()

    return await again_and_again(fetch, seconds)


async def pages_unread(target: Target, seconds: float) -> Outcome:
    """The page's largest file, of which nothing is read."""

    async def fetch() -> None:
        _, writer = await target.dial(limit=1)
        kept.append(writer)
        writer.write(GET.replace(b"GET / ", b"GET /page.mjs ") + b"\r\n")
        await writer.drain()

    kept: list[asyncio.StreamWriter] = []
    try:
        return await again_and_again(fetch, seconds)
    finally:
        for writer in kept:
            writer.transport.abort()


async def idle_sockets(target: Target, seconds: float) -> Outcome:
    """A thousand that say nothing."""
    return await _idle(target, seconds, b"")


async def again_and_again(does: Callable[[], Awaitable[None]], seconds: float) -> Outcome:
    """Whoever does it too often is reset, which is how it is cut. It goes on for some seconds all the same."""
    begun = time.monotonic()
    done = cut = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not cut or time.monotonic() - begun < GOES_ON:
                try:
                    await does()
                    done += 1
                except OSError:
                    cut += 1
                await asyncio.sleep(0.001)
    return Outcome(was_cut=cut > 0, sent=done, seconds=time.monotonic() - begun)


async def _idle(target: Target, seconds: float, first: bytes) -> Outcome:
    kept: list[asyncio.StreamWriter] = []

    async def come() -> None:
        reader, writer = await target.dial()
        kept.append(writer)
        if first:
            writer.write(first)
            await writer.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.02):
                if not await reader.read(1):
                    raise ConnectionResetError

    try:
        return await again_and_again(come, seconds)
    finally:
        for writer in kept:
            writer.transport.abort()


# Before hello


async def idle_windows(target: Target, seconds: float) -> Outcome:
    """Websockets of which nothing comes."""
    return await _idle(target, seconds, handshake(target.port))


async def rubbish(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, handshake(target.port), much(frame(b"{", Opcode.TEXT)))


async def fragments(target: Target, seconds: float) -> Outcome:
    """A message of ever more pieces."""
    first = handshake(target.port) + frame(b"{", Opcode.TEXT, fin=False)
    return await pour(target, seconds, first, much(frame(b" ", Opcode.CONT, fin=False)))


# As a player


async def _as_player(target: Target, seconds: float, again: bytes) -> Outcome:
    return await pour(target, seconds, handshake(target.port) + hello(), again)


async def keys(target: Target, seconds: float) -> Outcome:
    """A message for each key, faster than anybody can type."""
    return await _as_player(target, seconds, much(frame(b"?") + frame(b"\x1b")))


async def pings(target: Target, seconds: float) -> Outcome:
    return await _as_player(target, seconds, much(frame(b"", Opcode.PING)))


async def sizes(target: Target, seconds: float) -> Outcome:
    wide, narrow = (frame(b'{"size":[%d,40]}' % size, Opcode.TEXT) for size in (300, 80))
    return await _as_player(target, seconds, much(wide + narrow))


async def empty(target: Target, seconds: float) -> Outcome:
    return await _as_player(target, seconds, much(frame(b"")))


async def paste(target: Target, seconds: float) -> Outcome:
    """Megabytes of a paste that never ends."""
    first = handshake(target.port) + hello() + frame(b"\x1b[200~")
    return await pour(target, seconds, first, frame(b"diadem " * 2000))


async def unended_osc(target: Target, seconds: float) -> Outcome:
    first = handshake(target.port) + hello() + frame(b"\x1b]52;c;")
    return await pour(target, seconds, first, frame(b"x" * 8000))


async def mouse(target: Target, seconds: float) -> Outcome:
    """A finger that is everywhere at once."""
    report = b"".join(b"\x1b[<35;%d;%dM" % (1 + at % 80, 1 + at % 24) for at in range(800))
    return await _as_player(target, seconds, frame(report))


async def reads_nothing(target: Target, seconds: float) -> Outcome:
    """Has help opened and closed, painted each time, and takes nothing of it."""
    begun = time.monotonic()
    _, writer = await target.dial(limit=1)
    try:
        async with asyncio.timeout(seconds):
            writer.write(handshake(target.port) + hello(size=[300, 120]))
            while True:
                writer.write(frame(b"?") + frame(b"\x1b"))
                await writer.drain()
                await asyncio.sleep(0.05)
    except TimeoutError:
        return Outcome(was_cut=False, sent=0, seconds=seconds)
    except OSError:
        return Outcome(was_cut=True, sent=0, seconds=time.monotonic() - begun)
    finally:
        writer.transport.abort()


async def reloads(target: Target, seconds: float) -> Outcome:
    """A client for each reload, as fast as pages can be reloaded."""
    return await _comes_back(target, seconds, resume=False)


async def resumes(target: Target, seconds: float) -> Outcome:
    """A line that breaks all the time, each time painted anew."""
    return await _comes_back(target, seconds, resume=True)


async def guesses(target: Target, seconds: float) -> Outcome:
    """The codes of other people's tables, each in a window of a new browser."""

    async def guess() -> None:
        await _look_in(
            target, handshake(target.port) + hello(table=f"{random.getrandbits(40):08X}")
        )

    return await again_and_again(guess, seconds)


async def _comes_back(target: Target, seconds: float, *, resume: bool) -> Outcome:
    cookie = secrets.token_urlsafe(32)

    async def come() -> None:
        await _look_in(target, handshake(target.port, cookie) + hello(resume=resume))

    return await again_and_again(come, seconds)


async def _look_in(target: Target, said: bytes) -> None:
    reader, writer = await target.dial()
    try:
        writer.write(said)
        heard = b""
        while b'"server"' not in heard:
            if not (some := await reader.read(CHUNK)):
                raise ConnectionResetError
            heard += some
    finally:
        writer.transport.abort()


BEFORE_HELLO: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        garbage,
        endless_line,
        endless_header,
        endless_headers,
        body_without_end,
        requests_in_a_row,
        pages,
        pages_unread,
        idle_sockets,
        idle_windows,
        rubbish,
        fragments,
    )
}
AS_PLAYER: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        keys,
        pings,
        sizes,
        empty,
        paste,
        unended_osc,
        mouse,
        reads_nothing,
        reloads,
        resumes,
        guesses,
    )
}
ATTACKS = BEFORE_HELLO | AS_PLAYER


def main() -> None:
    attack_alone(ATTACKS)


if __name__ == "__main__":
    main()
