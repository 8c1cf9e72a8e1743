"""A conversation goes from node to node, and nothing of it is lost or done twice."""

from functools import partial
from pathlib import Path

import pytest

from diadem_server.net.command_weights import weight
from diadem_server.net.connection import Connection
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Pong, Refused
from tests.server import NUMBERS, code, done, looks_on
from tests.server.cluster.nodes import (
    Cluster,
    answered,
    at,
    cluster,
    listed,
    send,
    tables,
    until,
)

pytestmark = pytest.mark.usefixtures("numbers")

MOST_PARKED = 16
"""Commands of a line that wait for a table: what two reads bring."""
RECEIVE = Connection.receive


# Where it is held


async def test_who_leaves_a_table_makes_the_next_one_where_their_line_is(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await looks_on(bob, table)
        await done(bob, protocol.Part)
        own = await bob.make(NUMBERS)
        assert tables(made) == [{table}, {own}, set()]
        await done(bob, protocol.Part)


async def test_a_conversation_goes_from_node_to_node(made: Cluster) -> None:
    """Each of its commands is answered once, and each view is of the table where it is."""
    async with at(made, Ana=1, Bob=2, Cem=3, Dee=2) as (ana, bob, cem, dee):
        three = [await each.make(NUMBERS) for each in (ana, bob, cem)]
        for _ in range(3):
            for table in three:
                await done(dee, protocol.Join, table)
                view = await dee.seen(lambda view: view.table == table)  # noqa: B023
                assert view.number
                assert isinstance(await dee.ask(protocol.Ping), Pong)
        await done(dee, protocol.Part)
        await done(dee, protocol.WatchLobby, on=True)
        await dee.until(lambda: listed(dee) == set(three) or None)
        ids = [each.id for each in dee.messages if isinstance(each, Accepted | Pong)]
        assert ids == sorted(set(ids))


async def test_what_is_sent_at_once_is_done_in_order_wherever_it_is_done(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await send(
            bob,
            protocol.Ping(1),
            protocol.Join(2, table),
            protocol.Sit(3),
            protocol.Say(4, "hello"),
            protocol.Stand(5),
            protocol.Part(6),
            protocol.Make(7, NUMBERS),
            protocol.Ping(8),
        )
        await bob.until(lambda: (answered(bob, 7) and answered(bob, 8)) or None)
        answers = [each for each in bob.messages if isinstance(each, Accepted | Pong)]
        assert sorted(each.id for each in answers) == list(range(1, 9))
        assert [len(each) for each in tables(made)] == [1, 1, 0]


async def test_what_was_answered_at_one_node_is_answered_alike_at_another(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        mine = protocol.Make(next(bob.ids), NUMBERS)
        first = await bob.ask_again(mine)
        await done(bob, protocol.Part)
        await done(bob, protocol.Join, table)
        sitting = protocol.Sit(next(bob.ids))
        seated = await bob.ask_again(sitting)
        assert await bob.ask_again(mine) == first
        assert await bob.ask_again(sitting) == seated
        await done(bob, protocol.Stand)
        await done(bob, protocol.Part)
        await bob.make(NUMBERS)
        assert await bob.ask_again(sitting) == seated
        assert code(await bob.ask_again(protocol.Say(sitting.id, "other"))) == "id_reused"


async def test_the_lobby_is_watched_wherever_one_is(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await done(bob, protocol.WatchLobby, on=True)
        await looks_on(bob, table)
        await ana.ask(protocol.Part)
        await done(ana, protocol.Make, NUMBERS)
        await bob.until(lambda: bob.lobby if len(bob.lobby.tables) == 2 else None)  # type: ignore[union-attr]


async def test_who_is_muted_stays_muted_on_the_way(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2, Cem=3) as (ana, bob, cem):
        table, other = await ana.make(NUMBERS), await bob.make(NUMBERS)
        await looks_on(cem, table)
        await done(cem, protocol.Mute, "Ana", on=True)
        await looks_on(cem, other)
        await looks_on(ana, other)
        await done(ana, protocol.Say, "unheard")
        await done(bob, protocol.Say, "heard")
        await cem.until(lambda: cem.chat or None)
        assert [said.text for said in cem.chat] == ["heard"]


async def test_haste_is_limited_across_nodes(tmp_path: Path) -> None:
    """A conversation does not win commands by moving."""
    async with (
        cluster(tmp_path, commands_a_second=0.0, burst=40) as made,
        at(made, Ana=1, Bob=2) as (ana, bob),
    ):
        table = await ana.make(NUMBERS)
        for _ in range(30):
            assert isinstance(await bob.ask(protocol.Ping), Pong)
        await done(bob, protocol.Join, table)
        for _ in range(40 - 30 - weight(protocol.Join(1, table))):
            assert isinstance(await bob.ask(protocol.Ping), Pong)
        assert code(await bob.ask(protocol.Ping)) == "too_fast"


# Going astray


async def test_a_node_that_does_not_have_the_table_hands_on(made: Cluster) -> None:
    async with at(made, Ana=3, Bob=1) as (ana, bob):
        table = await ana.make(NUMBERS)
        made.believed = {1: {table: 2}, 2: {table: 1}}
        await done(bob, protocol.Join, table)
        await bob.seen(lambda view: view.table == table)
        assert made.believed == {1: {}, 2: {}}, "both look again when asked next"


async def test_a_table_that_nobody_has_is_sought_three_times(
    made: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, node in enumerate(made.nodes, start=1):
        monkeypatch.setattr(node, "owner", partial(_somebody_else, number))
    async with at(made, Bob=1) as (bob,):
        assert code(await bob.ask(protocol.Join, "GONE")) == "journal_unavailable"
        assert isinstance(await bob.ask(protocol.Ping), Pong)


async def _somebody_else(number: int, _: str) -> int:
    return number % 3 + 1


async def test_where_nobody_knows_a_table_is_refused_for_now(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        made.is_away = True
        joining = protocol.Join(next(bob.ids), table)
        assert code(await bob.ask_again(joining)) == "journal_unavailable"
        made.is_away = False
        assert isinstance(await bob.ask_again(joining), Accepted)


async def test_an_unlinked_node_is_not_gone_to(made: Cluster) -> None:
    async with at(made, Ana=1, Bob=2) as (ana, bob):
        table = await ana.make(NUMBERS)
        await made.nodes[0].mesh.close()
        await until(lambda: 1 not in made.nodes[1].mesh.links)
        assert code(await bob.ask(protocol.Join, table)) == "journal_unavailable"
        assert isinstance(await bob.ask(protocol.Ping), Pong)


async def test_guessing_codes_is_throttled_all_the_same(made: Cluster) -> None:
    async with at(made, Bob=2) as (bob,):
        said = [code(await bob.ask(protocol.Join, f"NO{number}")) for number in range(20)]
        assert said[0] == "no_such_table"
        assert said[-1] == "too_fast"
        assert len(made.asked) == said.count("no_such_table"), "nor is anybody asked"


async def test_while_a_table_is_sought_everything_waits_and_nothing_is_lost(
    made: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[bytes | str]()

    def receive(connection: Connection, message: bytes | str) -> None:
        heard.append(message)
        RECEIVE(connection, message)

    async with at(made, Ana=1, Bob=2, Cem=2) as (ana, bob, cem):
        table = await ana.make(NUMBERS)
        made.may_look_up.clear()
        monkeypatch.setattr(Connection, "receive", receive)
        draws = [protocol.Play(number, "draw") for number in range(2, 60)]
        await send(bob, protocol.Join(1, table), *draws)
        assert isinstance(await cem.ask(protocol.Ping), Pong), "nobody else waits"
        assert not answered(bob, 1)
        assert len(heard) <= 1 + MOST_PARKED, "the rest is yet to be read"
        made.may_look_up.set()
        await bob.until(lambda: (answered(bob, 1) and answered(bob, 59)) or None)
        answers = [each.id for each in bob.messages if isinstance(each, Accepted | Refused)]
        assert answers == list(range(1, 60))
