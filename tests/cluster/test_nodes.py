"""Servers over one database are one Diadem: whatever becomes of one of them, its tables go on at another."""

import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace
from websockets.frames import CloseCode

from diadem_server.cluster import ownership
from diadem_server.cluster.node import Node
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statements import LINK
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.cluster.nodes import (
    CASTLES,
    MOVES,
    SENT_AWAY,
    closed_with,
    come_back,
    fence,
    joined,
    owners,
    play,
    process,
    running,
)
from tests.cluster.postgres import until
from tests.patience import PATIENCE
from tests.rig.wire import Player, play_to_the_end
from tests.sample_game import Numbers
from tests.server import NUMBERS, code, done, guess_wrong, started

pytestmark = pytest.mark.usefixtures("quick", "numbers")

SPOILED = "UPDATE entries SET entry = 'no entry' WHERE code = $1 AND number = 1"


# Who has which table


async def test_each_node_has_the_tables_that_were_made_there(
    database: str, both: tuple[Node, Node]
) -> None:
    first, second = both
    async with Player(first.app.port, "Ana") as ana, Player(second.app.port, "Bob") as bob:
        of_ana, of_bob = await started(ana), await started(bob)
        here, there = first.journal.node, second.journal.node
        assert await owners(database) == {of_ana: here, of_bob: there}
        for each in both:
            assert await each.ownership.owner(of_ana) == here
            assert await each.ownership.owner(of_bob) == there
            assert await each.ownership.owner("NONE") is None
        assert list(first.lobby.tables) == [of_ana]


async def test_a_name_is_taken_on_all_nodes(both: tuple[Node, Node]) -> None:
    first, second = both
    async with Player(first.app.port, "Ana"):
        assert code(await Player(second.app.port, "Ana").connect()) == "name_in_use"


async def test_a_player_who_sits_at_one_node_makes_no_table_at_another(
    both: tuple[Node, Node],
) -> None:
    first, second = both
    ana = Player(first.app.port, "Ana")
    await ana.connect()
    table = await started(ana)
    ana.url = f"ws://127.0.0.1:{second.app.port}"
    await ana.disconnect()
    welcome = await ana.connect()
    assert isinstance(welcome, protocol.Welcome)
    assert welcome.table == table
    assert code(await ana.ask(protocol.Make, NUMBERS)) == "seated_elsewhere"
    await ana.disconnect()


async def test_players_of_one_table_may_come_by_any_node(both: tuple[Node, Node]) -> None:
    first, second = both
    async with Player(first.app.port, "Ana") as ana, Player(second.app.port, "Bob") as bob:
        await done(bob, protocol.WatchLobby, on=True)
        table = await ana.make(NUMBERS)
        await bob.until(lambda: bob.lobby and [line.table for line in bob.lobby.tables] == [table])
        await bob.join(table)
        await done(ana, protocol.Start)
        await play_to_the_end(ana, bob)
        assert list(first.lobby.tables) == [table]
        assert not second.lobby.tables
        await done(bob, protocol.Part)
        (replay,) = (await bob.ask(protocol.ListReplays)).replays
        assert replay.table == table


async def test_the_newest_connection_of_a_player_wins_at_whatever_node(
    both: tuple[Node, Node],
) -> None:
    first, second = both
    ana = Player(first.app.port, "Ana")
    await ana.connect()
    table = await started(ana)
    again = Player(second.app.port, "Ana")
    again.token, again.ids = ana.token, ana.ids
    async with again:
        await ana.until(
            lambda: next((m for m in ana.messages if isinstance(m, protocol.Bye)), None)
        )
        await done(again, protocol.Join, table)
        assert (await again.seen(lambda view: view.seat is not None)).seat == 0
        await play_to_the_end(again)
    await ana.disconnect()


async def test_the_newest_connection_wins_even_if_the_older_node_is_not_told(
    both: tuple[Node, Node],
) -> None:
    first, second = both
    second.registry.replaced = lambda *_: None
    async with Player(first.app.port, "Ana") as ana:
        again = Player(second.app.port, "Ana")
        again.token = ana.token
        async with again:
            bye = await ana.until(
                lambda: next((m for m in ana.messages if isinstance(m, protocol.Bye)), None)
            )
            assert bye.why.code == "replaced"


