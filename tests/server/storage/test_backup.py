"""A backup taken under load is a snapshot of the journal: nothing acknowledged is missing from it."""

import asyncio
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from diadem_server.storage.backup import NothingKept, back_up
from diadem_server.storage.schema import FILE, LOCK, OtherVersion
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import MAX_ROUNDS, Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.rig.wire import Player, server
from tests.server import done

TABLES = 4
BACKUPS = 3
MOVES_BETWEEN = 40


class Couple:
    """Two who play on and on, and note the last move of theirs that was acknowledged."""

    def __init__(self, port: int, number: int) -> None:
        self.players = Player(port, f"Ana{number}"), Player(port, f"Bob{number}")
        self.table = ""
        self.acknowledged = 0
        self._chance = Chance(str(number).encode())

    async def sit_down(self) -> None:
        ana, bob = self.players
        for player in self.players:
            await player.connect()
        self.table = await ana.make(Setup("diamoniak", rounds=MAX_ROUNDS))
        await bob.join(self.table)
        await self._do(ana, protocol.Start)

    async def come_back(self, port: int) -> None:
        for player in self.players:
            player.url = f"ws://127.0.0.1:{port}"
            player.view = None
            assert isinstance(await player.connect(), protocol.Welcome)
            await done(player, protocol.Join, self.table)

    async def play_on(self) -> None:
        while True:
            await self.move()

    async def move(self) -> None:
        ana, _ = self.players
        view = await ana.seen(lambda view: view.entry >= self.acknowledged)
        if view.public["phase"] == Phase.BETWEEN:
            await self._do(ana, protocol.Start)
            return
        mover = self.players[view.public["actors"][0]]
        seen = await mover.seen(lambda view: view.entry >= self.acknowledged)
        game = GAMES[view.public["setup"]["game"]]
        move = game.any_move(
            game.read_view(seen.seat, seen.public["game"], seen.private), self._chance
        )
        await self._do(mover, protocol.Play, game.notate(move))

    async def _do(self, player: Player, kind: Any, *given: Any) -> None:
        self.acknowledged = (await done(player, kind, *given)).entry or 0

    async def leave(self) -> None:
        for player in self.players:
            await player.disconnect()


@pytest.mark.slow
async def test_a_backup_under_load_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    promised: list[dict[str, int]] = []
    async with server(kept) as app:
        couples = [Couple(app.port, number) for number in range(TABLES)]
        await asyncio.gather(*(couple.sit_down() for couple in couples))
        playing = [asyncio.create_task(couple.play_on()) for couple in couples]
        for number in range(BACKUPS):
            enough = couples[0].acknowledged + MOVES_BETWEEN
            await couples[0].players[0].seen(lambda view, enough=enough: view.entry >= enough)  # type: ignore[misc]
            promised.append({couple.table: couple.acknowledged for couple in couples})
            await _command("--data", str(kept), "--backup", str(tmp_path / f"{number}" / FILE))
            assert couples[0].acknowledged > enough, "play went on meanwhile"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.gather(*(couple.leave() for couple in couples))
    whole = await _entries(kept)
    for number, before in enumerate(promised):
        _check(before, await _entries(tmp_path / f"{number}"), whole)
    async with server(tmp_path / f"{BACKUPS - 1}") as app:
        for couple in couples:
            couple.acknowledged = 0
            await couple.come_back(app.port)
            await couple.move()
            await couple.leave()


def _check(
    promised: dict[str, int], restored: dict[str, Sequence[Any]], whole: dict[str, Sequence[Any]]
) -> None:
    for table, last in promised.items():
        assert len(restored[table]) >= last, "what was acknowledged is there"
    for table, entries in restored.items():
        assert entries == whole[table][: len(entries)], "a moment of the journal, no patchwork"


async def _command(*options: str) -> None:
    """The command as somebody types it, while the server here plays on."""
    Path(options[-1]).parent.mkdir()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from diadem_server.cli import main; main()", *options)
    )
    assert await process.wait() == 0


async def _entries(folder: Path) -> dict[str, Sequence[Any]]:
    journal = SqliteJournal(folder)
    await journal.start()
    try:
        rows = await journal.tables(0.0)
        return {row.code: (await journal.load(row.code)).entries for row in rows}
    finally:
        await journal.close()


async def test_a_backup_takes_the_place_of_an_older_one_and_is_for_its_owner(
    tmp_path: Path,
) -> None:
    await SqliteJournal(tmp_path).close()
    copy = tmp_path / "copy"
    copy.write_text("an older one")
    back_up(tmp_path, copy)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy", LOCK, FILE]
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_where_nothing_is_kept_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(NothingKept):
        back_up(tmp_path, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_what_another_version_wrote_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("a shopping list" * 100)
    with pytest.raises(OtherVersion):
        back_up(tmp_path, tmp_path / "copy")
    assert [each.name for each in tmp_path.iterdir()] == [FILE]
