"""A line that breaks: the same client is found again, with what was begun on it, if the player is back in time."""

import re
from pathlib import Path

from tests.rig.gates import command_of, until
from tests.web.rig import Window, hello, host, new_cookie, socket, window


async def begun(ana: Window) -> None:
    """A code that is typed and not sent: only the client knows of it."""
    await ana.reads("Diadem, as ana")
    await ana.press("c")
    await ana.reads("The code of the table")
    await ana.press("777")
    await ana.reads("777")


async def test_a_broken_line_finds_the_same_client_with_its_draft(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await begun(ana)
            (client,) = at.clients
            await ana.cut()
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("777")
            assert at.clients == [client]
            await ana.press("8")
            await ana.reads("7778")


async def test_a_line_that_nobody_knows_is_broken_is_taken_over(tmp_path: Path) -> None:
    """A phone is back before the gate can know that it was away."""
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as before:
            await begun(before)
            (client,) = at.clients
            async with window(at.port, cookie=cookie, resume=True) as ana:
                await ana.reads("777")
                assert await before.closed() == 4001
                assert at.clients == [client]


async def test_a_window_that_comes_back_is_painted_in_its_new_size(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as ana")
            await ana.cut()
        async with window(at.port, cookie=cookie, resume=True, size=[40, 10]) as ana:
            await ana.reads("this is 40x10.")


async def test_the_modes_that_a_client_sets_are_set_again(tmp_path: Path) -> None:
    """Some may have been lost with the line; what the client says at its start is the measure."""
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as ana")
            first = modes(ana.bytes)
            await ana.cut()
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("Diadem, as ana")
            assert modes(ana.bytes) == first


def modes(said: bytes) -> dict[bytes, bytes]:
    """Each mode, and whether it was last set or reset."""
    return dict(re.findall(rb"\x1b\[\?(\d+)([hl])", said))


async def test_after_the_grace_period_another_client_is_started(tmp_path: Path) -> None:
    async with host(tmp_path, grace_seconds=0.2) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await begun(ana)
            (client,) = at.clients
            await ana.cut()
        await until(lambda: not command_of(client), "the client to be gone")
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("Diadem, as ana")
            assert "777" not in ana.text


async def test_a_new_window_takes_over_with_a_client_of_its_own(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as before:
            await before.reads("Diadem, as ana")
            (client,) = at.clients
            async with window(at.port, cookie=cookie) as ana:
                assert await before.closed() == 4001
                await ana.reads("Diadem, as ana")
                await until(lambda: not command_of(client), "the first client to be gone")
                assert len(at.clients) == 1


async def test_nobody_else_finds_the_client(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        async with window(at.port) as ana:
            await begun(ana)
            await ana.cut()
        async with window(at.port, "bob", resume=True) as bob:
            await bob.reads("Diadem, as bob")
            assert "777" not in bob.text


async def test_a_client_that_nobody_looks_at_is_not_blocked(tmp_path: Path) -> None:
    """What it says is thrown away meanwhile."""
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with await socket(at.port, cookie) as line:
            await line.send(hello())
            await line.recv()
            line.transport.pause_reading()
            await line.send(b"?\x1b" * 4000)
            line.transport.abort()
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("Diadem, as ana")
