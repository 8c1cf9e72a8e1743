"""Tables over real sockets: made, found, sat at, played at, left and come back to."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.table.grace_periods import AFTER_THE_END
from diadem_server.table.table import Table
from diadem_shared import protocol
from diadem_shared.bot_names import BOT_NAMES
from diadem_shared.entries import Sat, Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Bye, Gone, History
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import (
    NUMBERS,
    Time,
    code,
    done,
    guess_right,
    guess_wrong,
    is_in,
    mover,
    names,
    seat_is,
    started,
)

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


async def test_a_whole_match_is_played_over_the_wire(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        table = await ana.make(DIAMONIAK)
        await bob.join(table)
        assert isinstance(await ana.ask(protocol.Ready, ready=True), Accepted)
        await bob.ask(protocol.Ready, ready=True)
        await play_to_the_end(ana, bob, level="strong")
        assert ana.view is not None
        assert sum(ana.view.public["rounds"][0]["scores"]) == 1
        assert ana.events("match_over") == bob.events("match_over")


async def test_a_move_is_answered_before_it_is_shown(app: App, ana: Player, bob: Player) -> None:
    await started(ana, bob)
    who = await mover([ana, bob])
    answer = await guess_wrong(who, app)
    await who.seen(lambda view: view.entry == answer.entry)
    shown = next(
        message for message in who.messages if getattr(message, "entry", 0) == answer.entry
    )
    assert shown is answer


async def test_views_are_numbered_for_each_viewer(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    for player in (ana, bob):
        await player.seen(lambda view: len(view.public["players"]) == 2)
        views = [each for each in player.messages if isinstance(each, protocol.TableView)]
        assert [view.number for view in views] == list(range(1, len(views) + 1))


async def test_a_full_table_can_be_visited_before_the_start(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.AddBot, "halver")
    await bob.join(table, sit=False)
    assert code(await bob.ask(protocol.Sit)) == "table_full"
    await done(ana, protocol.Remove, 2)
    await done(bob, protocol.Sit)
    view = await ana.seen(lambda view: len(view.public["players"]) == 3)
    assert [line["bot"] for line in view.public["players"]] == [None, "halver", None]
    assert names(view)[2] == "Bob"


async def test_bots_have_names_of_their_own(app: App, ana: Player) -> None:
    await ana.make(Setup("diadingo"))
    for _ in range(7):
        await done(ana, protocol.AddBot, "zombie")
    view = await ana.seen(lambda view: len(view.public["players"]) == 8)
    assert len({*names(view)[1:]} & {*BOT_NAMES}) == 7
    async with Player(app.port, names(view)[1]) as somebody:
        assert [code(each) for each in somebody.messages if isinstance(each, Bye)] == [
            "name_in_use"
        ]


async def test_bots_of_before_keep_their_names(tmp_path: Path) -> None:
    """A journal of the time when bots were called after their levels."""
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        table = await ana.make(DIAMONIAK)
        held = app.lobby.tables[table]
        entered = asyncio.Event()

        async def sit() -> None:
            assert await held.enter(Sat("easy 1", "easy")) is None
            entered.set()

        held.post(sit)
        await entered.wait()
        await done(ana, protocol.AddBot, "easy")
        token, before = ana.token, names(await ana.seen(lambda view: view.entry == 3))
    again = Player(0, "Ana")
    again.token, again.ids = token, ana.ids
    async with server(tmp_path) as app:
        again.url = f"ws://127.0.0.1:{app.port}"
        async with again as ana:
            await ana.join(table, sit=False)
            view = await ana.seen(lambda view: view.entry == 3)
            assert (names(view), names(view)[1]) == (before, "easy 1")


async def test_a_visitor_is_seen_off_when_a_closed_table_begins(app: App) -> None:
    setup = Setup("numbers", spectators=False)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await ana.make(setup)
        await bob.join(table, sit=False)
        assert (await bob.seen(lambda view: view.seat is None)).public["watchers"] == 1
        await done(ana, protocol.Start)
        gone = await bob.until(partial(_gone, bob))
        assert code(gone) == "no_spectators"
        assert not any(each.public["game"] for each in bob.messages if hasattr(each, "public"))
        assert code(await bob.ask(protocol.Join, table)) == "no_spectators"
        assert code(await bob.ask(protocol.Say, "hello")) == "at_no_table"


async def test_who_is_refused_at_another_table_stays_where_they_are(
    ana: Player, bob: Player
) -> None:
    closed = await started(ana, setup=Setup("numbers", spectators=False))
    await bob.make(NUMBERS)
    assert code(await bob.ask(protocol.Join, closed)) == "no_spectators"
    await done(bob, protocol.Say, "still here")


async def test_whoever_resigns_from_an_open_match_may_look_on_and_sit_elsewhere(
    ana: Player, bob: Player
) -> None:
    table = await started(ana, bob, setup=Setup("numbers", rounds=2))
    await done(ana, protocol.Resign)
    await ana.seen(lambda view: view.seat is None)
    await bob.seen(seat_is(0, bot="zombie", away=True))
    await done(ana, protocol.Join, table)
    assert ana.view is not None
    assert ana.view.seat is None
    await ana.make(NUMBERS)


async def test_the_next_to_have_come_decides_when_the_maker_leaves(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    assert code(await bob.ask(protocol.AddBot, "halver")) == "only_the_maker"
    await done(ana, protocol.Part)
    await bob.seen(lambda view: view.seat == 0 and view.public["maker"] == 0)
    await done(bob, protocol.AddBot, "halver")


async def test_who_plays_on_decides_when_the_maker_hands_over(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    await done(ana, protocol.HandOver, "halver")
    await bob.seen(lambda view: view.public["maker"] == 1)


async def test_a_table_does_not_shrink_under_those_who_sit(ana: Player, bob: Player) -> None:
    table = await ana.make(DIAMONIAK)
    await bob.join(table)
    await done(ana, protocol.AddBot, "strong")
    await done(ana, protocol.AddBot, "strong")
    assert code(await ana.ask(protocol.Change, NUMBERS)) == "table_full"
    await done(ana, protocol.Remove, 3)
    assert code(await ana.ask(protocol.Change, NUMBERS)) == "no_such_bot"
    await done(ana, protocol.Remove, 2)
    await done(ana, protocol.Change, NUMBERS)
    view = await bob.seen(lambda view: view.public["setup"]["game"] == "numbers")
    assert len(view.public["players"]) == 2


async def test_a_change_asks_everybody_anew(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(bob, protocol.Ready, ready=True)
    await ana.seen(seat_is(1, ready=True))
    await done(ana, protocol.Change, Setup("numbers", rounds=2))
    await ana.seen(seat_is(1, ready=False))


async def test_a_round_is_dealt_when_the_last_who_was_not_ready_leaves(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(ana, protocol.Ready, ready=True)
    await done(bob, protocol.Stand)
    await ana.seen(is_in(Phase.PLAYING))


async def test_whoever_was_removed_is_not_ready_when_she_sits_again(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(bob, protocol.Ready, ready=True)
    await done(ana, protocol.Remove, 1)
    await done(bob, protocol.Sit)
    await ana.seen(seat_is(1, name="Bob", ready=False))


async def test_the_maker_deals_the_next_round_without_waiting(
    app: App, ana: Player, bob: Player
) -> None:
    await started(ana, bob, setup=Setup("numbers", rounds=2))
    await guess_right(await mover([ana, bob]), app)
    await ana.seen(is_in(Phase.BETWEEN))
    await done(ana, protocol.Start)
    await ana.seen(is_in(Phase.PLAYING))


async def test_a_match_is_played_again_by_those_who_are_there(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(NUMBERS)
    await done(ana, protocol.AddBot, "halver")
    await bob.join(table)
    await cem.join(table, sit=False)
    assert code(await bob.ask(protocol.Again)) == "not_over"
    bot = app.lobby.tables[table].match.players[1].name
    await done(ana, protocol.Start)
    await play_to_the_end(ana, bob)
    assert code(await cem.ask(protocol.Again)) == "no_seat"
    await done(bob, protocol.Again)
    await done(ana, protocol.Again)
    new = (await ana.seen(lambda view: view.table != table)).table
    await cem.seen(lambda view: view.public["again"] == new)
    await done(cem, protocol.Again)
    for player, seat in ((ana, 0), (bob, 2), (cem, None)):
        view = await player.seen(lambda view: view.table != table)
        assert view.seat == seat
        assert names(view) == ["Ana", bot, "Bob"]
        gone = [message for message in player.messages if isinstance(message, Gone)]
        assert [code(each) for each in gone] == ["again"]
        assert gone[0].why.about == {"table": view.table}
    await play_to_the_end(ana, bob)
    assert table not in app.lobby.tables


async def test_a_finished_table_stays_until_the_last_has_gone(
    app: App, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob)
    await play_to_the_end(ana, bob)
    await done(ana, protocol.Part)
    await done(bob, protocol.Say, "well played")
    await done(ana, protocol.Join, table)
    assert [said.text for said in ana.chat] == ["well played"]
    task = app.lobby.tables[table].task
    assert task is not None
    await done(ana, protocol.Part)
    await done(bob, protocol.Part)
    await task
    assert code(await ana.ask(protocol.Join, table)) == "no_such_table"


@pytest.mark.parametrize("is_noticed", [True, False], ids=["broken", "replaced"])
async def test_whoever_loses_the_line_at_the_end_comes_back_to_it(
    *, is_noticed: bool, ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table, sit=False)
    await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.Start)
    await play_to_the_end(ana)
    if is_noticed:
        ana.cut()
        await bob.seen(seat_is(0, present=False))
    await done(bob, protocol.Part)
    await ana.connect()
    await done(ana, protocol.Join, table)
    await ana.seen(is_in(Phase.OVER))
    await done(ana, protocol.Again)


async def test_nobody_is_waited_for_long_at_the_end(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob, setup=replace(NUMBERS, patience=86_400))
    held = app.lobby.tables[table]
    bob.cut()
    await ana.seen(seat_is(1, present=False))
    held.post(held.end)
    await ana.seen(is_in(Phase.OVER))
    await done(ana, protocol.Part)
    time.goes_on(AFTER_THE_END)
    assert held.task is not None
    await held.task
    assert table not in app.lobby.tables


async def test_commands_sent_in_one_go_are_done_in_their_order(ana: Player, bob: Player) -> None:
    """Join, Part and Join again without waiting: the last word counts, everywhere."""
    table = await ana.make(NUMBERS)
    await done(bob, protocol.Join, table)
    assert bob.socket is not None
    asked = [
        protocol.Sit(101),
        protocol.Part(102),
        protocol.Join(103, table),
        protocol.Sit(104),
        protocol.Say(105, "here"),
    ]
    for command in asked:
        await bob.socket.send(protocol.pack(command))
    await bob.until(lambda: bob.chat)
    answers = _answers(bob)
    assert all(isinstance(answers[command.id], Accepted) for command in asked)
    assert bob.chat[0].seat == 1


async def test_nobody_sits_at_two_tables_by_being_quick(
    ana: Player, bob: Player, cem: Player
) -> None:
    here, there = await ana.make(NUMBERS), await bob.make(NUMBERS)
    assert cem.socket is not None
    for command in (
        protocol.Join(101, here),
        protocol.Sit(102),
        protocol.Join(103, there),
        protocol.Sit(104),
        protocol.Make(105, NUMBERS),
    ):
        await cem.socket.send(protocol.pack(command))
    await cem.until(lambda: len(_answers(cem)) == 5)
    answers = _answers(cem)
    seats = [answers[id_] for id_ in (102, 104, 105)]
    assert sum(isinstance(each, Accepted) for each in seats) == 1
    refusals = [code(each) for each in seats if not isinstance(each, Accepted)]
    assert refusals == ["seated_elsewhere"] * 2


def _answers(player: Player) -> dict[int, protocol.Answer]:
    return {m.id: m for m in player.messages if isinstance(m, protocol.Answer) and m.id > 100}


async def test_history_comes_in_pages(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diadem_server.table.history.PAGE", 3)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(ana, bob)
        await play_to_the_end(ana, bob)
        found: list[protocol.Happened] = []
        page = History(0, [], more=True)
        while page.more:
            page = await ana.ask(protocol.GetHistory, found[0].entry if found else None)
            found = page.happened + found
        told = [
            happened
            for message in ana.messages
            if isinstance(message, protocol.TableView)
            for happened in message.happened
        ]
        # The maker was there from the first, but for their own sitting down.
        assert found[1:] == told
        assert found[0].event == {"type": "sat", "name": "Ana", "bot": None}


async def test_a_table_that_breaks_down_takes_no_other_with_it(
    app: App,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    ana: Player,
    bob: Player,
    cem: Player,
) -> None:
    table = await started(ana, bob)
    await started(cem)
    broken = app.lobby.tables[table]
    show = Table.show

    def breaks(self: Table, last: object) -> None:
        assert self is not broken, "planted"
        show(self, last)  # type: ignore[arg-type]

    monkeypatch.setattr(Table, "show", breaks)
    who = await mover([ana, bob])
    other = bob if who is ana else ana
    answer, waiting = await asyncio.gather(
        guess_wrong(who, app), other.ask(protocol.Ready, ready=True)
    )
    assert isinstance(answer, Accepted), "it was in the journal, and so it was acknowledged"
    assert code(waiting) in {"table_broken", "already_started", "at_no_table"}
    for player in (ana, bob):
        gone = await player.until(partial(_gone, player))
        assert code(gone) == "table_broken"
        assert code(await player.ask(protocol.Join, table)) == "table_broken"
    assert f"table {table} broke down" in caplog.text
    assert isinstance(await guess_right(cem, app), Accepted)
    kept = (await app.lobby.journal.load(table)).entries
    assert [row.number for row in kept] == list(range(1, len(kept) + 1))
    assert kept[-1].number == answer.entry


def _gone(player: Player) -> Gone | None:
    return next((message for message in player.messages if isinstance(message, Gone)), None)
