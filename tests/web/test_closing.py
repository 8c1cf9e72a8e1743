"""How a websocket ends that says what it should not, or nothing; and what its page is told."""

import asyncio
import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from tests.rig.gates import until
from tests.web.rig import get, hello, host, new_cookie, socket, window

NO_HELLO = ("", "{}", "[1]", b"\x11", hello(v=2), hello(size=[1]))
NO_SIZE = ("", "{}", '{"size": [80]}')


async def test_what_is_no_hello_is_answered_with_a_code_and_spawns_nothing(tmp_path: Path) -> None:
    codes = {}
    async with host(tmp_path) as at:
        for said in NO_HELLO:
            async with await socket(at.port, await new_cookie(at.port)) as line:
                await line.send(said)
                with pytest.raises(ConnectionClosed):
                    await line.recv()
                codes[said] = line.close_code
        assert not at.clients
    assert codes == dict.fromkeys(NO_HELLO, 4002)


async def test_who_says_nothing_is_sent_away(tmp_path: Path) -> None:
    async with (
        host(tmp_path, hello_seconds=0.1) as at,
        await socket(at.port, await new_cookie(at.port)) as line,
    ):
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert line.close_code == 4002


async def test_what_is_no_size_ends_the_window_and_not_the_client(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        codes = {}
        for said in NO_SIZE:
            async with window(at.port, cookie=cookie, resume=True) as ana:
                await ana.reads("Diadem, as ana")
                (client,) = at.clients
                await ana.socket.send(said)
                codes[said] = await ana.closed()
        assert codes == dict.fromkeys(NO_SIZE, 4002)
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("Diadem, as ana")
            assert at.clients == [client]


async def test_a_browser_that_keeps_no_cookies_is_told_so(tmp_path: Path) -> None:
    async with host(tmp_path) as at, await socket(at.port, "diadem=short") as line:
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert line.close_code == 4003
        assert "cookies" in (line.close_reason or "")


async def test_a_message_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        await ana.socket.send(b"x" * 20_000)
        assert await ana.closed() == 1009


async def test_a_flood_of_messages_ends_the_window(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        with suppress(ConnectionClosed):
            while True:
                await ana.socket.send(json.dumps({"size": [80, 24]}))
        # What the gate has not read any more may reset the connection before its code is read.
        assert await ana.closed() in {4004, CloseCode.ABNORMAL_CLOSURE}


async def test_too_many_are_told_to_come_later(tmp_path: Path) -> None:
    async with host(tmp_path, most=1) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        async with window(at.port, "bob") as bob:
            assert await bob.closed() == 1013
        async with window(at.port, "cid") as cid:
            assert await cid.closed() == 1013
        assert len(at.clients) == 1


async def test_who_comes_too_often_is_told_to_come_later(tmp_path: Path) -> None:
    async with host(tmp_path, sessions_a_second=0.0, most_per_address=1) as at:
        cookie = await new_cookie(at.port)
        codes = []
        for _ in range(3):
            async with window(at.port, cookie=cookie) as ana:
                await until(lambda ana=ana: ana.bytes or ana.socket.close_code, "an answer")  # type: ignore[misc]
                codes.append(ana.socket.close_code)
                await ana.cut()
        assert 1013 in codes


async def test_a_client_that_dies_leaves_a_sentence_and_an_offer_to_come_again(
    tmp_path: Path,
) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        os.kill(at.clients[0], signal.SIGKILL)
        assert await ana.closed() == 1000
        assert b"\x1b[?1049l" in ana.bytes
        assert ana.text.endswith("Diadem had to stop. Please come again.\r\n")


async def test_when_the_fork_server_dies_the_page_comes_back_to_another(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as ana")
            os.kill(at.fork_servers[0], signal.SIGKILL)
            assert await ana.closed() == 1012
        async with window(at.port, cookie=cookie, resume=True) as ana:
            await ana.reads("Diadem, as ana")


async def test_a_page_is_had_while_others_say_nothing(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        silent = await asyncio.gather(*(socket(at.port, cookie) for _ in range(50)))
        assert (await get(at.port)).status == 200
        for line in silent:
            line.transport.abort()
