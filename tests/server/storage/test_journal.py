"""The promises of every implementation of a journal."""

import asyncio
from collections.abc import Iterator

import pytest
from msgspec import json
from msgspec.structs import replace

from diadem_server.storage.changes import (
    Change,
    DropPeople,
    DropRemains,
    DropTable,
    FinishTable,
    ForgetSessions,
    LiftBan,
    NewAnswer,
    NewBan,
    NewEntry,
    NewLine,
    NewSession,
    NewTable,
    NoneEndedAfter,
    SessionSeen,
    SessionsHere,
    SetMute,
    SetReady,
)
from diadem_server.storage.journal import Journal, JournalUnavailable
from diadem_server.storage.records import (
    AnswerRow,
    BanRow,
    DoneRow,
    EntryRow,
    FinishedLine,
    LineRow,
    MuteRow,
    ReadyRow,
    SessionRow,
    StoredTable,
)
from diadem_server.storage.sql_reader import SqlReader
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.storage.sqlite_statements import question
from diadem_server.storage.statement import Statement
from diadem_server.storage.statements import DONE_AT
from diadem_shared.entries import Entry, Moved, Sat, Setup
from diadem_shared.game import Outcome
from diadem_shared.protocol import Said
from tests.server.storage import Place

SETUP = Setup("diamoniak", rounds=3)
EMPTY = StoredTable([], [], [], [])


def entry(code: str, number: int, what: Entry | None = None, session: int | None = 1) -> NewEntry:
    made = what or Moved(0, f"draw {number}", number)
    row = EntryRow(number, made, session, 100 + number, f"digest {number}", number)
    return NewEntry(code, row._replace(chain=bytes([number]) * 32, written=json.encode(made)))


def table(code: str, made: float = 0.0) -> NewTable:
    return NewTable(code, made, SETUP, b"seed of " + code.encode(), 7)


def line(code: str) -> FinishedLine:
    names, totals = ("Ana", "Bob"), Outcome((3, 1), (0, 2))
    return FinishedLine(code, "diamoniak", names, totals, owners=(None, 1))


def over(code: str, ended: float, *played: int) -> Iterator[Change]:
    yield table(code)
    yield entry(code, 1)
    yield FinishTable(code, ended, line(code), played)


# Outcomes


async def test_what_was_written_is_there_after_a_restart(place: Place) -> None:
    written = [entry("AAAA", number) for number in range(1, 6)]
    async with place.opened() as journal:
        await journal.write(table("AAAA"), *written[:2])
        for each in written[2:]:
            await journal.write(each)
        before = await journal.load("AAAA")
    async with place.opened() as journal:
        assert await journal.codes() == {"AAAA"}
        (row,) = await journal.tables(over_since=0.0)
        assert (row.code, row.setup, row.seed, row.version) == ("AAAA", SETUP, b"seed of AAAA", 7)
        assert list((await journal.load("AAAA")).entries) == [each.row for each in written]
        assert await journal.load("AAAA") == before


async def test_one_write_is_written_all_or_not_at_all(journal: Journal) -> None:
    await journal.write(table("AAAA"), entry("AAAA", 1))
    with pytest.raises(JournalUnavailable):
        await journal.write(table("BBBB"), entry("BBBB", 1), entry("AAAA", 2), table("AAAA"))
    assert journal.trouble
    assert await journal.codes() == {"AAAA"}
    assert await journal.load("BBBB") == EMPTY
    await journal.write(entry("AAAA", 2))
    assert journal.trouble is None
    assert [row.number for row in (await journal.load("AAAA")).entries] == [1, 2]


