"""Who may send whom away, and who stays away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.table import bans
from diadem_shared import protocol
from diadem_shared.protocol import MOST_ONLOOKERS_NAMED, Gone, Refused
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import (
    NUMBERS,
    code,
    done,
    gone,
    looks_on,
    names_onlookers,
    players,
    seat_is,
    started,
)

HERE = ip_network("127.0.0.1")
FAR, NEAR, ELSEWHERE = "2620:fe::1", "192.168.7.7", "9.9.9.9"


async def test_a_player_is_banned_before_the_start_and_stays_away(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(ana, protocol.Ban, "Bob", on=True)
    assert await gone(bob) == "banned"
    view = await ana.seen(lambda view: len(view.public["players"]) == 1)
    assert view.public["onlookers"] == []
    for command in (protocol.Sit, protocol.Again):
        assert code(await bob.ask(command)) == "at_no_table"
    assert code(await bob.ask(protocol.Join, table)) == "banned"
    bob.cut()
    bob.name = "Robert"
    await bob.connect()
    assert code(await bob.ask(protocol.Join, table)) == "banned"
    assert code(await bob.ask(protocol.Say, "let me in")) == "at_no_table"
    await bob.make(NUMBERS)


async def test_an_onlooker_is_banned_while_a_match_runs(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    await ana.seen(names_onlookers("Cem"))
    await done(ana, protocol.Ban, "Cem", on=True)
    assert await gone(cem) == "banned"
    await bob.seen(names_onlookers())
    assert code(await cem.ask(protocol.Join, table)) == "banned"


async def test_a_ban_is_lifted(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(ana, protocol.Ban, "Bob", on=True)
    view = await ana.seen(lambda view: view.banned != ())
    assert view.banned == ("Bob",)
    await done(ana, protocol.Ban, "Bob", on=False)
    await ana.seen(lambda view: not view.banned)
    await bob.join(table)
    await ana.seen(seat_is(1, name="Bob"))
    assert code(await ana.ask(protocol.Ban, "Bob", on=False)) == "no_such_person"


@pytest.mark.parametrize("sits", [True, False])
async def test_who_was_only_sent_away_may_come_again(
    *, sits: bool, ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table, sit=sits)
    await done(ana, protocol.Kick, "Bob")
    assert await gone(bob) == "removed"
    await ana.seen(lambda view: len(view.public["players"]) == 1)
    await bob.join(table)
    await ana.seen(seat_is(1, name="Bob"))


async def test_nobody_who_plays_is_sent_away(app: App, ana: Player, bob: Player) -> None:
    await started(ana, bob)
    for kind, more in ((protocol.Kick, {}), (protocol.Ban, {"on": True})):
        assert code(await ana.ask(kind, "Bob", **more)) == "has_seat"
    await play_to_the_end(ana, bob)
    assert code(await ana.ask(protocol.Ban, "Bob", on=True)) == "has_seat"
    assert not any(isinstance(each, Gone) for each in bob.messages)
    assert (await app.lobby.journal.load(next(iter(app.lobby.tables)))).bans == []


async def test_who_resigned_is_not_kept_from_the_seat(app: App) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=60.0)
    async with players(app, "Ana", "Bob") as (ana, bob):
        table = await started(ana, bob)
        await done(bob, protocol.Resign)
        await ana.seen(names_onlookers("Bob"))
        assert code(await ana.ask(protocol.Ban, "Bob", on=True)) == "has_seat"
        await done(bob, protocol.Part)
        await looks_on(bob, table)
        await done(bob, protocol.TakeBack)


async def test_a_ban_by_others_than_the_maker_is_refused(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await looks_on(cem, table)
    for player in (bob, cem):
        assert code(await player.ask(protocol.Ban, "Ana", on=True)) == "only_the_maker"
        assert code(await player.ask(protocol.Ban, "Bob", on=False)) == "only_the_maker"
        assert code(await player.ask(protocol.Kick, "Ana")) == "only_the_maker"
    await done(ana, protocol.Stand)
    await bob.seen(lambda view: view.public["maker"] == 0 and view.seat == 0)
    assert code(await ana.ask(protocol.Ban, "Bob", on=True)) == "only_the_maker"
    await done(bob, protocol.Ban, "Ana", on=True)
    assert await gone(ana) == "banned"


async def test_the_next_maker_inherits_the_bans(ana: Player, bob: Player, cem: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await cem.join(table)
    await done(ana, protocol.Ban, "Cem", on=True)
    assert all(not each.banned for each in bob.messages if isinstance(each, protocol.TableView))
    await done(ana, protocol.Part)
    assert (await bob.seen(lambda view: view.public["maker"] == view.seat)).banned == ("Cem",)
    assert code(await cem.ask(protocol.Join, table)) == "banned"
    await done(bob, protocol.Ban, "Cem", on=False)
    await cem.join(table)


@pytest.mark.parametrize(
    ("name", "said"),
    # No name stands for that of the bot.
    [("Ana", "own_seat"), ("", "no_such_person"), ("Nobody", "no_such_person")],
)
async def test_only_other_people_are_banned_and_muted(app: App, name: str, said: str) -> None:
    async with players(app, "Ana", "Nobody") as (ana, _):
        table = await ana.make(NUMBERS)
        await done(ana, protocol.AddBot, "halver")
        name = name or app.lobby.tables[table].match.players[1].name
        assert code(await ana.ask(protocol.Kick, name)) == said
        for kind in (protocol.Ban, protocol.Mute):
            assert code(await ana.ask(kind, name, on=True)) == said
        assert len(app.lobby.tables[table].match.players) == 2


async def test_what_a_banned_player_sent_before_is_not_done_after(
    app: App, ana: Player, bob: Player
) -> None:
    """Commands wait for their turn at a table; a ban may overtake the one who sent them."""
    table = await ana.make(NUMBERS)
    await looks_on(bob, table)
    held = app.lobby.tables[table]
    resume = asyncio.Event()
    held.post(lambda: _wait(resume))
    ban = asyncio.create_task(ana.ask(protocol.Ban, "Bob", on=True))
    while not held.waiting:  # noqa: ASYNC110, until the ban stands in the queue
        await asyncio.sleep(0)
    late = [asyncio.create_task(bob.ask(protocol.Sit))]
    late.append(asyncio.create_task(bob.ask(protocol.Say, "still here")))
    while held.waiting < 3:  # noqa: ASYNC110
        await asyncio.sleep(0)
    resume.set()
    await ban
    assert [code(await each) for each in late] == ["at_no_table", "at_no_table"]
    assert len(held.match.players) == 1
    assert held.chat.lines == []


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


async def test_who_speaks_and_runs_is_banned_all_the_same(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await looks_on(bob, table)
    await done(bob, protocol.Say, "boo")
    await done(bob, protocol.Part)
    await done(ana, protocol.Ban, "Bob", on=True)
    assert code(await bob.ask(protocol.Join, table)) == "banned"


async def test_another_of_the_same_name_is_banned_too(app: App, ana: Player) -> None:
    table = await ana.make(NUMBERS)
    for _ in range(2):
        async with Player(app.port, "Bob") as bob:
            await looks_on(bob, table)
            await done(ana, protocol.Ban, "Bob", on=True)
            assert await gone(bob) == "banned"
            await done(ana, protocol.Ban, "Bob", on=True)
        while sum(each.outbox is not None for each in app.lobby.sessions) > 1:
            await ana.ask(protocol.Ping)
    assert len((await app.lobby.journal.load(table)).bans) == 2
    await done(ana, protocol.Ban, "Bob", on=False)
    assert (await app.lobby.journal.load(table)).bans == []


async def test_a_table_has_so_many_bans(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "MOST_BANNED", 2)
    async with players(app, "Ana", "Bob", "Cem", "Dee") as (ana, *others):
        table = await ana.make(NUMBERS)
        for player in others:
            await looks_on(player, table)
        await ana.seen(names_onlookers("Bob", "Cem", "Dee"))
        for name in ("Bob", "Cem", "Bob"):
            await done(ana, protocol.Ban, name, on=True)
        refused = await ana.ask(protocol.Ban, "Dee", on=True)
        assert isinstance(refused, Refused)
        assert (refused.why.code, refused.why.about) == ("list_full", {"most": 2})
        await done(ana, protocol.Ban, "Bob", on=False)
        await done(ana, protocol.Ban, "Dee", on=True)


async def test_so_many_onlookers_are_named(app: App) -> None:
    names = [f"Guest {number}" for number in range(MOST_ONLOOKERS_NAMED + 3)]
    async with players(app, "Ana", *names) as (ana, *guests):
        table = await ana.make(NUMBERS)
        for guest in guests:
            await looks_on(guest, table)
        view = await ana.seen(lambda view: view.public["watchers"] == len(names))
        assert view.public["onlookers"] == names[:MOST_ONLOOKERS_NAMED]
        await done(ana, protocol.Kick, names[-1])
        assert await gone(guests[-1]) == "removed"


# Addresses


@asynccontextmanager
async def at_addresses(folder: Path, *addresses: str) -> AsyncIterator[tuple[App, list[Player]]]:
    """A server whose bots take their time, and a player from each of these addresses."""
    async with (
        server(folder, behind_proxy=HERE, bot_pause=60.0) as app,
        AsyncExitStack() as stack,
    ):
        yield (
            app,
            [
                await stack.enter_async_context(Player(app.port, name, address=address))
                for name, address in zip(("Ana", "Bob", "Cem"), addresses, strict=False)
            ],
        )


async def comes_anew(app: App, address: str, table: str) -> str:
    """With another token and name, from the same network."""
    async with Player(app.port, "Zoe", address=address) as zoe:
        answer = await zoe.ask(protocol.Join, table)
        return code(answer) if isinstance(answer, Refused) else ""


@pytest.mark.usefixtures("numbers")
async def test_a_banned_guest_does_not_come_back_with_another_token(tmp_path: Path) -> None:
    async with at_addresses(tmp_path, ELSEWHERE, FAR) as (app, (ana, bob)):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await done(ana, protocol.Ban, "Bob", on=True)
        for address in (FAR, "2620:fe::2:3"):
            assert await comes_anew(app, address, table) == "banned"
        assert await comes_anew(app, "2620:fe:0:1::1", table) == ""
        assert await comes_anew(app, ELSEWHERE, table) == ""
        await done(ana, protocol.Ban, "Bob", on=False)
        assert await comes_anew(app, FAR, table) == ""


@pytest.mark.usefixtures("numbers")
async def test_a_household_is_not_banned_with_one_of_it(tmp_path: Path) -> None:
    """Cem sits at the table from the same address as Bob, who looks on; then Ana does."""
    async with at_addresses(tmp_path, ELSEWHERE, FAR, FAR) as (app, (ana, bob, cem)):
        table = await ana.make(NUMBERS)
        await cem.join(table)
        await looks_on(bob, table)
        await ana.seen(names_onlookers("Bob"))
        await done(ana, protocol.Ban, "Bob", on=True)
        assert code(await bob.ask(protocol.Join, table)) == "banned"
        cem.cut()
        await ana.seen(seat_is(1, present=False))
        await cem.connect()
        await done(cem, protocol.Join, table)
        assert await comes_anew(app, FAR, table) == ""
        async with Player(app.port, "Dee", address=ELSEWHERE) as dee:
            await looks_on(dee, table)
            await done(ana, protocol.Ban, "Dee", on=True)
        assert await comes_anew(app, ELSEWHERE, table) == ""


@pytest.mark.usefixtures("numbers")
async def test_who_was_there_before_stays_when_another_from_there_is_banned(
    tmp_path: Path,
) -> None:
    async with at_addresses(tmp_path, ELSEWHERE, FAR, FAR) as (_, (ana, bob, cem)):
        table = await ana.make(NUMBERS)
        await looks_on(cem, table)
        await looks_on(bob, table)
        await done(ana, protocol.Ban, "Bob", on=True)
        await done(cem, protocol.Sit)
        await ana.seen(seat_is(1, name="Cem"))


@pytest.mark.usefixtures("numbers")
async def test_who_resigned_comes_back_although_another_from_there_is_banned(
    tmp_path: Path,
) -> None:
    async with at_addresses(tmp_path, ELSEWHERE, FAR, FAR) as (app, (ana, bob, cem)):
        table = await started(ana, bob)
        await done(bob, protocol.Resign)
        await looks_on(cem, table)
        await ana.seen(names_onlookers("Bob", "Cem"))
        await done(ana, protocol.Ban, "Cem", on=True)
        assert await comes_anew(app, FAR, table) == "banned"
        await done(bob, protocol.Part)
        await looks_on(bob, table)


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize("address", ["", "127.0.0.1", NEAR, "fe80::7", "fd00::7"])
async def test_a_local_network_is_not_banned_whole(tmp_path: Path, address: str) -> None:
    async with at_addresses(tmp_path, ELSEWHERE, address) as (app, (ana, bob)):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await done(ana, protocol.Ban, "Bob", on=True)
        assert code(await bob.ask(protocol.Join, table)) == "banned"
        assert await comes_anew(app, address, table) == ""
