"""A client whose line is at one node plays at a table of another, and cannot tell; until one of them is gone."""

import itertools
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from diadem_server.lobby import codes, lobby
from diadem_shared import protocol
from diadem_shared.protocol import Bye, Pong
from tests.rig.shuffling import commit, open_it
from tests.rig.wire import Player
from tests.rig.wire_interference import without_chain
from tests.server import NUMBERS, code, done, gone, looks_on, seat_is
from tests.server.cluster.nodes import (
    Cluster,
    at,
    close_code,
    cluster,
    send,
    tables,
    until,
)

pytestmark = pytest.mark.usefixtures("numbers")


# As if it were here


async def test_a_table_of_another_node_is_played_at(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await done(bob, protocol.Join, table)
        await done(bob, protocol.Sit)
        await done(ana, protocol.Start)
        await bob.seen(lambda view: view.public["phase"] == "playing")
        await done(bob, protocol.Say, "hello")
        await ana.until(lambda: ana.chat or None)
        assert tables(made) == [{table}, set(), set()]
        assert code(await bob.ask(protocol.Join, "NONE")) == "no_such_table"
        assert isinstance(await bob.ask(protocol.Ping), Pong)


async def test_who_has_their_line_elsewhere_adds_to_the_shuffle_all_the_same(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        commitments = [await commit(ana), await commit(bob)]
        for player in (ana, bob):
            await done(player, protocol.Ready, ready=True)
        openings = [await open_it(ana), await open_it(bob)]
        for player in (ana, bob):
            await player.seen(lambda view: view.public["phase"] == "playing")
            assert player.events("sealed") == [{"type": "sealed", "commitments": commitments}]
            assert player.events("started") == [{"type": "started", "openings": openings}]


class Drawn:
    """Chance that is none: what it makes is the same each time."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def token_bytes(self, size: int) -> bytes:
        return next(self._numbers).to_bytes(size)

    def token_urlsafe(self, size: int) -> str:
        return f"token {next(self._numbers)} {'.' * size}"


async def _script(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await looks_on(bob, table)
    await done(bob, protocol.Sit)
    await ana.seen(seat_is(1))
    await done(bob, protocol.Ready, ready=True)
    await done(ana, protocol.Say, "hello")
    await done(bob, protocol.React, "wow")
    await done(ana, protocol.Start)
    for _ in range(4):
        for player in (ana, bob):
            await player.ask(protocol.Play, "guess 1")
            await player.ask(protocol.Play, "guess nothing")
            await player.ask(protocol.Check, {"a": "b"})
    await bob.ask(protocol.GetHistory)
    await bob.ask(protocol.Kick, "Ana")
    await bob.ask(protocol.Make, NUMBERS)
    assert bob.socket is not None
    await bob.socket.send(b"\xc1")
    await bob.socket.send("text")
    await bob.ask(protocol.Part)
    await bob.ask(protocol.Sit)
    await ana.seen(seat_is(1, present=False))


async def _frames(made: Cluster, node: int, patch: pytest.MonkeyPatch) -> list[list[bytes]]:
    patch.setattr(lobby, "secrets", Drawn())
    free = (f"TAB{number}" for number in range(10))
    patch.setattr(codes.Codes, "take", lambda *_, **__: next(free))
    async with at(made, Ana=1, Bob=node) as players:
        await _script(*players)
        return [[*map(without_chain, player.frames[1:])] for player in players]


async def test_frames_are_byte_for_byte_what_they_are_on_one_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the token, and the hash chain, which has in it how many milliseconds a move took."""
    seen = []
    for node in (1, 2):
        async with cluster(tmp_path / str(node)) as made:
            seen.append(await _frames(made, node, monkeypatch))
    alone, apart = seen
    assert apart == alone
    assert len(alone[1]) >= 30


# The end


async def test_a_client_that_goes_away_is_missed_at_its_table(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await ana.seen(seat_is(1, present=True))
        bob.cut()
        await ana.seen(seat_is(1, present=False))
        await bob.disconnect()
        bob.ids = itertools.count(100)
        await bob.connect()
        await done(bob, protocol.Join, table)
        await ana.seen(seat_is(1, present=True))


async def test_when_the_home_is_lost_the_line_is_closed_for_a_restart(made: Cluster) -> None:
    """And whoever comes again goes on, with the same commands."""
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        made.nodes[1].mesh.links[1].cut()
        assert await close_code(bob) == 1012
        await ana.seen(seat_is(1, present=False))
        await bob.disconnect()
        await made.linked()
        await bob.connect()
        await done(bob, protocol.Join, table)
        await ana.seen(seat_is(1, present=True))
        assert code(await bob.ask(protocol.Sit)) == "seated_already"


async def test_who_is_at_no_table_of_a_lost_node_notices_nothing(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        await done(bob, protocol.WatchLobby, on=True)
        made.nodes[1].mesh.links[1].cut()
        await made.linked()
        assert isinstance(await bob.ask(protocol.Ping), Pong)
        await ana.make(NUMBERS)
        await bob.until(lambda: bob.lobby if bob.lobby and bob.lobby.tables else None)


async def test_the_newest_connection_wins_wherever_it_comes(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        newer = Player(made.nodes[2].app.port, "Bob")
        newer.token, newer.ids = bob.token, itertools.count(100)
        await newer.connect()
        bye = await bob.until(lambda: next((m for m in bob.messages if isinstance(m, Bye)), None))
        assert code(bye) == "replaced"
        await done(newer, protocol.Join, table)
        await newer.seen(lambda view: view.seat == 1)
        await ana.seen(seat_is(1, present=True))
        await newer.disconnect()


async def test_a_connection_that_was_replaced_on_its_way_goes_nowhere(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        registry = made.nodes[1].registry
        number_of = registry.number_of
        registry.number_of = lambda session: number_of(session) - 1  # type: ignore[method-assign]
        await send(bob, protocol.Join(1, table))
        bye = await bob.until(lambda: next((m for m in bob.messages if isinstance(m, Bye)), None))
        assert code(bye) == "replaced"
        assert await close_code(bob) == 1001


async def test_who_is_sent_away_by_the_maker_stays_connected(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        await looks_on(bob, await ana.make(NUMBERS))
        await done(ana, protocol.Kick, "Bob")
        assert await gone(bob) == "removed"
        own = await bob.make(NUMBERS)
        assert tables(made)[1] == {own}


async def test_a_flood_is_sent_away_from_another_node_too(tmp_path: Path) -> None:
    async with (
        cluster(tmp_path, commands_a_second=10.0, burst=30) as made,
        at(made, Ana=1, Bob=2) as (ana, bob),
    ):
        await looks_on(bob, await ana.make(NUMBERS))
        with suppress(ConnectionClosed):
            await send(bob, *[protocol.Ping(1)] * 10_000)
        bye = await bob.until(lambda: next((m for m in bob.messages if isinstance(m, Bye)), None))
        assert code(bye) == "too_fast"
        assert isinstance(await ana.ask(protocol.Ping), Pong)


async def test_nothing_is_left_of_conversations_that_are_over(made: Cluster) -> None:
    sessions = [each.app.lobby.sessions for each in made.nodes]
    async with at(made, Ana=1, Bob=2, Cem=3) as (ana, bob, cem):
        table, other = await ana.make(NUMBERS), await bob.make(NUMBERS)
        for player in (bob, cem):
            await done(player, protocol.Join, table)
            await done(player, protocol.Join, other)
    await until(lambda: not any(each.outbox for known in sessions for each in known))
    assert not made.registry.is_anybody_here
    for node in made.nodes:
        assert node.app.lobby.metrics.connections == 0
        assert not node.conversations.channels.held
        assert not node.conversations.forwarding.forwarded