async def test_one_bad_write_spoils_no_other(journal: Journal) -> None:
    unwritable = entry("AAAA", 4).row._replace(entry=object(), written=b"")  # type: ignore[arg-type]
    results = await asyncio.gather(
        *(journal.write(entry("AAAA", number)) for number in (1, 2, 2, 3)),
        journal.write(NewEntry("AAAA", unwritable)),
        journal.write(entry("AAAA", 4)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        *(type(None), type(None), JournalUnavailable, type(None), JournalUnavailable, type(None))
    ]
    assert [row.number for row in (await journal.load("AAAA")).entries] == [1, 2, 3, 4]


async def test_no_entry_is_written_twice_even_after_a_restart(place: Place) -> None:
    async with place.opened() as journal:
        await journal.write(table("AAAA"), entry("AAAA", 1), entry("AAAA", 2))
    async with place.opened() as journal:
        for number in (1, 2):
            with pytest.raises(JournalUnavailable):
                await journal.write(entry("AAAA", number))
        await journal.write(entry("AAAA", 3))
        with pytest.raises(JournalUnavailable):
            await journal.write(entry("AAAA", 3))
        assert [row.number for row in (await journal.load("AAAA")).entries] == [1, 2, 3]


async def test_the_code_of_a_table_that_was_dropped_can_be_given_again(journal: Journal) -> None:
    for _ in range(2):
        await journal.write(table("AAAA"), entry("AAAA", 1), entry("AAAA", 2))
        await journal.write(DropTable("AAAA"))
    await journal.write(table("AAAA"), entry("AAAA", 1))
    assert [row.number for row in (await journal.load("AAAA")).entries] == [1]


async def test_what_was_asked_before_is_settled(journal: Journal) -> None:
    done = [journal.submit(entry("AAAA", number)) for number in range(1, 4)]
    assert not any(each.done() for each in done)
    await journal.settled()
    assert all(each.done() for each in done)
    assert journal.waiting == 0


async def test_what_is_asked_sees_what_was_to_be_written_before(journal: Journal) -> None:
    journal.submit(table("AAAA"))
    assert await journal.codes() == {"AAAA"}


async def test_what_is_queued_is_written_when_it_is_closed(place: Place) -> None:
    async with place.opened() as journal:
        journal.submit(table("AAAA"))
    async with place.opened() as journal:
        assert await journal.codes() == {"AAAA"}


# Tables


async def test_a_table_is_loaded_with_all_that_belongs_to_it(journal: Journal) -> None:
    lines = [LineRow(number, Said("Ana", 0, f"line {number}"), 1) for number in range(1, 6)]
    bans = [BanRow(5, "Cem", "192.0.2.0/24"), BanRow(6, "Dee", ""), BanRow(8, "Dee", "")]
    await journal.write(table("AAAA"), table("BBBB"))
    for number in range(1, 4):
        await journal.write(entry("AAAA", number), entry("BBBB", number))
    for each in lines:
        await journal.write(NewLine("AAAA", each, keep=3))
    await journal.write(*(NewBan("AAAA", ban) for ban in bans))
    await journal.write(*(SetReady("AAAA", session, 3, ready=True) for session in (1, 2)))
    await journal.write(SetReady("AAAA", 1, 3, ready=False))
    stored = await journal.load("AAAA")
    assert stored.entries == [entry("AAAA", number).row for number in range(1, 4)]
    assert stored.chat == lines[-3:]
    assert stored.bans == bans
    assert stored.ready == [ReadyRow(3, 2)]
    await journal.write(LiftBan("AAAA", "Dee"))
    assert (await journal.load("AAAA")).bans == bans[:1]
    await journal.write(DropPeople("AAAA"))
    stored = await journal.load("AAAA")
    assert (len(stored.entries), stored.chat, stored.bans) == (3, [], [])
    await journal.write(DropTable("AAAA"))
    assert await journal.load("AAAA") == EMPTY
    assert len((await journal.load("BBBB")).entries) == 3
    assert await journal.codes() == {"BBBB"}


async def test_tables_are_found_that_are_not_over_or_were_lately(journal: Journal) -> None:
    await journal.write(*over("OLD", 10.0), *over("LATE", 20.0), table("RUNS"))
    found = await journal.tables(over_since=15.0)
    assert {row.code for row in found} == {"LATE", "RUNS"}
    assert await journal.codes() == {"OLD", "LATE", "RUNS"}


async def test_nobody_is_ready_where_a_match_is_over(journal: Journal) -> None:
    await journal.write(table("AAAA"), SetReady("AAAA", 1, 0, ready=True))
    await journal.write(FinishTable("AAAA", 1.0, line("AAAA"), [1]))
    assert (await journal.load("AAAA")).ready == []


# Replays


async def test_a_finished_match_is_listed_for_those_who_played_the_newest_first(
    journal: Journal,
) -> None:
    ends = {"OLD": 10.0, "MID": 20.0, "ELSE": 25.0, "NEW": 30.5}
    for code, ended in ends.items():
        await journal.write(*over(code, ended, *([4] if code == "ELSE" else [1, 2])))
    await journal.write(table("RUNS"), entry("RUNS", 1))
    own = [line(code).listed_for(1, ends[code]) for code in ("NEW", "MID", "OLD")]
    assert [(each.seat, each.ended) for each in own] == [(1, 30), (1, 20), (1, 10)]
    assert await journal.replays(1, 50) == own
    assert await journal.replays(2, 2) == [replace(each, seat=None) for each in own[:2]]
    assert await journal.replays(3, 50) == []
    assert await journal.replays(1, 1, "NEW") == own[1:2]
    assert await journal.replays(1, 50, "NEW") == own[1:]
    assert await journal.replays(1, 50, "OLD") == []
    assert await journal.replays(1, 50, "ELSE") == []  # nothing follows from matches of others
    row = await journal.finished_table("MID", 1)
    assert row is not None
    assert row.setup == SETUP
    assert await journal.finished_table("MID", 3) is None
    assert await journal.finished_table("RUNS", 1) is None
    assert await journal.superfluous(1, 10**9) == ["ELSE", "MID", "OLD"]


async def test_nothing_ends_before_what_ended_already(journal: Journal) -> None:
    """Even if the clock was put back."""
    await journal.write(*over("OLD", 1_000.0, 1))
    await journal.write(*over("NEW", 10.0, 1))
    assert [each.table for each in await journal.replays(1, 50)] == ["NEW", "OLD"]
    await journal.write(NoneEndedAfter(500.0))
    await journal.write(*over("LAST", 500.5, 1))
    assert [each.table for each in await journal.replays(1, 50)] == ["LAST", "NEW", "OLD"]
    assert len(await journal.tables(over_since=500.1)) == 1


async def test_a_replay_is_read_page_by_page(journal: Journal) -> None:
    await journal.write(table("AAAA"), *(entry("AAAA", number) for number in range(1, 11)))
    pages, last = [], 0
    while page := await journal.entries_after("AAAA", last, 4):
        pages.append([number for number, _ in page])
        last = page[-1][0]
        assert page[-1][1] == entry("AAAA", last).row.entry
    assert pages == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]


