"""What quotas count is what the journal takes on the disk, about, and never much less."""

from pathlib import Path

from diadem_server.storage.changes import Change, NewAnswer, NewEntry, NewSession, NewTable
from diadem_server.storage.records import AnswerRow, EntryRow
from diadem_server.storage.schema import FILE
from diadem_server.storage.sizes import size_of
from diadem_server.storage.sqlite import MOST_APPENDED, SqliteJournal
from diadem_shared.entries import Moved, Setup

MANY = 3 * MOST_APPENDED
DIGEST, LINK = "0123456789abcdef", bytes(32)


async def grown(folder: Path, changes: list[Change]) -> tuple[int, int]:
    """By so many bytes the journal has grown, and so many are counted."""
    journal = SqliteJournal(folder)
    await journal.start()
    await journal.write(NewTable("AAAA", 0.0, Setup("diamoniak"), b"", 1))
    await journal.close()
    before = (folder / FILE).stat().st_size
    journal = SqliteJournal(folder)
    await journal.start()
    for start in range(0, len(changes), 1_000):
        await journal.write(*changes[start : start + 1_000])
    await journal.close()
    return (folder / FILE).stat().st_size - before, sum(map(size_of, changes))


async def check(folder: Path, changes: list[Change]) -> None:
    taken, counted = await grown(folder, changes)
    assert 0.8 * taken < counted < 2 * taken, (taken // len(changes), counted // len(changes))


def entry(number: int) -> NewEntry:
    row = EntryRow(number, Moved(1, "draw"), 1234, 56_000 + number, DIGEST, 2**31, LINK, b"x" * 50)
    return NewEntry("AAAA", row)


async def test_an_entry_counts_for_what_it_takes(tmp_path: Path) -> None:
    await check(tmp_path, [entry(number) for number in range(1, MANY)])


async def test_an_answer_counts_for_what_it_takes(tmp_path: Path) -> None:
    rows = (
        (session, AnswerRow(number, 56_000 + number, 2**31, bytes(30)))
        for session in range(100)
        for number in range(100)
    )
    await check(tmp_path, [NewAnswer(session, row, 200) for session, row in rows])


async def test_a_session_counts_for_what_it_takes(tmp_path: Path) -> None:
    await check(
        tmp_path,
        [NewSession(n, n.to_bytes(32), f"Somebody {n}", 1e9) for n in range(1, 5_000)],
    )
