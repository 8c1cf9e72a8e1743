"""A match is played again by those who want to, and nobody is dragged into it."""

import asyncio
from pathlib import Path
from typing import Any

from websockets.frames import CloseCode

from diadem_server.app import App
from diadem_server.table.grace_periods import AFTER_THE_END
from diadem_server.table.table import RETRY_SECONDS
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import Gone, TableView
from tests.patience import PATIENCE
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, Time, code, done, is_in, looks_on, names, seat_is, started


async def over(*players: Player, setup: Setup = NUMBERS) -> str:
    """A table where they have played to the end."""
    table = await started(*players, setup=setup)
    await play_to_the_end(*players)
    for player in players:
        await player.seen(is_in(Phase.OVER))
    return table


def goes_on(table: str) -> Any:
    return lambda view: view.public["again"] == table


async def elsewhere(player: Player, table: str) -> TableView:
    return await player.seen(lambda view: view.table != table)


async def test_nothing_begins_before_all_who_are_there_want_to(
    app: App, ana: Player, bob: Player
) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Again)
    view = await bob.seen(seat_is(0, ready=True))
    assert [line["ready"] for line in view.public["players"]] == [True, False]
    assert set(app.lobby.tables) == {table}
    await done(bob, protocol.Again)
    new = await elsewhere(ana, table)
    assert names(new) == ["Ana", "Bob"]
    for player in (ana, bob):
        await player.seen(lambda view: view.table != table and is_in(Phase.PLAYING)(view))
    assert set(app.lobby.tables) == {new.table}


async def test_whoever_changes_their_mind_is_not_taken_along(
    app: App, ana: Player, bob: Player
) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Again)
    await done(ana, protocol.Again, on=False)
    await bob.seen(seat_is(0, ready=False))
    await done(bob, protocol.Again)
    assert set(app.lobby.tables) == {table}
    await done(ana, protocol.Again)
    await elsewhere(ana, table)


async def test_who_has_left_is_not_waited_for(ana: Player, bob: Player) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Again)
    await done(bob, protocol.Part)
    assert names(await elsewhere(ana, table)) == ["Ana"]
    assert not [each for each in bob.messages if isinstance(each, Gone)]


async def test_who_has_lost_the_line_is_waited_for_for_a_while(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    table = await over(ana, bob)
    bob.cut()
    await ana.seen(seat_is(1, present=False))
    await done(ana, protocol.Again)
    assert set(app.lobby.tables) == {table}
    time.goes_on(AFTER_THE_END)
    assert names(await elsewhere(ana, table)) == ["Ana"]


async def test_who_has_left_has_changed_their_mind(app: App, ana: Player, bob: Player) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Again)
    await done(ana, protocol.Part)
    await done(ana, protocol.Join, table)
    await bob.seen(lambda view: seat_is(0, present=True)(view) and seat_is(0, ready=False)(view))
    await done(bob, protocol.Again)
    assert set(app.lobby.tables) == {table}