async def test_an_export_is_read_page_by_page_as_it_was_written(journal: Journal) -> None:
    written = [entry("AAAA", number).row for number in range(1, 6)]
    spaced = json.format(written[4].written)  # as another version may have written it
    written[4] = written[4]._replace(written=spaced)
    await journal.write(table("AAAA"), *(NewEntry("AAAA", row) for row in written))
    assert await journal.rows_after("AAAA", 0, 3) == written[:3]
    assert await journal.rows_after("AAAA", 3, 3) == written[3:]
    assert await journal.rows_after("AAAA", 5, 3) == []
    assert await journal.finished_match("AAAA") is None
    await journal.write(FinishTable("AAAA", 1.0, line("AAAA"), [1]))
    finished = await journal.finished_match("AAAA")
    assert finished is not None
    assert (finished.row.code, finished.line) == ("AAAA", line("AAAA"))


async def test_what_is_left_of_dropped_and_finished_tables_is_dropped(journal: Journal) -> None:
    await journal.write(*over("DROP", 1.0, 1), *over("OVER", 2.0, 1), table("RUNS"))
    for code in ("DROP", "OVER", "RUNS"):
        await journal.write(NewLine(code, LineRow(1, Said("Ana", 0, "hello"), 1), keep=50))
        await journal.write(NewBan(code, BanRow(5, "Cem", "")))
    await journal.write(DropTable("DROP"))
    await journal.write(DropRemains())
    assert [each.table for each in await journal.replays(1, 50)] == ["OVER"]
    assert [(await journal.load(code)).chat for code in ("DROP", "OVER")] == [[], []]
    assert [(await journal.load(code)).bans for code in ("DROP", "OVER")] == [[], []]
    stored = await journal.load("RUNS")
    assert (len(stored.chat), len(stored.bans)) == (1, 1)


# Sessions


async def test_sessions_mutes_and_answers_go_together(journal: Journal) -> None:
    for id_, name in ((1, "Ana"), (2, "Bob"), (3, "Cem")):
        await journal.write(NewSession(id_, name.encode(), name, float(id_)))
    await journal.write(SessionSeen(2, "Bea", 20.0))
    await journal.write(SetMute(1, 2, on=True), SetMute(2, 3, on=True), SetMute(1, 2, on=True))
    await journal.write(NewAnswer(2, AnswerRow(1, 70, 5, b"no"), keep=3))
    assert set(await journal.sessions()) == {
        *(SessionRow(1, b"Ana", "Ana"), SessionRow(2, b"Bob", "Bea"), SessionRow(3, b"Cem", "Cem"))
    }
    assert set(await journal.mutes()) == {MuteRow(1, 2), MuteRow(2, 3)}
    assert await journal.last_welcome([1, 2, 9]) == 20.0
    assert await journal.last_welcome([9]) is None
    await journal.write(SetMute(1, 2, on=False))
    assert await journal.mutes() == [MuteRow(2, 3)]
    await journal.write(ForgetSessions([3]))
    assert await journal.mutes() == []
    await journal.write(ForgetSessions([2]))
    assert await journal.answers(2) == []
    assert [row.id for row in await journal.sessions()] == [1]


