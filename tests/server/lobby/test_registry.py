"""What is one for all tables and players, asked of whatever keeps it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.registry import PostgresRegistry
from diadem_server.lobby.local_registry import LocalRegistry
from diadem_server.lobby.registry import Registry
from diadem_server.storage.changes import LeaveSeat, NewSession, TakeSeat
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared.match import Phase
from diadem_shared.protocol import TableLine
from diadem_shared.refusals import Code, RefusalError
from tests.cluster.postgres import Postgres

ANA, BOB, CEM = 1, 2, 3


class Connection:
    """Somebody's outbox; nothing is ever sent."""

    def send(self, message: bytes) -> None:
        raise AssertionError(message)

    def offer(self, kind: str, message: bytes) -> None:
        raise AssertionError(kind, message)

    def hold(self) -> None:
        raise AssertionError

    def disconnect(self, code: int, reason: str) -> None:
        raise AssertionError(code, reason)


class Seats:
    """Has people sit down and leave, as tables do: the journal writes it, then the registry is told."""

    def __init__(self, registry: Registry, journal: Journal) -> None:
        self._registry = registry
        self._journal = journal
        self._seated: dict[str, set[int]] = {}

    async def set(self, code: str, seated: Mapping[int, str]) -> None:
        before = self._seated.get(code, set())
        await self._journal.write(
            *(LeaveSeat(code, session) for session in sorted(before - seated.keys())),
            *(TakeSeat(code, session) for session in sorted(seated.keys() - before)),
        )
        self._seated[code] = set(seated)
        self._registry.set_seats(code, seated)


@pytest.fixture(params=["local", pytest.param("postgres", marks=pytest.mark.cluster)])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    journal: Journal
    if request.param == "postgres":
        postgres: Postgres = request.getfixturevalue("postgres")
        journal = PostgresJournal(await postgres.create())
    else:
        journal = SqliteJournal(tmp_path)
    await journal.start()
    for session in (ANA, BOB, CEM):
        await journal.write(NewSession(session, b"token %d" % session, "", 0.0))
    yield journal
    await journal.close()


@pytest.fixture
def registry(journal: Journal) -> Registry:
    if isinstance(journal, PostgresJournal):
        return PostgresRegistry(journal)
    return LocalRegistry()


@pytest.fixture
def seats(registry: Registry, journal: Journal) -> Seats:
    return Seats(registry, journal)


def line(code: str, *names: str) -> TableLine:
    return TableLine(code, "diamoniak", names, 4, Phase.GATHERING, 1, spectators=True)


async def refused(registry: Registry, session: int, name: str) -> Code | str:
    with pytest.raises(RefusalError) as error:
        await registry.connect(session, name, Connection())
    return error.value.refusal.code


# Codes


async def test_no_code_is_given_twice(registry: Registry) -> None:
    await registry.add_codes({"KEPT"})
    taken = await asyncio.gather(*(registry.take_code(private=False) for _ in range(50)))
    assert len({*taken, "KEPT"}) == 51
    assert await registry.codes() == {*taken, "KEPT"}


async def test_a_code_is_free_again_once_it_is_given_back(registry: Registry) -> None:
    taken = await registry.take_code(private=True)
    await registry.add_codes({"KEPT"})
    await registry.give_back_codes({taken, "NONE"})
    assert await registry.codes() == {"KEPT"}


async def test_a_private_code_is_longer(registry: Registry) -> None:
    public, private = [await registry.take_code(private=each) for each in (False, True)]
    assert len(private) > len(public)


# Seats


async def test_a_player_has_one_seat(registry: Registry, seats: Seats) -> None:
    assert await registry.take_seat(ANA, "HERE") is None
    assert await registry.take_seat(ANA, "THERE") == "HERE", "one is kept"
    await seats.set("HERE", {ANA: "Ana"})
    assert await registry.take_seat(ANA, "THERE") == "HERE"
    assert await registry.take_seat(ANA, "HERE") == "HERE"
    assert await registry.seat_of(ANA) == "HERE"
    assert await registry.seat_of(BOB) is None


async def test_of_two_tables_at_once_one_has_the_player(registry: Registry) -> None:
    asked = await asyncio.gather(*(registry.take_seat(ANA, code) for code in ("HERE", "THERE")))
    assert asked.count(None) == 1


