"""Who is not heard by whom, and how long that and a ban last."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.lobby import moderation, prune
from diadem_shared import protocol
from diadem_shared.match import Phase
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import (
    NUMBERS,
    Calendar,
    code,
    done,
    fill_disk,
    is_in,
    looks_on,
    make_room,
    names_onlookers,
    players,
    started,
)


async def test_who_is_muted_is_not_heard_by_that_viewer_alone(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    await done(bob, protocol.Mute, "Cem", on=True)
    assert (await bob.seen(lambda view: view.muted != ())).muted == ("Cem",)
    await done(cem, protocol.Say, "blah")
    await ana.until(lambda: ana.chat)
    await cem.until(lambda: cem.chat)
    await bob.ask(protocol.Ping)
    assert bob.chat == []
    assert not any(
        each.muted for each in cem.messages + ana.messages if isinstance(each, protocol.TableView)
    )
    await done(bob, protocol.Mute, "Cem", on=False)
    await bob.seen(lambda view: not view.muted)
    await done(cem, protocol.Say, "sorry")
    said = await bob.until(lambda: bob.chat)
    assert [each.text for each in said] == ["sorry"]
    await done(bob, protocol.Mute, "Cem", on=False)


async def test_others_are_sent_nothing_when_somebody_mutes(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    await ana.seen(names_onlookers("Cem"))
    await bob.seen(names_onlookers("Cem"))
    await cem.ask(protocol.Ping)
    before = [len(each.messages) for each in (ana, cem)]
    for on in (True, False) * 5:
        await done(bob, protocol.Mute, "Cem", on=on)
    await bob.seen(lambda view: view.muted == ())
    for player in (ana, cem):
        await player.ask(protocol.Ping)
    assert [len(each.messages) for each in (ana, cem)] == [count + 1 for count in before]


async def test_neither_a_new_name_nor_another_table_escapes_a_mute(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(NUMBERS)
    await looks_on(bob, table)
    await looks_on(cem, table)
    await ana.seen(names_onlookers("Bob", "Cem"))
    await done(ana, protocol.Mute, "Bob", on=True)
    for player in (ana, bob):
        player.cut()
    await cem.seen(lambda view: not view.public["players"][0]["present"])
    bob.name = "Robert"
    await bob.connect()
    await ana.connect()
    await looks_on(bob, table)
    await done(bob, protocol.Say, "ha")
    await done(ana, protocol.Join, table)
    await ana.seen(lambda view: view.muted == ("Robert",))
    await done(bob, protocol.Say, "ha ha")
    assert ana.chat == []
    await done(ana, protocol.Part)
    second = await cem.make(NUMBERS)
    for player in (ana, bob):
        await looks_on(player, second)
    await done(bob, protocol.Say, "ha ha ha")
    await ana.ask(protocol.Ping)
    assert ana.chat == []
    assert [said.text for said in cem.chat][-1] == "ha ha ha"


async def test_all_are_muted_and_the_match_goes_on(app: App) -> None:
    names = ["Bob", "Cem", "Dee"]
    async with players(app, "Ana", *names) as (ana, *others):
        bob, *_ = others
        table = await started(ana, bob)
        for player in others[1:]:
            await looks_on(player, table)
        await ana.seen(names_onlookers("Cem", "Dee"))
        for name in names:
            await done(ana, protocol.Mute, name, on=True)
        assert (await ana.seen(lambda view: len(view.muted) == 3)).muted == tuple(names)
        for player in others:
            await done(player, protocol.Say, "anything")
        await play_to_the_end(ana, bob)
        await ana.seen(is_in(Phase.OVER))
        assert ana.chat == []


async def test_a_session_mutes_so_many(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "MOST_MUTED", 2)
    async with players(app, "Ana", "Bob", "Cem", "Dee") as (ana, *others):
        table = await ana.make(NUMBERS)
        for player in others:
            await looks_on(player, table)
        await ana.seen(names_onlookers("Bob", "Cem", "Dee"))
        for name in ("Bob", "Cem", "Bob"):
            await done(ana, protocol.Mute, name, on=True)
        assert code(await ana.ask(protocol.Mute, "Dee", on=True)) == "list_full"
        await done(ana, protocol.Mute, "Bob", on=False)
        await done(ana, protocol.Mute, "Dee", on=True)


# What lasts


@pytest.mark.usefixtures("numbers")
async def test_bans_and_mutes_outlast_a_restart(tmp_path: Path) -> None:
    crew = [Player(0, name) for name in ("Ana", "Bob", "Cem")]
    ana, bob, cem = crew

    @asynccontextmanager
    async def with_all() -> AsyncIterator[App]:
        async with server(tmp_path) as app:
            for player in crew:
                player.url = f"ws://127.0.0.1:{app.port}"
                await player.connect()
            yield app
            for player in crew:
                await player.disconnect()

    async with with_all():
        table = await ana.make(NUMBERS)
        for player in (bob, cem):
            await player.join(table)
        await done(bob, protocol.Say, "before")
        await done(ana, protocol.Mute, "Bob", on=True)
        await done(ana, protocol.Ban, "Cem", on=True)
    for _ in range(2):
        async with with_all():
            for player in (ana, bob):
                player.messages.clear()
                await done(player, protocol.Join, table)
            assert code(await cem.ask(protocol.Join, table)) == "banned"
            view = await ana.seen(lambda view: view.seat == 0)
            assert (view.muted, view.banned) == (("Bob",), ("Cem",))
            await done(bob, protocol.Say, "after")
            await ana.ask(protocol.Ping)
            assert ana.chat == []
            assert bob.chat


@pytest.mark.usefixtures("numbers")
async def test_nobody_gets_the_number_of_a_forgotten_session_that_is_banned(
    tmp_path: Path, calendar: Calendar
) -> None:
    ana = Player(0, "Ana")
    async with server(tmp_path, now=calendar) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        table = await ana.make(NUMBERS)
        async with Player(app.port, "Bob") as bob:
            await looks_on(bob, table)
            await done(ana, protocol.Ban, "Bob", on=True)
        while all(each.outbox for each in app.lobby.sessions):
            await ana.ask(protocol.Ping)
        calendar.ahead = prune.DAY
        await prune.tidy(app.lobby)
        assert [each.name for each in app.lobby.sessions] == ["Ana"]
    await ana.disconnect()
    async with server(tmp_path) as app, Player(app.port, "Dee") as dee:
        await looks_on(dee, table)


async def test_a_ban_goes_along_when_all_play_again(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    await done(ana, protocol.Ban, "Cem", on=True)
    await play_to_the_end(ana, bob)
    await done(bob, protocol.Again)
    await done(ana, protocol.Again)
    new = (await ana.seen(lambda view: view.table != table)).table
    assert code(await cem.ask(protocol.Join, new)) == "banned"
    assert [ban.name for ban in (await app.lobby.journal.load(new)).bans] == ["Cem"]


async def test_bans_go_with_their_table_and_mutes_with_the_session(
    tmp_path: Path, calendar: Calendar, numbers: Any
) -> None:
    assert numbers
    async with server(tmp_path, now=calendar) as app:
        journal = app.lobby.journal
        async with players(app, "Ana", "Bob") as (ana, bob):
            table = await ana.make(NUMBERS)
            await looks_on(bob, table)
            await done(bob, protocol.Mute, "Ana", on=True)
            await done(ana, protocol.Mute, "Bob", on=True)
            await done(ana, protocol.Ban, "Bob", on=True)
            assert len(await journal.mutes()) == 2
            await bob.disconnect()
            while all(each.outbox for each in app.lobby.sessions):
                await ana.ask(protocol.Ping)
            calendar.ahead = prune.DAY
            await prune.tidy(app.lobby)
            assert await journal.mutes() == []
            assert all(not each.muted for each in app.lobby.sessions)
            assert (await journal.load(table)).bans
            task = app.lobby.tables[table].task
            assert task is not None
            await done(ana, protocol.Part)
            await task
            assert (await journal.load(table)).bans == []


async def test_on_a_full_disk_a_ban_is_refused_and_nothing_is_done(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await looks_on(cem, table)
    await ana.seen(names_onlookers("Cem"))
    fill_disk(app)
    for name in ("Bob", "Cem"):
        assert code(await ana.ask(protocol.Ban, name, on=True)) == "journal_unavailable"
        assert code(await ana.ask(protocol.Mute, name, on=True)) == "journal_unavailable"
    assert app.lobby.tables[table].bans.rows == []
    make_room(app)
    view = await ana.seen(lambda view: view.seat == 0)
    assert len(view.public["players"]) == 2
    assert not view.muted
    for player in (bob, cem):
        await done(player, protocol.Say, "still here")
    assert len(app.lobby.tables[table].seating.viewers) == 3
