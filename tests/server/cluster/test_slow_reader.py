"""A client that reads nothing, and whose conversation is held at another node, grows nothing and slows nobody."""

from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from typing import Any

import pytest

from diadem_server.net import outbox, websocket
from diadem_server.net.endpoint import ClientSocket
from diadem_server.net.outbox import Outbox
from diadem_shared import protocol
from diadem_shared.protocol import Pong, TableView
from tests.rig.wire import Player
from tests.server import NUMBERS, done, fill, looks_on, seat_is
from tests.server.cluster.nodes import Cluster, at

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("numbers", "chatter", "full_at_once")]


@pytest.fixture
def full_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the system does not take at once waits, and is replaced where it may be."""
    monkeypatch.setattr(websocket, "HIGH_WATER", 0)


@pytest.fixture
def fronts(made: Cluster, monkeypatch: pytest.MonkeyPatch) -> list[ClientSocket]:
    """Of conversations that went from the second node to another."""
    forwarding = made.nodes[1].conversations.forwarding
    forward, seen = forwarding.forward, list[ClientSocket]()

    def remember(front: ClientSocket, *given: Any) -> None:
        seen.append(front)
        forward(front, *given)

    monkeypatch.setattr(forwarding, "forward", remember)
    return seen


def outbox_at_home(made: Cluster, player: Player) -> Outbox | None:
    session = made.nodes[1].app.lobby.sessions.known(player.token)
    assert session is not None
    there = made.nodes[0].app.lobby.sessions.get(session.id)
    assert there is not None
    assert there.outbox is None or isinstance(there.outbox, Outbox)
    return there.outbox


async def stops_reading(made: Cluster, player: Player, front: ClientSocket, other: Player) -> None:
    """With little room in the system, which is filled, and then with what the other says."""
    assert player.socket is not None
    for transport, option in (
        (player.socket.transport, SO_RCVBUF),
        (front.websocket.transport, SO_SNDBUF),
    ):
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, option, 4096)
    player.socket.transport.pause_reading()
    await fill(front.websocket.transport, other)
    while (there := outbox_at_home(made, player)) is not None and not there.is_paused:
        await done(other, protocol.Say, "a" * 500)


async def test_views_replace_each_other_where_they_are_made(
    made: Cluster, fronts: list[ClientSocket]
) -> None:
    async with at(made, Ana=1, Bob=2, Cem=2) as (ana, bob, cem):
        table = await ana.make(NUMBERS)
        await looks_on(cem, table)
        await bob.join(table)
        await stops_reading(made, bob, fronts[-1], ana)
        before = len(bob.messages)
        for _ in range(20):
            await done(ana, protocol.Ready, ready=True)
            await done(ana, protocol.Ready, ready=False)
        await done(ana, protocol.Ready, ready=True)
        assert isinstance(await cem.ask(protocol.Ping), Pong)
        await cem.seen(seat_is(0, ready=True))
        assert bob.socket is not None
        bob.socket.transport.resume_reading()
        await bob.seen(seat_is(0, ready=True))
        views = [each for each in bob.messages[before:] if isinstance(each, TableView)]
        assert len(views) == 1, "one view waits, and never two"


async def test_what_waits_is_bounded_and_the_seat_is_kept(
    made: Cluster, fronts: list[ClientSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_WAITING", 64 * 1024)
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        await bob.join(await ana.make(NUMBERS))
        await stops_reading(made, bob, fronts[-1], ana)
        lines = 0
        while outbox_at_home(made, bob) is not None:
            await done(ana, protocol.Say, "a" * 500)
            lines += 1
        assert lines <= 3 * outbox.MOST_WAITING / 500
        await ana.seen(seat_is(1, present=False))
        bob.cut()