async def test_who_does_not_sit_down_after_all_may_sit_elsewhere(registry: Registry) -> None:
    await registry.take_seat(ANA, "HERE")
    await registry.leave_seat(ANA, "THERE")
    assert await registry.seat_of(ANA) == "HERE", "that was another table"
    await registry.leave_seat(ANA, "HERE")
    assert await registry.take_seat(ANA, "THERE") is None


async def test_a_table_says_who_sits_there(registry: Registry, seats: Seats) -> None:
    await seats.set("HERE", {ANA: "Ana", BOB: "Bob"})
    await seats.set("THERE", {CEM: "Cem"})
    await seats.set("HERE", {BOB: "Bob"})
    assert [await registry.seat_of(each) for each in (ANA, BOB, CEM)] == [None, "HERE", "THERE"]
    await seats.set("HERE", {})
    await seats.set("THERE", {})
    assert [await registry.seat_of(each) for each in (ANA, BOB, CEM)] == [None] * 3


async def test_nobody_keeps_a_seat_that_the_table_does_not_know_of(registry: Registry) -> None:
    await registry.take_seat(ANA, "HERE")
    registry.set_seats("HERE", {})
    assert await registry.take_seat(ANA, "THERE") is None


# Names


async def test_a_name_belongs_to_who_is_here(registry: Registry) -> None:
    outbox = Connection()
    await registry.connect(ANA, "Marnie", outbox)
    assert await registry.is_name_taken("Mamie"), "it looks the same"
    assert not await registry.is_name_taken("Mamie", unless_by=ANA)
    assert not await registry.is_name_taken("Bob")
    assert await refused(registry, BOB, "Mamie") == Code.NAME_IN_USE
    registry.disconnect(ANA, outbox)
    await registry.connect(BOB, "Mamie", Connection())


async def test_of_two_at_once_one_has_the_name(registry: Registry) -> None:
    came = await asyncio.gather(
        *(registry.connect(each, "Ana", Connection()) for each in (ANA, BOB)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, RefusalError) for each in came) == 1


async def test_a_name_belongs_to_who_has_a_seat_though_not_here(
    registry: Registry, seats: Seats
) -> None:
    for session, name in ((ANA, "Ana"), (BOB, "Bob")):
        outbox = Connection()
        await registry.connect(session, name, outbox)
        await seats.set(f"OF {name}", {session: name})
        registry.disconnect(session, outbox)
    for name in ("Ana", "Bob"):
        assert await refused(registry, CEM, name) == Code.NAME_IN_USE
    await seats.set("OF Ana", {})
    await registry.connect(CEM, "Ana", Connection())
    assert await refused(registry, ANA, "Ana") == Code.NAME_IN_USE


async def test_who_has_a_seat_is_let_in_whatever_the_name(registry: Registry, seats: Seats) -> None:
    await registry.connect(ANA, "Ana", Connection())
    await seats.set("HERE", {BOB: "Ana"})
    assert await registry.connect(BOB, "Ana", Connection()) is None
    assert await refused(registry, CEM, "Ana") == Code.NAME_IN_USE


async def test_a_new_name_frees_the_old_one(registry: Registry) -> None:
    first, second = Connection(), Connection()
    await registry.connect(ANA, "Ana", first)
    await registry.connect(ANA, "Dee", second)
    assert not await registry.is_name_taken("Ana")
    assert await registry.is_name_taken("Dee")


# Connections


async def test_the_newest_connection_of_a_player_replaces_the_one_before(
    registry: Registry,
) -> None:
    first, second = Connection(), Connection()
    assert await registry.connect(ANA, "Ana", first) is None
    assert await registry.connect(ANA, "Ana", second) is first
    registry.disconnect(ANA, first)
    assert await registry.is_name_taken("Ana"), "the second is still there"
    registry.disconnect(ANA, second)
    assert not await registry.is_name_taken("Ana")
    assert await registry.connect(ANA, "Ana", first) is None


# The lobby


async def test_the_lobby_shows_each_table_once_as_it_is_now(registry: Registry) -> None:
    registry.list_table("HERE", line("HERE"))
    registry.list_table("THERE", line("THERE"))
    registry.list_table("HERE", line("HERE", "Ana"))
    assert list(registry.listed()) == [line("HERE", "Ana"), line("THERE")]
    registry.list_table("THERE", None)
    registry.list_table("GONE", None)
    assert list(registry.listed()) == [line("HERE", "Ana")]


# Pruning


async def test_one_prunes_at_a_time_and_then_another(registry: Registry) -> None:
    for _ in range(2):
        async with registry.pruning() as is_mine:
            assert is_mine
