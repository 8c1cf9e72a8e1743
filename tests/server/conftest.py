"""A small game to play, a server with players at it, and a clock that goes when it is told to."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.net import backpressure, websocket
from diadem_server.table import chat
from diadem_shared.games import GAMES
from tests.rig.wire import Player, server
from tests.sample_game import Numbers
from tests.server import CONNECTIONS, Calendar, Time, remember_connections


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    remember_connections(monkeypatch)
    yield
    CONNECTIONS.clear()


NEVER = 1e9


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    """The sample game among the real ones."""
    game = Numbers()
    monkeypatch.setitem(GAMES, game.name, game)
    return game


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def app(tmp_path: Path, numbers: Numbers, calendar: Calendar) -> AsyncIterator[App]:
    assert numbers.name in GAMES
    async with server(tmp_path, now=calendar) as app:
        yield app


@pytest.fixture
async def ana(app: App) -> AsyncIterator[Player]:
    async with Player(app.port, "Ana") as ana:
        yield ana


@pytest.fixture
async def bob(app: App) -> AsyncIterator[Player]:
    async with Player(app.port, "Bob") as bob:
        yield bob


@pytest.fixture
async def cem(app: App) -> AsyncIterator[Player]:
    async with Player(app.port, "Cem") as cem:
        yield cem


@pytest.fixture
def chatter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says too much; for tests whose frames are lines of chat, and for which it is asked first. Long lines are read
    one after the other, without the pause after each."""
    monkeypatch.setattr(backpressure, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(chat, "PERSON_AT_ONCE", 10**6)
    monkeypatch.setattr(chat, "TABLE_AT_ONCE", 10**6)


@pytest.fixture
async def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Of the loop; connections are not found dead when it leaps."""
    monkeypatch.setattr(websocket, "KEEPALIVE_SECONDS", NEVER)
    return Time(asyncio.get_running_loop(), monkeypatch)


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Of the loop."""
    return Time(asyncio.get_running_loop(), monkeypatch)