async def test_a_table_that_is_asked_for_again_at_another_node_is_made_once(
    both: tuple[Node, Node], database: str
) -> None:
    """The first node has not written it yet when the player has come to the second."""
    first, second = both
    elsewhere = await asyncpg.connect(database)
    ana, again = Player(first.app.port, "Ana"), Player(second.app.port, "Ana")
    await ana.connect()
    make = protocol.Make(next(ana.ids), NUMBERS)
    async with elsewhere.transaction():
        session = await elsewhere.fetchval("SELECT session FROM connections")
        await elsewhere.execute("INSERT INTO seats VALUES ($1, 'HELD')", session)
        assert ana.socket is not None
        await ana.socket.send(protocol.pack(make))
        await until(lambda: first.journal.waiting)
        again.token, again.ids = ana.token, ana.ids
        welcome = await again.connect()
        assert isinstance(welcome, protocol.Welcome)
        assert welcome.table is None
        await elsewhere.execute("DELETE FROM seats")
    await until(lambda: first.lobby.tables and not first.journal.waiting)
    answer = await again.ask_again(make)
    assert isinstance(answer, protocol.Accepted)
    assert await closed_with(again) == CloseCode.SERVICE_RESTART
    (table,) = first.lobby.tables
    welcome = await again.connect()
    assert isinstance(welcome, protocol.Welcome)
    assert welcome.table == table
    assert await again.ask_again(make) == answer
    assert await owners(database) == {table: first.journal.node}
    for each in (ana, again):
        await each.disconnect()
    await elsewhere.close()


# A node that is gone


async def test_a_node_that_leaves_has_its_tables_taken_up_by_another(
    tmp_path: Path, database: str
) -> None:
    async with joined(tmp_path, database) as second:
        async with joined(tmp_path, database) as first, Player(first.app.port, "Ana") as ana:
            table = await started(ana)
            await guess_wrong(ana, first.app)
            before = ana.view
        await until(lambda: table in second.lobby.tables)
        await come_back(ana, second.app.port, table)
        assert before is not None
        assert ana.view is not None
        assert ana.view.public["game"] == before.public["game"]
        await play_to_the_end(ana)
        assert await owners(database) == {table: second.journal.node}
        await ana.disconnect()


async def test_after_all_nodes_were_gone_the_tables_go_on(tmp_path: Path, database: str) -> None:
    ana = Player(0, "Ana")
    async with joined(tmp_path, database) as node:
        ana.url = f"ws://127.0.0.1:{node.app.port}"
        await ana.connect()
        table = await started(ana)
        await ana.disconnect()
    async with joined(tmp_path, database) as node:
        await come_back(ana, node.app.port, table)
        await play_to_the_end(ana)
        await ana.disconnect()


async def test_a_fenced_node_drops_its_tables_and_joins_anew(tmp_path: Path, database: str) -> None:
    async with joined(tmp_path, database) as other, running(tmp_path, database) as server:
        app = await server.apps.get()
        ana = Player(app.port, "Ana")
        await ana.connect()
        table = await started(ana)
        await fence(database, (await owners(database))[table])
        assert await closed_with(ana) == CloseCode.SERVICE_RESTART
        assert not app.lobby.tables
        anew = await server.apps.get()
        assert anew is not app
        assert anew.port == app.port
        nodes = await asyncio.gather(
            *(each.routing.owner(table) for each in (anew.lobby, other.lobby) if each.routing)
        )
        assert nodes[0] == nodes[1]
        has_it = next(each for each in (anew, other.app) if table in each.lobby.tables)
        await come_back(ana, has_it.port, table)
        await play_to_the_end(ana)
        await ana.disconnect()