async def test_no_token_is_given_to_two(journal: Journal) -> None:
    await journal.write(NewSession(1, b"token", "Ana", 0.0))
    with pytest.raises(JournalUnavailable):
        await journal.write(NewSession(1, b"another", "Bob", 0.0))
    with pytest.raises(JournalUnavailable):
        await journal.write(NewSession(2, b"token", "Bob", 0.0))


@pytest.mark.parametrize(
    "change",
    [
        entry("AAAA", 1, Sat("Ana"), session=41),
        NewLine("AAAA", LineRow(1, Said("Ana", 0, "hello"), 41), keep=50),
        NewBan("AAAA", BanRow(41, "Ana", "")),
        FinishTable("AAAA", 1.0, line("AAAA"), [41]),
        NewSession(41, b"", "Ana", 0.0),
    ],
    ids=lambda change: type(change).__name__,
)
async def test_no_number_of_a_session_is_given_twice(place: Place, change: Change) -> None:
    """A forgotten session may still be spoken of."""
    async with place.opened() as journal:
        assert await journal.last_session() == 0
        await journal.write(table("AAAA"), change)
    async with place.opened() as journal:
        assert await journal.last_session() == 41


async def test_so_many_answers_are_kept_the_newest(journal: Journal) -> None:
    rows = [AnswerRow(number, 70 + number, number, b"answer") for number in range(1, 8)]
    for row in rows:
        await journal.write(NewAnswer(1, row, keep=3), NewAnswer(2, row, keep=100))
    assert await journal.answers(1) == rows[-3:]
    assert await journal.answers(2) == rows


async def test_commands_are_known_of_the_match_that_was_played_to_its_end_last(
    journal: Journal,
) -> None:
    for ended, code in enumerate(("OLD", "NEW")):
        await journal.write(table(code), *(entry(code, number) for number in range(1, 4)))
        await journal.write(entry(code, 4, session=2), entry(code, 5, session=None))
        await journal.write(FinishTable(code, float(ended), line(code), [1]))
    await journal.write(table("RUNS"), entry("RUNS", 1))
    done = [DoneRow(100 + number, number, number) for number in (3, 2, 1)]
    assert await journal.done_lately(1, 10) == done
    assert await journal.done_lately(1, 2) == done[:2]
    assert await journal.done_lately(2, 10) == []


async def test_what_a_command_did_is_found_at_its_table(journal: Journal) -> None:
    await journal.write(table("HERE"), table("GONE"))
    await journal.write(*(entry("HERE", number, session=1 + number % 2) for number in range(1, 5)))
    assert await journal.done_at("HERE", 1, 102) == DoneRow(102, 2, 2)
    assert await journal.done_at("HERE", 2, 102) is None
    assert await journal.done_at("HERE", 1, 1) is None
    assert await journal.done_at("GONE", 1, 102) is None


async def test_who_is_long_gone_is_told_from_who_plays_and_who_has_played(
    journal: Journal,
) -> None:
    names = ("stranger", "seated", "veteran", "here")
    for id_, name in enumerate(names, start=1):
        await journal.write(NewSession(id_, name.encode(), name, 10.0))
    await journal.write(table("RUNS"), entry("RUNS", 1, session=2))
    await journal.write(*over("OVER", 1.0, 3))
    await journal.write(SessionsHere([4, 9], 30.0))
    assert await journal.long_gone(before=5.0, unless_played=20.0) == {1}
    assert await journal.long_gone(before=20.0, unless_played=20.0) == {1, 3}
    assert await journal.long_gone(before=5.0, unless_played=5.0) == set()


# What is looked for in long matches


def _long_entry(number: int) -> NewEntry:
    made = Moved(0, "draw", number)
    row = EntryRow(number, made, 1, 100 + number, "digest", number)
    return NewEntry("AAAA", row._replace(chain=bytes(32), written=json.encode(made)))


async def test_what_a_command_did_is_found_by_an_index(journal: Journal) -> None:
    """With an id of 2^52 once, a player has every later command looked for."""
    is_sqlite = isinstance(journal, SqliteJournal)
    how = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
    asked = question(DONE_AT) if is_sqlite else DONE_AT
    assert isinstance(journal, SqlReader)
    await journal.write(table("AAAA"), *(_long_entry(number) for number in range(1, 2_001)))
    if not is_sqlite:
        await journal.ask(Statement("ANALYZE entries"))
    (plan,) = await journal.ask(Statement(f"{how} {asked}", ("AAAA", 1, 2**40)))
    assert "entries_of_commands" in str(plan)
    assert (await journal.done_at("AAAA", 1, 107)) == DoneRow(107, 7, 7)
