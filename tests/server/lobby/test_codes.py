"""The codes of tables: given back, long where a table is private, and slow to guess."""

from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.lobby import codes, prune
from diadem_server.lobby.codes import Codes
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, code, done, started

PRIVATE = Setup("numbers", private=True)


def test_a_code_is_in_use_until_it_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "CODE_LETTERS", "A")
    kept = Codes([])
    assert kept.take(private=False) == "AAAA"
    assert kept.take(private=False) == "AAAAA"
    kept.give_back("AAAA")
    assert kept.take(private=False) == "AAAA"


def test_a_longer_code_is_taken_where_the_short_ones_are_used_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codes, "CODE_LETTERS", "AB")
    kept = Codes([])
    drawn = [kept.take(private=False) for _ in range(200)]
    assert len(set(drawn)) == 200
    assert {len(each) for each in drawn} <= {4, 5, 6, 7, 8}


async def test_a_private_table_has_a_long_code_and_a_public_one_a_short_one(
    ana: Player, bob: Player
) -> None:
    assert len(await ana.make(PRIVATE)) == codes.PRIVATE_LENGTH == 8
    assert len(await bob.make(NUMBERS)) == codes.PUBLIC_LENGTH


async def test_the_same_again_at_a_private_table_has_a_long_code(ana: Player) -> None:
    table = await started(ana, setup=PRIVATE)
    await play_to_the_end(ana)
    await done(ana, protocol.Again)
    again = await ana.seen(lambda view: view.table != table)
    assert len(again.table) == codes.PRIVATE_LENGTH


async def test_a_table_that_was_listed_does_not_become_private(ana: Player, bob: Player) -> None:
    await ana.make(NUMBERS)
    assert code(await ana.ask(protocol.Change, PRIVATE)) == "listed_already"
    await bob.make(PRIVATE)
    await done(bob, protocol.Change, NUMBERS)
    await done(bob, protocol.Change, PRIVATE)


async def test_codes_are_given_back_with_their_tables(app: App, ana: Player) -> None:
    for _ in range(5):
        table = await ana.make(NUMBERS)
        task = app.lobby.tables[table].task
        assert task is not None
        await done(ana, protocol.Part)
        await task
    assert not await app.lobby.registry.codes()


@pytest.mark.usefixtures("numbers")
async def test_a_code_is_in_use_as_long_as_the_replay_of_its_table(tmp_path: Path) -> None:
    async with server(tmp_path, keep_replays=1) as app, Player(app.port, "Ana") as ana:
        tables = []
        for _ in range(3):
            tables.append(await started(ana))
            await play_to_the_end(ana)
            task = app.lobby.tables[tables[-1]].task
            assert task is not None
            await done(ana, protocol.Part)
            await task
        assert await app.lobby.registry.codes() == set(tables)
        running = await started(ana)
        await prune.tidy(app.lobby)
        assert await app.lobby.registry.codes() == {tables[-1], running}
    async with server(tmp_path) as app:
        assert await app.lobby.registry.codes() == {tables[-1], running}


@pytest.mark.usefixtures("numbers")
async def test_an_old_short_code_of_a_private_table_still_leads_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = Player(0, "Ana")
    with monkeypatch.context() as before:
        before.setattr(codes, "PRIVATE_LENGTH", 4)
        async with server(tmp_path) as app:
            ana.url = f"ws://127.0.0.1:{app.port}"
            await ana.connect()
            table = await ana.make(PRIVATE)
        await ana.disconnect()
    assert len(table) == 4
    async with server(tmp_path) as app, Player(app.port, "Bob") as bob:
        await bob.join(table)
        await bob.seen(lambda view: view.seat == 1)
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        await done(ana, protocol.Join, table)
        await done(ana, protocol.Change, Setup("numbers", private=True, rounds=2))
        await ana.disconnect()


async def test_guessing_codes_becomes_slow_and_keeps_nobody_from_a_listed_table(
    app: App, ana: Player, bob: Player
) -> None:
    hidden = await started(ana, setup=PRIVATE)
    refused = [await bob.ask(protocol.Join, f"NONE{number}") for number in range(30)]
    said = [code(each) for each in refused]
    assert said[0] == "no_such_table"
    assert said[-1] == "too_fast"
    assert said.count("no_such_table") < 15
    assert refused[-1].why.about["seconds"] >= 1
    # A code that is right tells nothing either, and another line from there helps nobody.
    assert code(await bob.ask(protocol.Join, hidden)) == "too_fast"
    async with Player(app.port, "Cem") as cem:
        assert code(await cem.ask(protocol.Join, "NONE")) == "too_fast"
        listed = await cem.make(NUMBERS)
        await done(bob, protocol.Join, listed)
    await done(ana, protocol.Part)
    assert isinstance(await ana.ask(protocol.Join, hidden), Accepted), "whoever sits there"
