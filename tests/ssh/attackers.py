"""Attackers of the ssh port: before login on plain TCP, after it with asyncssh's client.

By itself: `python -m tests.ssh.attackers NAME[,NAME...] HOST PORT SECONDS`.
"""

import asyncio
import os
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeAlias

import asyncssh
from asyncssh.constants import MSG_CHANNEL_REQUEST, MSG_GLOBAL_REQUEST, MSG_IGNORE
from asyncssh.packet import Boolean, String, UInt32

from tests.rig import faults
from tests.rig.attacking import Attack, Outcome, Target, attack_alone, pour

VERSION = b"SSH-2.0-OpenSSH_9.9\r\n"
CHUNK = 1 << 16
WORDS = b"x" * 64
FIRST_CHANNEL = 0
"""As the gate numbers those of one connection."""


def packet(payload: bytes) -> bytes:
    """As it is sent before keys are agreed on."""
    padding = 8 - (len(payload) + 5) % 8
    padding += 8 if padding < 4 else 0
    length = struct.pack("!IB", 1 + len(payload) + padding, padding)
    return length + payload + bytes(padding)


# Before login


async def ignore_before_login(target: Target, seconds: float) -> Outcome:
    """Packets that say nothing, in plain text: nobody has to be anybody to send them."""
    return await pour(target, seconds, VERSION, 1000 * packet(b"\x02" + bytes(4)))


async def endless_version(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, b"SSH-2.0-", b"x" * CHUNK)


async def endless_lines(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, b"", b"hello\r\n" * 1000)


async def garbage(target: Target, seconds: float) -> Outcome:
    return await pour(target, seconds, VERSION, os.urandom(CHUNK))


async def huge_packet(target: Target, seconds: float) -> Outcome:
    """One packet that is said to be as large as may be, and never ends."""
    return await pour(target, seconds, VERSION + struct.pack("!I", 33_000), b"x" * CHUNK)


async def slow_version(target: Target, seconds: float) -> Outcome:
    """A byte now and then, so as never to be silent."""
    begun = time.monotonic()
    reader, writer = await target.dial()
    sent = 0
    try:
        async with asyncio.timeout(seconds):
            ended = asyncio.create_task(reader.read(-1))
            while not ended.done():
                writer.write(b"x")
                sent += 1
                await asyncio.wait([ended], timeout=0.1)
    except TimeoutError:
        return Outcome(was_cut=False, sent=sent, seconds=seconds)
    finally:
        writer.transport.abort()
        await asyncio.wait([ended])
        ended.exception()
    return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)


# After login


