"""Nobody fills a server with tables: not one player, not one address, not for long."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from ipaddress import ip_network
from pathlib import Path

import pytest

from diadem_server.lobby import table_limits
from diadem_server.lobby.table_limits import MOST_OWN
from diadem_server.table.lifetime import ABANDONED_SECONDS
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done

pytestmark = pytest.mark.usefixtures("numbers")

HERE = ip_network("127.0.0.0/8")
LONG = Setup("numbers", rounds=20)
HOME, HOST_OF_HOME, AWAY = "2001:db8:1:2::7", "2001:db8:1:2::8", "2001:db8:1:3::7"


async def leave_behind(player: Player) -> protocol.Answer:
    """Make a match that goes on without anybody; the answer to making it."""
    made: protocol.Answer = await player.ask(protocol.Make, LONG)
    if isinstance(made, Accepted):
        await done(player, protocol.AddBot, "halver")
        await done(player, protocol.Start)
        await done(player, protocol.Resign)
        await done(player, protocol.Part)
    return made


async def test_one_player_keeps_a_bounded_number_of_tables_and_not_for_long(
    tmp_path: Path, time: Time
) -> None:
    async with (
        server(tmp_path, bot_pause=1e6) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        answers = [await leave_behind(ana) for _ in range(MOST_OWN + 5)]
        refused = answers[MOST_OWN]
        assert code(refused) == "too_many_own_tables"
        assert isinstance(refused, protocol.Refused)
        assert refused.why.about == {"most": MOST_OWN}
        assert len(app.lobby.tables) == MOST_OWN
        await done(bob, protocol.Make, NUMBERS)
        left = [table.task for table in app.lobby.tables.values() if table.made_by == 1]
        time.goes_on(ABANDONED_SECONDS)
        for task in left:
            assert task is not None
            await task
        await done(ana, protocol.Make, NUMBERS)


async def test_they_are_counted_after_a_restart_too(tmp_path: Path) -> None:
    ana = Player(0, "Ana")
    for said in ("", "too_many_own_tables"):
        async with server(tmp_path, bot_pause=1e6) as app:
            ana.url = f"ws://127.0.0.1:{app.port}"
            await ana.connect()
            answers: Sequence[protocol.Answer] = [
                await leave_behind(ana) for _ in range(1 if said else MOST_OWN)
            ]
            assert [code(each) for each in answers if not isinstance(each, Accepted)] == (
                [said] if said else []
            )
        await ana.disconnect()


async def test_one_address_keeps_a_bounded_number_whoever_makes_them(tmp_path: Path) -> None:
    async with (
        server(tmp_path, behind_proxy=HERE, max_tables_per_address=2) as app,
        AsyncExitStack() as stack,
    ):
        people = [
            await stack.enter_async_context(Player(app.port, name, address=address))
            for name, address in [
                ("Ana", HOME),
                ("Bob", HOST_OF_HOME),
                ("Cem", HOME),
                ("Dee", AWAY),
            ]
        ]
        answers = [await player.ask(protocol.Make, NUMBERS) for player in people]
        assert [isinstance(each, Accepted) for each in answers] == [True, True, False, True]
        assert code(answers[2]) == "too_many_tables_from_address"
        assert answers[2].why.about == {"most": 2}
        await done(people[0], protocol.Part)
        await done(people[2], protocol.Make, NUMBERS)


async def test_tables_are_made_at_a_limited_rate_from_one_address(
    tmp_path: Path, time: Time
) -> None:
    async with (
        server(tmp_path, behind_proxy=HERE, tables_a_minute=3) as app,
        Player(app.port, "Ana", address=HOME) as ana,
        Player(app.port, "Bob", address=HOST_OF_HOME) as bob,
        Player(app.port, "Cem", address=AWAY) as cem,
    ):
        for player in (ana, bob, ana):
            await done(player, protocol.Make, NUMBERS)
            await done(player, protocol.Part)
        refused = await bob.ask(protocol.Make, NUMBERS)
        assert code(refused) == "too_fast"
        assert 0 < refused.why.about["seconds"] <= 20
        await done(cem, protocol.Make, NUMBERS)
        time.goes_on(21)
        await done(bob, protocol.Make, NUMBERS)


async def test_a_match_that_is_over_counts_for_nobody(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_tables_per_address=1) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        await ana.make(NUMBERS)
        assert code(await bob.ask(protocol.Make, NUMBERS)) == "too_many_tables_from_address"
        await done(ana, protocol.Start)
        await done(ana, protocol.Resign)
        await ana.seen(lambda view: view.public["phase"] == "over")
        await done(bob, protocol.Make, NUMBERS)


async def test_before_the_start_a_table_takes_so_many_changes_and_may_be_left_and_started(
    monkeypatch: pytest.MonkeyPatch, ana: Player, bob: Player
) -> None:
    monkeypatch.setattr(table_limits, "MOST_BEFORE_START", 20)
    table = await ana.make(NUMBERS)
    await bob.join(table)
    entries = 2
    while entries < 20:
        await done(ana, protocol.Change, LONG)
        entries += 1
    assert code(await ana.ask(protocol.Change, NUMBERS)) == "too_many_changes"
    assert code(await ana.ask(protocol.AddBot, "halver")) == "too_many_changes"
    await done(bob, protocol.Stand)
    assert code(await bob.ask(protocol.Sit)) == "too_many_changes"
    await done(ana, protocol.Start)


async def test_a_seat_is_handed_over_and_given_up_so_often_in_a_match(
    monkeypatch: pytest.MonkeyPatch, ana: Player, bob: Player
) -> None:
    monkeypatch.setattr(table_limits, "MOST_ABSENCES", 10)
    table = await ana.make(LONG)
    await bob.join(table)
    await done(ana, protocol.Start)
    for _ in range(10):
        await done(ana, protocol.HandOver, "zombie")
        await done(ana, protocol.TakeBack)
    assert code(await ana.ask(protocol.HandOver, "zombie")) == "too_many_changes"
    await done(bob, protocol.HandOver, "zombie")
    await done(ana, protocol.Resign)
    assert code(await ana.ask(protocol.TakeBack)) == "too_many_changes"