async def test_a_fenced_node_shows_nobody_a_table_while_its_gates_are_closed(
    tmp_path: Path, database: str
) -> None:
    """Which takes seconds: whoever is in them is told."""
    async with joined(tmp_path, database) as other, running(tmp_path, database) as server:
        app = await server.apps.get()
        server.may_close_gates.clear()
        ana = Player(app.port, "Ana")
        await ana.connect()
        table = await started(ana)
        await fence(database, (await owners(database))[table])
        assert await closed_with(ana) == CloseCode.SERVICE_RESTART
        assert not app.lobby.tables
        await until(lambda: table in other.lobby.tables)
        server.may_close_gates.set()
        await server.apps.get()


async def test_of_many_nodes_each_takes_its_share_and_no_table_is_taken_twice(
    tmp_path: Path, database: str
) -> None:
    tables, racers = 24, 6
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(joined(tmp_path, database)) for _ in range(racers)
        ]
        async with joined(tmp_path, database) as first:
            codes = [await first.registry.take_code(private=False) for _ in range(tables)]
            async with AsyncExitStack() as players:
                for number in range(tables // 8):
                    player = Player(first.app.port, f"Player {number}")
                    await players.enter_async_context(player)
                    await player.make(CASTLES)
                made = list(first.lobby.tables)
                assert not set(made) & set(codes)
                connection = await asyncpg.connect(database)
                for code_ in codes:
                    await connection.execute(
                        "INSERT INTO tables SELECT $1, made, setup, seed, version, ended, line, owner"
                        " FROM tables WHERE code = $2",
                        code_,
                        made[0],
                    )
                    await connection.execute(
                        "INSERT INTO entries SELECT $1, number, entry, session, command,"
                        " split_part(digest, $3, 1), content FROM entries WHERE code = $2",
                        code_,
                        made[0],
                        LINK,  # of the hash chain, which is another for each table
                    )
                await connection.close()
        every = {*made, *codes}
        await until(lambda: every <= {code for each in others for code in each.lobby.tables})
        shares = [set(each.lobby.tables) for each in others]
        assert sum(map(len, shares)) == len(every), "none is at two nodes"
        has = {code: each.journal.node for each in others for code in each.lobby.tables}
        assert await owners(database) == has
        assert sum(bool(share) for share in shares) >= racers - 2, "they share the work"


async def test_a_table_that_cannot_be_taken_up_keeps_no_other_from_going_on(
    tmp_path: Path, database: str
) -> None:
    async with joined(tmp_path, database) as second:
        async with joined(tmp_path, database) as first, AsyncExitStack() as stack:
            players = [Player(first.app.port, f"Ana {number}") for number in range(3)]
            tables = [await started(await stack.enter_async_context(player)) for player in players]
            connection = await asyncpg.connect(database)
            await connection.execute(SPOILED, tables[1])
            await connection.close()
        await until(lambda: {tables[0], tables[2]} <= second.lobby.tables.keys())
        await until(lambda: tables[1] in second.lobby.shut)
        for player, table in zip(players, tables, strict=True):
            if table == tables[1]:
                player.url = f"ws://127.0.0.1:{second.app.port}"
                await player.connect()
                assert code(await player.ask(protocol.Join, table)) == "table_kept"
            else:
                await come_back(player, second.app.port, table)
                await play_to_the_end(player)
            await player.disconnect()


async def test_a_table_is_not_taken_by_who_does_not_know_its_rules(
    tmp_path: Path, database: str, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    older_version = numbers.version
    monkeypatch.setattr(numbers, "version", older_version + 1)
    async with joined(tmp_path, database) as first, Player(first.app.port, "Ana") as ana:
        table = await started(ana)
    monkeypatch.setattr(numbers, "version", older_version)
    async with joined(tmp_path, database) as older:
        with monkeypatch.context() as patch:
            patch.setattr(ownership, "PARKED_SECONDS", 0.3)
            with pytest.raises(JournalUnavailable):
                await older.ownership.owner(table)
            async with Player(older.app.port, "Bob") as bob:
                assert code(await bob.ask(protocol.Join, table)) == "journal_unavailable"
        assert table not in older.lobby.tables
        monkeypatch.setattr(numbers, "version", older_version + 1)
        assert await older.ownership.owner(table) == older.journal.node


async def test_a_node_that_is_killed_is_soon_replaced_and_play_goes_on(
    tmp_path: Path, database: str
) -> None:
    async with (
        joined(tmp_path, database) as second,
        process(tmp_path, database) as (first, port),
        Player(port, "Ana") as ana,
        Player(port, "Bob") as bob,
    ):
        table = await started(ana, bob, setup=CASTLES)
        await play([ana, bob], MOVES)
        before = [player.view for player in (ana, bob)]
        first.kill()
        for player in (ana, bob):
            await come_back(player, second.app.port, table)
        newest = max(view.entry for view in before if view is not None)
        assert ana.view is not None
        assert ana.view.entry >= newest, "no move that was shown is lost"
        await play([ana, bob], MOVES)


async def test_who_asks_for_a_table_of_a_frozen_node_waits_until_another_has_it(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their pings are answered meanwhile. What the frozen one does once it goes on is nothing."""
    monkeypatch.setattr(ownership, "PARKED_SECONDS", PATIENCE)  # a busy machine takes longer
    async with (
        joined(tmp_path, database) as second,
        process(tmp_path, database) as (first, port),
        Player(second.app.port, "Bob") as bob,
    ):
        ana, cem = Player(port, "Ana"), Player(port, "Cem")
        await ana.connect()
        await cem.connect()
        table = await started(ana, cem, setup=CASTLES)
        await play([ana, cem], 1)
        frozen = (await owners(database))[table]
        second.ownership.is_reached = lambda node: node != frozen
        first.send_signal(signal.SIGSTOP)
        joining = asyncio.create_task(done(bob, protocol.Join, table))
        (waiting,) = second.lobby.sessions
        await until(lambda: waiting.answers.is_busy)
        assert bob.socket is not None
        await asyncio.wait_for(await bob.socket.ping(), PATIENCE)
        assert waiting.answers.is_busy
        await joining
        await bob.seen(lambda view: view.table == table)
        assert await owners(database) == {table: second.journal.node}
        entries = second.lobby.tables[table].match.entries
        for player in (ana, cem):
            assert player.socket is not None
            await player.socket.send(protocol.pack(protocol.Play(next(player.ids), "draw")))
        first.send_signal(signal.SIGCONT)
        for player in (ana, cem):
            assert await closed_with(player) in SENT_AWAY
        assert len((await second.journal.load(table)).entries) == entries
        nodes = second.membership
        await until(lambda: frozen not in nodes.nodes and len(nodes.nodes) == 2)


# What a database cannot take

NUL = "A\0B"


@pytest.mark.parametrize("at_table", [False, True])
async def test_a_nul_is_refused_as_what_it_is_and_not_by_the_database(
    both: tuple[Node, Node], *, at_table: bool
) -> None:
    """PostgreSQL has no text with one in it."""
    async with Player(both[0].app.port, NUL) as ana:
        if at_table:
            await ana.make(NUMBERS)
        for kind, *given in (
            *((protocol.Join, NUL), (protocol.Export, NUL), (protocol.GetReplay, NUL)),
            *((protocol.ListReplays, NUL), (protocol.GetStandings, NUL), (protocol.AddBot, NUL)),
            *((protocol.Kick, NUL), (protocol.Ban, NUL, True), (protocol.Mute, NUL, True)),
            *((protocol.Say, NUL), (protocol.LookUp, NUL), (protocol.Check, {NUL: "A"})),
            *((protocol.Check, {"A1": "\0"}), (protocol.Make, Setup(NUL)), (protocol.Play, NUL)),
            (protocol.Make, replace(NUMBERS, options={NUL: NUL})),
            (protocol.Make, Setup("diamino-rummy", {"word_list": NUL})),
            (protocol.Make, Setup("diamino-rummy", {"board": NUL})),
            (protocol.Make, replace(NUMBERS, absent=NUL)),
            (protocol.Change, replace(NUMBERS, absent=NUL)),
            (protocol.HandOver, NUL),
        ):
            answer = await ana.ask(kind, *given)
            if isinstance(answer, protocol.Refused):
                assert code(answer) != "journal_unavailable", (kind, given)
        assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
