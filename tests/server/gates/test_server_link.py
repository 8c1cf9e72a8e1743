"""A gate's link to its server: connections of players, and what is kept for them."""

import asyncio
import socket
from collections.abc import Iterator

import pytest

from diadem_server.gates import server_link
from diadem_server.gates.messages import Handed, KeepFile, PlayerFilesFound, WantFiles
from tests.rig.gate_links import Handover, handover
from tests.rig.gates import until

ANA, BOB = "a" * 32, "b" * 32


@pytest.fixture
def server() -> Iterator[Handover]:
    with handover() as made:
        yield made


async def test_a_connection_is_handed_over_with_whose_it_is(server: Handover) -> None:
    with await server.link.connection("192.0.2.7", "token") as ours:
        whose, theirs = server.take()
        with theirs:
            ours.sendall(b"hello")
            assert theirs.recv(5) == b"hello"
    assert whose == Handed("192.0.2.7", "token")


async def test_a_server_that_takes_none_is_waited_for_and_given_up(
    server: Handover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_link, "BETWEEN_TRIES", 0.0)
    opened = await filled(server)
    server.take()[1].close()
    opened.append(await server.link.connection("192.0.2.7", "token"))
    for each in opened:
        each.close()


async def filled(server: Handover) -> list[socket.socket]:
    """As many connections as are handed over while none is taken."""
    opened: list[socket.socket] = []
    for _ in range(10_000):
        try:
            opened.append(await server.link.connection("192.0.2.7", "token"))
        except TimeoutError:
            return opened
    raise AssertionError("there was room for every one")


async def test_files_of_each_player_are_asked_for_and_found(server: Handover) -> None:
    ana, bob = (asyncio.create_task(server.link.files(each)) for each in (ANA, BOB))
    await asyncio.sleep(0)
    assert server.told == [WantFiles(ANA), WantFiles(BOB)]
    server.link.found(PlayerFilesFound(BOB, {}))
    server.link.found(PlayerFilesFound(ANA, {"client.json": b"{}"}))
    assert await ana == {"client.json": b"{}"}
    assert await bob == {}


async def test_a_question_that_was_lost_is_asked_again(
    server: Handover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_link, "AGAIN_SECONDS", 0.0)
    ana = asyncio.create_task(server.link.files(ANA))
    await until(lambda: len(server.told) > 1, "it to be asked for again")
    server.link.found(PlayerFilesFound(ANA, {}))
    assert await ana == {}


def test_the_server_is_told_what_to_keep(server: Handover) -> None:
    server.link.keep(ANA, "client.json", b"{}")
    assert server.told == [KeepFile(ANA, "client.json", b"{}")]
