"""The Unix socket for clients that a gate runs: who may use it, whom they count for, and their tokens."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from diadem import protocol
from diadem.protocol import SUBPROTOCOL, Bye, Hello, Welcome
from diadem_server.app import App
from tests.rig.wire import Player

TOKEN = "follows-from-a-key-of-the-player"  # noqa: S105, it is nobody's


@pytest.fixture
async def path(app: App, tmp_path: Path) -> AsyncIterator[Path]:
    path = tmp_path / "socket"
    async with app.local_socket(path):
        yield path


async def hosted(path: Path, *from_: str) -> ClientConnection:
    return await unix_connect(
        str(path),
        "ws://diadem",
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers=[("X-Forwarded-For", each) for each in from_],
    )


async def greeted(line: ClientConnection, name: str, token: str | None = TOKEN) -> Welcome | Bye:
    await line.send(protocol.pack(Hello(name, "test", token=token)))
    answer = protocol.read_message(await line.recv(decode=False))
    assert isinstance(answer, Welcome | Bye)
    return answer


async def test_a_token_that_nobody_has_is_the_players_from_now_on(app: App, path: Path) -> None:
    async with await hosted(path) as line:
        first = await greeted(line, "Ana")
    async with await hosted(path) as line:
        again = await greeted(line, "Anna")
    assert isinstance(first, Welcome)
    assert isinstance(again, Welcome)
    assert first.token == again.token == TOKEN
    assert len(list(app.lobby.sessions)) == 1


async def test_nobody_chooses_a_token_over_the_open_port(app: App) -> None:
    stranger = Player(app.port, "Ana")
    stranger.token = TOKEN
    welcome = await stranger.connect()
    assert isinstance(welcome, Welcome)
    assert welcome.token != TOKEN
    assert app.lobby.sessions.known(TOKEN) is None
    await stranger.disconnect()


async def test_a_new_token_that_comes_twice_at_a_time_is_one_player(app: App, path: Path) -> None:
    lines = [await hosted(path) for _ in range(5)]
    answers = await asyncio.gather(*(greeted(line, "Ana") for line in lines))
    assert all(isinstance(answer, Welcome) for answer in answers)
    assert len(list(app.lobby.sessions)) == 1
    for line in lines:
        await line.close()


async def test_without_a_token_there_is_a_new_one(app: App, path: Path) -> None:
    async with await hosted(path) as line:
        welcome = await greeted(line, "Ana", None)
        assert isinstance(welcome, Welcome)
        assert app.lobby.sessions.known(welcome.token) is not None


@pytest.mark.parametrize(
    ("from_", "prefix"),
    [
        (["192.0.2.7"], "192.0.2.7"),
        (["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        (["198.51.100.1, 192.0.2.7"], "192.0.2.7"),
        ([], ""),
        (["nonsense"], ""),
    ],
)
async def test_a_player_counts_for_where_they_come_from(
    app: App, path: Path, from_: list[str], prefix: str
) -> None:
    async with await hosted(path, *from_) as line:
        await greeted(line, "Ana")
        (session,) = app.lobby.sessions
        assert session.prefix == prefix


async def test_another_user_is_not_let_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    with pytest.raises(InvalidStatus, match="403"):
        await hosted(path)
