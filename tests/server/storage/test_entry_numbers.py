"""No entry of a table is written twice, and of tables that are gone nothing is remembered."""

from typing import Any

import pytest

from diadem_server.storage.changes import (
    Change,
    DropTable,
    FinishTable,
    NewEntry,
    NewTable,
    SetReady,
)
from diadem_server.storage.entry_numbers import EntryNumbers, WrittenTwice
from diadem_server.storage.records import EntryRow
from diadem_shared.entries import Setup, Started

LINE: Any = None
"""How a match is listed does not matter here."""


def entry(number: int, code: str = "K7F3") -> NewEntry:
    return NewEntry(code, EntryRow(number, Started(), None, None, ""))


def table(code: str = "K7F3") -> NewTable:
    return NewTable(code, 0.0, Setup("diamoniak"), b"", 1)


class Looked:
    """What a journal finds for tables of which nothing was written yet, and how often it looked."""

    def __init__(self, **stored: int) -> None:
        self.stored = stored
        self.codes: list[str] = []

    def __call__(self, code: str) -> int:
        self.codes.append(code)
        return self.stored.get(code, 0)


def test_entries_follow_each_other() -> None:
    numbers = EntryNumbers(Looked())
    numbers.keep(numbers.after([table(), entry(1), entry(2)]))
    assert numbers.after([entry(3)]) == {"K7F3": 3}


@pytest.mark.parametrize("again", [1, 2])
def test_one_that_is_there_is_refused(again: int) -> None:
    numbers = EntryNumbers(Looked())
    numbers.keep(numbers.after([table(), entry(1), entry(2)]))
    with pytest.raises(WrittenTwice):
        numbers.after([entry(again)])


def test_it_is_refused_within_one_write_too() -> None:
    with pytest.raises(WrittenTwice):
        EntryNumbers(Looked()).after([table(), entry(1), entry(1)])


def test_what_was_not_written_counts_for_nothing() -> None:
    numbers = EntryNumbers(Looked())
    numbers.after([entry(1)])
    assert numbers.after([entry(1)]) == {"K7F3": 1}


def test_a_table_from_before_is_looked_up_once() -> None:
    looked = Looked(K7F3=7)
    numbers = EntryNumbers(looked)
    with pytest.raises(WrittenTwice):
        numbers.after([entry(7)])
    numbers.keep(numbers.after([entry(8)]))
    numbers.keep(numbers.after([entry(9)]))
    assert looked.codes == ["K7F3", "K7F3"]


@pytest.mark.parametrize("end", [DropTable("K7F3"), FinishTable("K7F3", 0.0, LINE, [])])
def test_a_table_that_is_over_is_forgotten(end: DropTable | FinishTable) -> None:
    looked = Looked(K7F3=3)
    numbers = EntryNumbers(looked)
    numbers.keep(numbers.after([table(), entry(1)]))
    numbers.keep(numbers.after([end]))
    assert numbers.after([entry(4)]) == {"K7F3": 4}
    assert looked.codes == ["K7F3"]


def test_tables_have_numbers_of_their_own_and_other_changes_none() -> None:
    numbers = EntryNumbers(Looked())
    changes: list[Change] = [
        table(),
        table("M2PX"),
        entry(1),
        entry(1, "M2PX"),
        SetReady("K7F3", 1, 1, ready=True),
    ]
    assert numbers.after(changes) == {"K7F3": 1, "M2PX": 1}
