"""Places for journals, and journals full of old matches, to test storage with."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from diadem_server.storage.changes import Change, FinishTable, NewEntry, NewTable
from diadem_server.storage.journal import Journal
from diadem_server.storage.records import EntryRow, FinishedLine
from diadem_server.storage.schema import FILE
from diadem_shared.entries import Sat, Setup
from diadem_shared.game import Outcome

TABLES, ENTRIES = 60, 300
LINE = FinishedLine("T", "diamoniak", ("Ana",), Outcome((1,), (0,)))


def old_match(code: str, ended: float) -> list[Change]:
    """Some 60 KB."""
    return [
        NewTable(code, 0.0, Setup("diamoniak"), b"", 1),
        *(
            NewEntry(code, EntryRow(number, Sat("A" * 100), None, None, ""))
            for number in range(1, ENTRIES + 1)
        ),
        FinishTable(code, ended, LINE, [1]),
    ]


def size(folder: Path) -> int:
    return (folder / FILE).stat().st_size


async def filled(journal: Journal) -> None:
    for number in range(TABLES):
        await journal.write(*old_match(f"T{number}", float(number)))


class Place:
    """Where a journal is kept, and can be opened again and again."""

    def __init__(self, make: Callable[[], Journal]) -> None:
        self._make = make

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Journal]:
        journal = self._make()
        await journal.start()
        yield journal
        await journal.close()