class _Mute(asyncssh.SSHClient):
    """Answers when it is asked nothing, and so comes in as a guest."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, *_: object) -> list[str]:
        return []


class AttackConnection(NamedTuple):
    ssh: asyncssh.SSHClientConnection
    through: faults.ProxiedConnection
    """What its bytes go through: a client of asyncssh does not tell how many of them wait to leave."""


@asynccontextmanager
async def _logged_in(
    target: Target, *, rekey_bytes: int = 1 << 40
) -> AsyncIterator[AttackConnection]:
    async with faults.proxy(target.port, target.host, target.source) as between:
        line = await asyncssh.connect(
            "127.0.0.1",
            between.port,
            username=f"m{target.source}",
            client_factory=_Mute,
            known_hosts=None,
            config=None,
            agent_path=None,
            client_keys=[],
            rekey_bytes=rekey_bytes,
        )
        try:
            yield AttackConnection(line, between.line)
        finally:
            line.abort()
            await line.wait_closed()


Step: TypeAlias = Callable[[], Awaitable[None] | None]


async def _repeat(line: AttackConnection, seconds: float, step: Step) -> Outcome:
    """Take the step again and again, as fast as its bytes leave."""
    begun = time.monotonic()
    sent = 0
    while not line.ssh.is_closed():
        if time.monotonic() - begun > seconds:
            return Outcome(was_cut=False, sent=sent, seconds=seconds)
        if line.through.up.is_blocked:
            await asyncio.sleep(0.01)
        else:
            try:
                if (taken := step()) is not None:
                    async with asyncio.timeout(seconds):
                        await taken
            except (asyncssh.Error, OSError):
                await asyncio.sleep(0.01)
            sent += 1
            await asyncio.sleep(0)
    return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)


@asynccontextmanager
async def _playing(
    line: AttackConnection,
) -> AsyncIterator[asyncssh.SSHClientProcess[bytes]]:
    process: asyncssh.SSHClientProcess[bytes] = await line.ssh.create_process(
        term_type="xterm", term_size=(80, 24), encoding=None
    )
    reading = asyncio.create_task(_read(process))
    try:
        yield process
    finally:
        reading.cancel()
        process.close()


async def _read(process: asyncssh.SSHClientProcess[bytes]) -> None:
    while await process.stdout.read(CHUNK):
        pass


async def ignore_after_login(target: Target, seconds: float) -> Outcome:
    async with _logged_in(target) as line, _playing(line):
        return await _repeat(line, seconds, lambda: line.ssh.send_packet(MSG_IGNORE, String(b"")))


async def key_exchanges(target: Target, seconds: float) -> Outcome:
    """One key exchange after another: after each the next packet asks for another."""
    async with _logged_in(target, rekey_bytes=1) as line, _playing(line):
        return await _repeat(line, seconds, lambda: line.ssh.send_packet(MSG_IGNORE, String(b"")))


async def global_requests(target: Target, seconds: float) -> Outcome:
    """Requests whose answers nobody reads."""
    async with _logged_in(target) as line, _playing(line):
        line.through.down.hold()
        request = String(b"nonsense"), Boolean(True)  # noqa: FBT003
        return await _repeat(
            line, seconds, lambda: line.ssh.send_packet(MSG_GLOBAL_REQUEST, *request)
        )


async def global_requests_and_away(target: Target, seconds: float) -> Outcome:
    """As many requests as a connection takes at once, then an abort; again and again."""
    begun = time.monotonic()
    sent = 0
    request = String(b"nonsense"), Boolean(True)  # noqa: FBT003
    while time.monotonic() - begun < seconds:
        try:
            async with _logged_in(target) as line:
                for _ in range(1000):
                    line.ssh.send_packet(MSG_GLOBAL_REQUEST, *request)
                sent += 1000
        except (OSError, asyncssh.Error):
            return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)
    return Outcome(was_cut=False, sent=sent, seconds=seconds)


async def window_changes(target: Target, seconds: float) -> Outcome:
    async with _logged_in(target) as line, _playing(line) as process:
        sizes = iter(range(10**9))
        return await _repeat(
            line, seconds, lambda: process.change_terminal_size(80 + next(sizes) % 100, 24)
        )


async def channel_opens(target: Target, seconds: float) -> Outcome:
    """Session after session, each begun and left."""
    async with _logged_in(target) as line:

        async def open_and_leave() -> None:
            process: asyncssh.SSHClientProcess[bytes] = await line.ssh.create_process(
                term_type="xterm", term_size=(80, 24), encoding=None
            )
            process.close()

        return await _repeat(line, seconds, open_and_leave)


async def variables(target: Target, seconds: float) -> Outcome:
    """Environment variables for a session that is never begun, and for one that is."""
    async with _logged_in(target) as line, _playing(line):
        numbers = iter(range(10**9))

        def send() -> None:
            name = b"LC_%d" % next(numbers)
            line.ssh.send_packet(
                MSG_CHANNEL_REQUEST,
                UInt32(FIRST_CHANNEL),
                String(b"env"),
                Boolean(False),  # noqa: FBT003
                String(name),
                String(b"x"),
            )

        return await _repeat(line, seconds, send)


async def _type(target: Target, seconds: float, first: bytes, again: bytes) -> Outcome:
    begun = time.monotonic()
    sent = 0
    async with _logged_in(target) as line, _playing(line) as process:
        try:
            async with asyncio.timeout(seconds):
                process.stdin.write(first)
                while True:
                    process.stdin.write(again)
                    await process.stdin.drain()
                    sent += len(again)
        except TimeoutError:
            return Outcome(was_cut=False, sent=sent, seconds=seconds)
        except (OSError, asyncssh.Error):
            return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)


async def unended_osc(target: Target, seconds: float) -> Outcome:
    return await _type(target, seconds, b"\x1b]52;c;", WORDS)


async def unended_csi(target: Target, seconds: float) -> Outcome:
    return await _type(target, seconds, b"\x1b[", b"1;" * 32)


async def unended_paste(target: Target, seconds: float) -> Outcome:
    return await _type(target, seconds, b"\x1b[200~", WORDS)


async def typing(target: Target, seconds: float) -> Outcome:
    return await _type(target, seconds, b"", b"m\x1b" * 32)


BEFORE_LOGIN: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        ignore_before_login,
        endless_version,
        endless_lines,
        garbage,
        huge_packet,
        slow_version,
    )
}
AFTER_LOGIN: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        ignore_after_login,
        key_exchanges,
        global_requests,
        global_requests_and_away,
        window_changes,
        channel_opens,
        variables,
        unended_osc,
        unended_csi,
        unended_paste,
        typing,
    )
}
ATTACKS = BEFORE_LOGIN | AFTER_LOGIN


def main() -> None:
    attack_alone(ATTACKS)


if __name__ == "__main__":
    main()