async def test_the_maker_begins_without_those_who_have_not_said_so(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await over(ana, bob, cem)
    await done(bob, protocol.Again)
    assert code(await bob.ask(protocol.Start)) == "only_the_maker"
    await done(ana, protocol.Start)
    new = await elsewhere(ana, table)
    assert names(new) == ["Ana", "Bob"]
    view = await cem.seen(goes_on(new.table))
    assert (view.table, cem.events("started")) == (table, cem.events("started")[:1])
    await ana.seen(is_in(Phase.PLAYING))
    assert code(await cem.ask(protocol.Start)) == "already_started"
    await done(cem, protocol.Again)
    assert (await elsewhere(cem, table)).seat is None
    assert set(app.lobby.tables) == {new.table}


async def test_once_the_first_has_left_the_next_one_is_the_maker(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await over(ana, bob, cem)
    await done(ana, protocol.Part)
    await bob.seen(lambda view: view.public["maker"] == 1)
    await done(bob, protocol.Start)
    assert names(await elsewhere(bob, table)) == ["Bob"]


async def test_onlookers_are_not_asked_and_stay_until_they_follow(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    await play_to_the_end(ana, bob)
    assert code(await cem.ask(protocol.Again)) == "no_seat"
    for player in (ana, bob):
        await done(player, protocol.Again)
    new = await elsewhere(ana, table)
    assert (await cem.seen(goes_on(new.table))).table == table
    await done(cem, protocol.Again)
    assert (await elsewhere(cem, table)).seat is None


async def test_a_new_match_of_closed_doors_cannot_be_followed(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await over(ana, bob, cem, setup=Setup("numbers", spectators=False))
    await done(bob, protocol.Again)
    await done(ana, protocol.Start)
    new = await elsewhere(ana, table)
    await ana.seen(is_in(Phase.PLAYING))
    await cem.seen(goes_on(new.table))
    assert code(await cem.ask(protocol.Again)) == "no_spectators"
    await cem.seen(is_in(Phase.OVER))


async def test_who_sits_elsewhere_does_not_play_again(ana: Player, bob: Player) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Part)
    other = await ana.make(NUMBERS)  # alone: a bot might guess the number before she asks
    await done(ana, protocol.Start)
    await ana.seen(is_in(Phase.PLAYING))
    await done(ana, protocol.Join, table)
    refused = await ana.ask(protocol.Again)
    assert code(refused) == "seated_elsewhere"
    assert refused.why.about == {"table": other}
    await done(bob, protocol.Again)
    await done(ana, protocol.Part)
    assert names(await elsewhere(bob, table)) == ["Bob"]


async def test_all_are_told_why_it_does_not_begin_and_it_does_later(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    table = await over(ana, bob)
    await done(ana, protocol.Again)
    full = {f"T{number}": app.lobby.tables[table] for number in range(app.config.max_tables)}
    app.lobby.tables.update(full)
    await done(bob, protocol.Again)
    view = await ana.seen(lambda view: view.public["blocked"] is not None)
    assert view.public["blocked"]["code"] == "too_many_tables"
    for made_up in full:
        del app.lobby.tables[made_up]
    time.goes_on(RETRY_SECONDS)
    await elsewhere(ana, table)
    await elsewhere(bob, table)


async def test_who_wants_to_is_kept_over_a_restart(tmp_path: Path, numbers: Any) -> None:
    assert numbers
    bob = Player(0, "Bob")
    ana = Player(0, "Ana")
    async with server(tmp_path) as app:
        for player in (ana, bob):
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
        table = await over(ana, bob)
        await done(ana, protocol.Again)
        for player in (ana, bob):
            player.cut()
    async with server(tmp_path) as app:
        for player in (ana, bob):
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
        await done(ana, protocol.Join, table)
        assert (await ana.seen(is_in(Phase.OVER))).public["players"][0]["ready"]
        await done(bob, protocol.Join, table)
        await done(bob, protocol.Again)
        assert names(await elsewhere(ana, table)) == ["Ana", "Bob"]
        for player in (ana, bob):
            await player.disconnect()


async def test_a_server_whose_tables_go_to_others_leaves_it_to_them(
    app: App, ana: Player, bob: Player
) -> None:
    """Nobody is told that it cannot be done, and who asks for it at once is to ask again there."""
    table = await over(ana, bob)
    app.lobby.is_draining = True
    for player in (ana, bob):
        await done(player, protocol.Again)
    view = await ana.seen(
        lambda view: seat_is(0, ready=True)(view) and seat_is(1, ready=True)(view)
    )
    assert (view.table, view.public["blocked"]) == (table, None)
    assert ana.socket is not None
    await ana.say(protocol.Start(next(ana.ids)))
    await asyncio.wait_for(ana.socket.wait_closed(), PATIENCE)
    assert ana.socket.close_code == CloseCode.SERVICE_RESTART
    assert not [each for each in ana.messages if isinstance(each, protocol.Refused)]
    assert list(app.lobby.tables) == [table]
