"""Each entry is written down with what it led to, and its link of the hash chain."""

import pytest
from msgspec import json

from diadem.entries import Sat, Setup
from diadem.game import digest
from diadem.match import apply, open_match
from diadem_server.storage.records import EntryRow
from diadem_server.table.record import Record

SECRET = bytes(32)
ORIGIN = open_match(Setup("diamoniak"))
MATCH, _ = apply(ORIGIN, Sat("Ana"), SECRET)


def written() -> EntryRow:
    return Record("K7QD", SECRET, ORIGIN).row(Sat("Ana"), MATCH)


def test_an_entry_is_written_with_its_digest_and_link() -> None:
    row = written()
    assert (row.number, row.digest, row.written) == (1, digest(MATCH), json.encode(Sat("Ana")))
    assert len(row.chain) == 32


def test_a_row_is_known_again_and_one_without_a_link_gets_it() -> None:
    row = written()
    for known in (row, row._replace(chain=b"")):
        assert Record("K7QD", SECRET, ORIGIN).linked(known) == row


@pytest.mark.parametrize(
    "record",
    [
        Record("K7QE", SECRET, ORIGIN),
        Record("K7QD", bytes([1] * 32), ORIGIN),
        Record("K7QD", SECRET, ORIGIN, b"{}"),
    ],
)
def test_a_row_of_another_table_is_not_taken(record: Record) -> None:
    assert record.linked(written()) is None


def test_a_row_that_was_changed_is_not_taken() -> None:
    changed = written()._replace(written=b'{"type":"sat","name":"Eva"}')
    assert Record("K7QD", SECRET, ORIGIN).linked(changed) is None
