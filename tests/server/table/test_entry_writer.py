"""Each entry is written down with what it led to, and its link of the hash chain."""

from pathlib import Path

import pytest
from msgspec import json

from diadem_server.app import App
from diadem_server.lobby import table_limits
from diadem_server.storage.records import EntryRow
from diadem_server.table import entry_writer
from diadem_server.table.entry_writer import EntryWriter
from diadem_shared import match_file, protocol
from diadem_shared.entries import Sat, Setup
from diadem_shared.game import digest
from diadem_shared.match import Phase, apply, open_match
from diadem_shared.match_file import read
from diadem_shared.protocol import MAX_MESSAGE, Accepted
from diadem_shared.verification import verify_whole
from tests.rig.wire import Player, server
from tests.server import code, done, guess_wrong, is_in, mover, started
from tests.server.lobby.test_exports import exported

pytestmark = pytest.mark.usefixtures("numbers")

SECRET = bytes(32)
ORIGIN = open_match(Setup("diamoniak"))
MATCH, _ = apply(ORIGIN, Sat("Ana"), SECRET)


def written() -> EntryRow:
    return EntryWriter("K7QD", SECRET, ORIGIN).write(Sat("Ana"), MATCH)


def test_an_entry_is_written_with_its_digest_and_link() -> None:
    row = written()
    assert (row.number, row.digest, row.written) == (1, digest(MATCH), json.encode(Sat("Ana")))
    assert len(row.chain) == 32


def test_a_row_is_known_again_and_one_without_a_link_gets_it() -> None:
    row = written()
    for known in (row, row._replace(chain=b"")):
        assert EntryWriter("K7QD", SECRET, ORIGIN).verify_link(known) == row


@pytest.mark.parametrize(
    "other",
    [
        EntryWriter("K7QE", SECRET, ORIGIN),
        EntryWriter("K7QD", bytes([1] * 32), ORIGIN),
        EntryWriter("K7QD", SECRET, ORIGIN, b"{}"),
    ],
)
def test_a_row_of_another_table_is_not_taken(other: EntryWriter) -> None:
    assert other.verify_link(written()) is None


def test_a_row_that_was_changed_is_not_taken() -> None:
    changed = written()._replace(written=b'{"type":"sat","name":"Eva"}')
    assert EntryWriter("K7QD", SECRET, ORIGIN).verify_link(changed) is None


# The bounds of a match


async def test_a_round_without_end_is_ended_by_the_server_and_can_be_exported_and_verified(
    app: App, ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_writer, "MOST_ENTRIES_A_ROUND", 3)
    table = await started(ana, bob, setup=Setup("numbers", rounds=2))
    while isinstance(answer := await guess_wrong(await mover([ana, bob]), app), Accepted):
        pass
    assert code(answer) == "match_too_long"
    for player in (ana, bob):
        await player.seen(is_in(Phase.OVER))
    file = read(await exported(ana, table))
    verify_whole(file)
    assert len(file.entries) == 2 + 1 + 3 + 1


async def test_a_round_that_bots_never_end_is_ended_too(
    app: App, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_writer, "MOST_ENTRIES", 8)
    await ana.make(Setup("numbers", rounds=20))
    for _ in range(2):
        await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.Start)
    while (await ana.seen(lambda _: True)).public["phase"] != Phase.OVER:
        await ana.ask(protocol.HandOver, "halver")
        await ana.ask(protocol.Ready, ready=True)
    (table,) = app.lobby.tables.values()
    assert table.match.entries == 9


@pytest.mark.parametrize("bound", ["MOST_ENTRIES", "MOST_BYTES"])
async def test_a_match_that_is_too_long_when_it_is_taken_up_again_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        await started(ana)
    monkeypatch.setattr(entry_writer, bound, 1)
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        async with ana:
            table = next(iter(app.lobby.tables))
            await done(ana, protocol.Join, table)
            await ana.seen(lambda view: view.table == table)
            assert code(await ana.play("guess 5")) == "match_too_long"
            await ana.seen(is_in(Phase.OVER))


def test_what_the_server_lets_grow_a_file_can_hold_and_a_client_reads() -> None:
    longest_line = match_file.MOST_LINE
    assert entry_writer.MOST_ENTRIES + 1 <= match_file.MOST_ENTRIES
    beside = 3 * longest_line + entry_writer.MOST_ENTRIES
    assert entry_writer.MOST_BYTES + beside <= match_file.MOST_BYTES <= MAX_MESSAGE
    assert table_limits.MOST_BEFORE_START < entry_writer.MOST_ENTRIES
