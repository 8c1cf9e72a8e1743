"""Connections that a gate hands over for the clients it runs: whom they count for, and whose they are."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.net.endpoint import Endpoint
from diadem_server.sessions.passwords import FREE_GUESSES
from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Bye, Hello, Welcome
from tests.rig.gates import until
from tests.rig.wire import Player, server
from tests.server import code

TOKEN = "follows-from-a-key-of-the-player"  # noqa: S105, it is nobody's


@pytest.fixture
async def endpoint(app: App) -> AsyncIterator[Endpoint]:
    endpoint = app.hosted_endpoint()
    yield endpoint
    await endpoint.close()


async def hosted(
    endpoint: Endpoint, address: str = "", token: str = TOKEN, *claimed: str
) -> ClientConnection:
    """A connection of the player at this address, who claims to be at another."""
    ours, theirs = socket.socketpair()
    endpoint.take(theirs, address, token)
    return await unix_connect(
        uri="ws://diadem",
        sock=ours,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers=[("X-Forwarded-For", each) for each in claimed],
    )


async def greeted(
    line: ClientConnection, name: str, token: str | None = TOKEN, password: str | None = None
) -> Welcome | Bye:
    await line.send(protocol.pack(Hello(name, "test", token=token, password=password)))
    answer = protocol.read_message(await line.recv(decode=False))
    assert isinstance(answer, Welcome | Bye)
    return answer


async def test_a_token_that_nobody_has_is_the_players_from_now_on(
    app: App, endpoint: Endpoint
) -> None:
    async with await hosted(endpoint) as line:
        first = await greeted(line, "Ana")
    async with await hosted(endpoint) as line:
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


async def test_a_new_token_that_comes_twice_at_a_time_is_one_player(
    app: App, endpoint: Endpoint
) -> None:
    lines = [await hosted(endpoint) for _ in range(5)]
    answers = await asyncio.gather(*(greeted(line, "Ana") for line in lines))
    assert all(isinstance(answer, Welcome) for answer in answers)
    assert len(list(app.lobby.sessions)) == 1
    for line in lines:
        await line.close()


async def test_whatever_token_is_said_the_player_is_whom_the_gate_knows(
    app: App, endpoint: Endpoint
) -> None:
    async with Player(app.port, "Bob") as bob, await hosted(endpoint) as line:
        welcome = await greeted(line, "Ana", bob.token)
        assert isinstance(welcome, Welcome)
        assert (welcome.name, welcome.token) == ("Ana", TOKEN)
        assert len(list(app.lobby.sessions)) == 2


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
async def test_a_player_counts_for_where_the_gate_says_they_are(
    app: App, endpoint: Endpoint, address: str, prefix: str
) -> None:
    async with await hosted(endpoint, address, TOKEN, "198.51.100.1") as line:
        await greeted(line, "Ana")
        (session,) = app.lobby.sessions
        assert session.prefix == prefix


async def test_guesses_of_the_password_count_for_the_player_whatever_they_claim(
    tmp_path: Path,
) -> None:
    async with server(tmp_path, password="sesame") as app:  # noqa: S106
        endpoint = app.hosted_endpoint()
        answers = []
        for number in range(FREE_GUESSES + 2):
            claimed = f"198.51.100.{number}"
            async with await hosted(endpoint, "192.0.2.7", TOKEN, claimed) as line:
                answers.append(await greeted(line, "Ana", f"token {number}", "simsim"))
        await endpoint.close()
    assert isinstance(answers[-1], Bye)
    assert code(answers[-1]) == "too_many_guesses"


async def test_what_is_no_connection_is_closed_and_said(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    datagrams, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with other:
        endpoint.take(datagrams, "192.0.2.7", TOKEN)
        await until(lambda: "is no connection" in caplog.text, "it to be said")
    assert datagrams.fileno() == -1
