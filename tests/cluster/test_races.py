"""Of many nodes that want the same at once, one has it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.registry import PostgresRegistry
from diadem_server.cluster.sessions import SharedSessions
from diadem_server.lobby import codes
from diadem_server.storage.changes import (
    DropTable,
    FinishTable,
    ForgetSessions,
    LeaveSeat,
    NewEntry,
    NewSession,
    NewTable,
    TakeSeat,
)
from diadem_server.storage.journal import JournalUnavailable, SeatTaken
from diadem_server.storage.records import EntryRow
from diadem_shared.entries import Sat, Setup
from diadem_shared.refusals import Code, RefusalError
from tests.cluster.postgres import Postgres, until
from tests.cluster.proxy import proxied
from tests.server.lobby.test_registry import Connection
from tests.server.storage import LINE

RACERS = 8
ROUNDS = 5
ANA = 1


class Racer:
    """A node, without those who play there."""

    def __init__(self, database: str) -> None:
        self.journal = PostgresJournal(database)
        self.registry = PostgresRegistry(self.journal)
        self.sessions = SharedSessions(self.journal, lambda: 0.0)
        self.replaced: list[tuple[int, int, int]] = []
        self.registry.replaced = lambda *told: self.replaced.append(told)

    async def leave(self) -> None:
        await self.journal.close()


@pytest.fixture
async def racers(database: str) -> AsyncIterator[list[Racer]]:
    async with AsyncExitStack() as stack:
        racers = [Racer(database) for _ in range(RACERS)]
        for each in racers:
            await each.journal.start()
            stack.push_async_callback(each.leave)
        for _ in racers:
            id_ = await racers[0].sessions.new_id()
            await racers[0].journal.write(NewSession(id_, b"token %d" % id_, "", 0.0))
        yield racers


async def fence(database: str, racer: Racer) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("DELETE FROM nodes WHERE id = $1", racer.journal.node)
    await connection.close()


# Seats


def sits(code: str) -> tuple[TakeSeat, NewEntry]:
    return TakeSeat(code, ANA), NewEntry(code, EntryRow(1, Sat("Ana"), ANA, 1, "", 0))


async def test_of_eight_tables_one_has_the_player(racers: list[Racer]) -> None:
    for race in range(ROUNDS):
        tables = [f"{race}-{number}" for number in range(RACERS)]
        outcomes = await asyncio.gather(
            *(each.journal.write(*sits(code)) for each, code in zip(racers, tables, strict=True)),
            return_exceptions=True,
        )
        (winner,) = (code for code, each in zip(tables, outcomes, strict=True) if each is None)
        lost = [each for each in outcomes if each is not None]
        assert all(isinstance(each, SeatTaken) and each.code == winner for each in lost)
        for racer, code in zip(racers, tables, strict=True):
            assert racer.journal.trouble is None, "that is no fault of the journal"
            entries = (await racer.journal.load(code)).entries
            assert len(entries) == (code == winner), "whoever has no seat has made no entry"
            assert await racer.registry.seat_of(ANA) == winner
            assert await racer.registry.take_seat(ANA, "ELSE") == winner
        await racers[0].journal.write(LeaveSeat(winner, ANA))


async def test_a_refused_seat_keeps_no_other_write_from_the_journal(racers: list[Racer]) -> None:
    first, *_ = racers
    await first.journal.write(TakeSeat("HERE", ANA))
    written = [
        first.journal.submit(TakeSeat("THERE", session), *also)
        for session, *also in ((2,), (ANA, TakeSeat("THERE", 3)), (4,))
    ]
    outcomes = await asyncio.gather(*written, return_exceptions=True)
    assert [each is None for each in outcomes] == [True, False, True]
    seats = [await first.registry.seat_of(session) for session in (ANA, 2, 3, 4)]
    assert seats == ["HERE", "THERE", None, "THERE"]


async def test_a_table_that_is_over_or_gone_has_no_seats(racers: list[Racer]) -> None:
    first, second, *_ = racers
    for code, end in (
        ("OVER", FinishTable("OVER", 1.0, LINE, [ANA])),
        ("GONE", DropTable("GONE")),
    ):
        await first.journal.write(NewTable(code, 0.0, Setup("diamoniak"), b"", 1), *sits(code))
        assert await second.registry.seat_of(ANA) == code
        await first.journal.write(end)
        assert await second.registry.seat_of(ANA) is None


# Codes


async def test_no_code_is_given_twice(racers: list[Racer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "CODE_LETTERS", "AB")
    taken = await asyncio.gather(
        *(each.registry.take_code(private=False) for each in racers for _ in range(ROUNDS))
    )
    assert len(set(taken)) == RACERS * ROUNDS
    assert await racers[0].registry.codes() == set(taken)


async def test_a_code_that_another_node_needs_is_not_given_back(
    racers: list[Racer], database: str
) -> None:
    first, second, *_ = racers
    making = await first.registry.take_code(private=False)
    made = await first.registry.take_code(private=False)
    await first.journal.write(NewTable(made, 0.0, Setup("diamoniak"), b"", 1))
    await second.registry.give_back_codes({making, made})
    assert await second.registry.codes() == {making, made}
    await fence(database, first)
    await second.registry.give_back_codes({making, made})
    assert await second.registry.codes() == {made}, "nobody makes the other one any more"
    await second.journal.write(DropTable(made))
    assert await second.registry.codes() == set()


# Names


async def test_of_eight_players_one_has_the_name(racers: list[Racer]) -> None:
    """However it is written."""
    for race in range(ROUNDS):
        outboxes = [Connection() for _ in racers]
        names = [f"Marnie {race}", f"Mamie {race}"] * (RACERS // 2)
        came = await asyncio.gather(
            *(
                racer.registry.connect(session, name, outbox)
                for session, (racer, name, outbox) in enumerate(
                    zip(racers, names, outboxes, strict=True), start=1
                )
            ),
            return_exceptions=True,
        )
        refused = [each for each in came if isinstance(each, RefusalError)]
        assert len(refused) == RACERS - 1, came
        assert {each.refusal.code for each in refused} == {Code.NAME_IN_USE}
        for session, (racer, outbox) in enumerate(zip(racers, outboxes, strict=True), start=1):
            racer.registry.disconnect(session, outbox)
            await racer.journal.settled()


async def test_names_of_who_was_on_a_dead_node_are_free_but_those_at_tables(
    racers: list[Racer], database: str
) -> None:
    first, second, *_ = racers
    await first.registry.connect(1, "Ana", Connection())
    await first.registry.connect(2, "Bob", Connection())
    await first.journal.write(TakeSeat("HERE", 2))
    assert await second.registry.is_name_taken("Ana")
    await fence(database, first)
    assert not await second.registry.is_name_taken("Ana")
    assert await second.registry.is_name_taken("Bob")
    assert not await second.registry.is_name_taken("Bob", unless_by=2)
    await second.registry.connect(3, "Ana", Connection())


# Connections


async def test_of_eight_connections_of_a_player_the_newest_replaces_each_other(
    racers: list[Racer],
) -> None:
    await asyncio.gather(*(each.registry.connect(ANA, "Ana", Connection()) for each in racers))
    told = [each for racer in racers for each in racer.replaced]
    assert len(told) == RACERS - 1
    nodes = Counter(node for node, _, _ in told)
    assert max(nodes.values()) == 1
    assert {session for _, session, _ in told} == {ANA}
    alive = []
    for racer in racers:
        number = next((number for node, _, number in told if node == racer.journal.node), None)
        if number is None:
            alive.append(racer)
        else:
            older = racer.registry.connection(ANA, number)
            assert older is not None
            racer.registry.disconnect(ANA, older)
            await racer.journal.settled()
    assert len(alive) == 1
    assert await racers[0].registry.is_name_taken("Ana"), "the newest is still there"


async def test_a_node_finds_which_of_its_connections_were_replaced_if_nobody_tells_it(
    racers: list[Racer], database: str
) -> None:
    first, second, third, *_ = racers
    older = Connection()
    await first.registry.connect(ANA, "Ana", older)
    await second.registry.connect(ANA, "Ana", Connection())
    assert await first.registry.replaced_elsewhere() == [older]
    assert await first.registry.replaced_elsewhere() == []
    await fence(database, second)
    await third.registry.connect(ANA, "Ana", Connection())
    assert await second.registry.replaced_elsewhere() == [], "it is no node any more"


async def test_a_connection_goes_on_at_another_node(racers: list[Racer]) -> None:
    first, second, third, *_ = racers
    here, there = Connection(), Connection()
    await first.registry.connect(ANA, "Ana", here)
    number = first.registry.number_of(ANA)
    await second.registry.take_over(ANA, "Ana", there, number)
    assert second.registry.number_of(ANA) == number
    assert second.registry.connection(ANA, number) is there
    first.registry.disconnect(ANA, here)
    await first.journal.settled()
    assert await third.registry.is_name_taken("Ana"), "it is not lost"
    await first.registry.connect(ANA, "Ana", here)
    assert first.replaced == [(second.journal.node, ANA, number)]
    assert second.registry.connection(ANA, first.registry.number_of(ANA)) is None


async def test_a_connection_that_comes_back_is_not_dropped_by_what_is_written_late(
    racers: list[Racer], database: str
) -> None:
    first, second, *_ = racers
    here = Connection()
    await first.registry.connect(ANA, "Ana", here)
    number = first.registry.number_of(ANA)
    await second.registry.take_over(ANA, "Ana", Connection(), number)
    elsewhere = await asyncpg.connect(database)
    async with elsewhere.transaction():
        await elsewhere.execute("INSERT INTO seats VALUES (2, 'HELD')")
        held = first.journal.submit(TakeSeat("HERE", 2))
        first.registry.disconnect(ANA, here)
        waiting = first.journal.waiting
        coming = asyncio.create_task(first.registry.take_over(ANA, "Ana", Connection(), number))
        await until(lambda: coming.done() or first.journal.waiting > waiting)
    await elsewhere.close()
    with pytest.raises(SeatTaken):
        await held
    await coming
    await first.journal.settled()
    await second.registry.take_over(ANA, "Ana", Connection(), number)


async def test_a_connection_that_was_replaced_on_its_way_does_not_go_on(
    racers: list[Racer],
) -> None:
    first, second, third, *_ = racers
    await first.registry.connect(ANA, "Ana", Connection())
    number = first.registry.number_of(ANA)
    await third.registry.connect(ANA, "Ana", Connection())
    with pytest.raises(RefusalError) as refused:
        await second.registry.take_over(ANA, "Ana", Connection(), number)
    assert refused.value.refusal.code == Code.REPLACED


async def test_a_connection_lost_while_the_database_is_away_is_dropped_later(
    postgres: Postgres, database: str, racers: list[Racer]
) -> None:
    _, second, *_ = racers
    async with proxied(postgres, database) as (proxy, address):
        cut_off = Racer(address)
        await cut_off.journal.start()
        try:
            outbox = Connection()
            await cut_off.registry.connect(ANA, "Ana", outbox)
            proxy.refuses = True
            proxy.cut()
            with pytest.raises(JournalUnavailable):
                await cut_off.registry.take_code(private=False)
            cut_off.registry.disconnect(ANA, outbox)
            await proxy.refused.wait()
            proxy.refuses = False
            await until(lambda: not cut_off.journal.waiting and cut_off.journal.trouble is None)
        finally:
            async with cut_off.registry.pruning():
                assert not await second.registry.is_name_taken("Ana")
            await cut_off.leave()


# Sessions


async def test_of_eight_hellos_with_one_new_token_one_makes_the_session(
    racers: list[Racer],
) -> None:
    for race in range(ROUNDS):
        token = f"from a key, {race}"
        sessions = await asyncio.gather(*(each.sessions.make_for(token, "Ana") for each in racers))
        assert len({each.id for each in sessions}) == 1
        for racer in racers:
            found = await racer.sessions.find(token)
            assert found is not None
            assert found.id == sessions[0].id


async def test_no_number_of_a_session_is_given_twice(racers: list[Racer]) -> None:
    taken = await asyncio.gather(*(each.sessions.new_id() for each in racers for _ in range(150)))
    assert len(set(taken)) == 150 * RACERS


async def test_a_session_is_known_on_all_nodes_as_it_is_now(racers: list[Racer]) -> None:
    first, second, *_ = racers
    session, token = await first.sessions.make("Ana")
    there = await second.sessions.find(token)
    assert there is not None
    assert (there.id, there.name, there.answers.is_recalled) == (session.id, "Ana", False)
    there.name = "Dee"
    await second.sessions.seen(there)
    back = await first.sessions.find(token)
    assert back is session, "who was here is the same"
    assert back.name == "Dee"
    assert not back.answers.is_recalled, "they may have been answered there"
    session.outbox = Connection()
    session.name = "Eve"
    assert (await first.sessions.find(token)) is session
    assert session.name == "Eve", "who is here is as they are here"
    assert await first.sessions.find("of nobody") is None
    assert await first.sessions.find(None) is None


async def test_who_is_connected_anywhere_is_not_forgotten(racers: list[Racer]) -> None:
    first, second, *_ = racers
    here, token_here = await first.sessions.make("Ana")
    gone, token_gone = await first.sessions.make("Bob")
    await second.registry.connect(here.id, "Ana", Connection())
    ids = second.sessions.forget({here.id, gone.id})
    await second.journal.write(ForgetSessions(ids))
    assert await first.sessions.find(token_here) is here
    assert await first.sessions.find(token_gone) is None
    with pytest.raises(JournalUnavailable):
        await first.registry.connect(gone.id, "Bob", Connection())


async def test_those_who_have_gone_do_not_stay_in_memory(racers: list[Racer]) -> None:
    first, *_ = racers
    here, _ = await first.sessions.make("Ana")
    gone, token = await first.sessions.make("Bob")
    here.outbox = Connection()
    first.sessions.forget_answers()
    assert list(first.sessions) == [here]
    found = await first.sessions.find(token)
    assert found is not None
    assert found.id == gone.id


# Pruning


async def test_of_eight_nodes_one_prunes(racers: list[Racer]) -> None:
    async with AsyncExitStack() as stack:
        pruning = [await stack.enter_async_context(each.registry.pruning()) for each in racers]
        assert pruning == [True] + [False] * (RACERS - 1)
    async with racers[-1].registry.pruning() as is_mine:
        assert is_mine
