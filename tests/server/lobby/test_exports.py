"""Finished matches as files: whole, for those who may see them, and with nothing in them that is not of the game."""

import json
from pathlib import Path
from typing import Any

import pytest

from diadem_server.lobby import exports
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.chain import Chain
from diadem_shared.shuffle import commitment_of_server
from tests.rig.journals import change
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import code, done, looks_on, started

pytestmark = pytest.mark.usefixtures("numbers")


async def exported(player: Player, table: str) -> bytes:
    pieces, after = [], None
    while True:
        piece = await player.ask(protocol.Export, table, after)
        assert isinstance(piece, protocol.Exported), piece
        pieces.append(piece.piece)
        if (after := piece.next) is None:
            return b"".join(pieces)


def maps(file: bytes) -> list[dict[str, Any]]:
    assert file.endswith(b"\n")
    return [json.loads(line) for line in file.splitlines()]


def newest_link(file: bytes, secret: str) -> str:
    first, *entries, _ = file.splitlines()
    chain = Chain(bytes.fromhex(secret), first)
    link = chain.origin
    for entry in entries:
        link = chain.link(link, entry)
    return link.hex()


@pytest.mark.parametrize("page", [1, 3, 250])
async def test_an_export_leads_to_what_everybody_was_told(
    ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(exports, "PAGE", page)
    table = await started(ana, bob)
    await play_to_the_end(ana, bob)
    file = await exported(ana, table.lower())
    first, *entries, end = maps(file)
    assert (first["type"], first["table"], end["type"]) == ("table", table, "end")
    assert len(entries) == end["entries"]
    assert commitment_of_server(bytes.fromhex(end["secret"])).hex() == first["commitment"]
    assert newest_link(file, end["secret"]) == end["chain"]
    told = {
        each.entry: each.chain
        for player in (ana, bob)
        for each in player.messages
        if isinstance(each, protocol.TableView)
    }
    assert told[end["entries"]] == end["chain"]
    assert len(set(told.values())) == len(told)
    assert await exported(bob, table) == file


async def test_nothing_is_in_an_export_but_the_game(ana: Player, bob: Player) -> None:
    table = await started(ana, bob)
    await done(ana, protocol.Say, "psst")
    await play_to_the_end(ana, bob)
    file = await exported(ana, table)
    for told in ("psst", ana.token, "127.0.0.1", "session", "command"):
        assert told.encode() not in file


async def test_only_what_is_over_is_exported_and_only_to_those_who_were_there(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    for player in (ana, cem):
        assert code(await player.ask(protocol.Export, table)) == "no_such_replay"
    await play_to_the_end(ana, bob)
    file = await exported(cem, table)
    assert file == await exported(ana, table)
    await done(cem, protocol.Part)
    assert code(await cem.ask(protocol.Export, table)) == "no_such_replay"
    assert await exported(ana, table) == file


@pytest.mark.parametrize("after", [10**6, 2**53 - 1])
async def test_behind_the_last_entry_there_is_only_the_end(ana: Player, after: int) -> None:
    table = await started(ana)
    await done(ana, protocol.Resign)
    await ana.seen(lambda view: bool(view.public["phase"] == "over"))
    piece = await ana.ask(protocol.Export, table, after)
    assert [each["type"] for each in maps(piece.piece)] == ["end"]
    assert piece.next is None


async def test_a_match_of_an_older_version_is_exported_as_well(tmp_path: Path) -> None:
    async with server(tmp_path) as app, Player(app.port) as ana:
        table = await started(ana)
        await done(ana, protocol.Resign)
        await ana.seen(lambda view: bool(view.public["phase"] == "over"))
    await SqliteJournal(tmp_path).close()  # all entries lie in one place now
    change(tmp_path, "UPDATE entries SET digest = substr(digest, 1, 32)")
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        *_, end = maps(await exported(ana, table))
        assert end["chain"] == ""
        assert len(end["digest"]) == 32
        await ana.disconnect()
