"""Nobody who holds no seat has answers kept for them, in memory or on the disk."""

import asyncio

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.sessions.sessions import Session
from diadem_shared import protocol
from diadem_shared.protocol import Accepted
from tests.rig.journals import select
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, Calendar, done, started

pytestmark = pytest.mark.usefixtures("numbers")
KEPT = "SELECT count(*) FROM answers"


def session_of(app: App, player: Player) -> Session:
    session = app.lobby.sessions.known(player.token)
    assert session is not None
    return session


async def gone(app: App, player: Player) -> Session:
    """Once the server has seen it, and what was to be forgotten is."""
    session = session_of(app, player)
    await player.disconnect()
    while session.outbox is not None:
        await app.lobby.journal.settled()
    for _ in range(10):  # a task forgets them
        await asyncio.sleep(0)
    await app.lobby.journal.settled()
    return session


def rows(app: App) -> int:
    ((count,),) = select(app.config.data, KEPT)
    return int(count)


async def look_on(player: Player, table: str) -> list[protocol.Command]:
    """Some of what a stranger may do at a table of others; what was accepted of it."""
    said, parted = protocol.Say(701, "hello"), protocol.Part(702)
    await player.join(table, sit=False)
    for command in (said, parted):
        assert isinstance(await player.ask_again(command), Accepted)
    assert (await player.ask(protocol.Sit)).why.code == "at_no_table"
    return [said, parted]


async def test_who_holds_no_seat_and_goes_leaves_no_answers(
    app: App, ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    before = rows(app)
    await look_on(bob, table)
    assert rows(app) == before + 2
    session = await gone(app, bob)
    assert not any(map(session.answers.knows, range(1_000)))
    assert rows(app) == before


async def test_who_comes_back_to_a_seat_finds_them(app: App, ana: Player, bob: Player) -> None:
    table = await started(ana, bob)
    say = protocol.Say(700, "good luck")
    answer = await bob.ask_again(say)
    await gone(app, bob)
    await bob.connect()
    await done(bob, protocol.Join, table)
    assert await bob.ask_again(say) == answer
    assert [line.text for line in ana.chat] == ["good luck"]


async def test_who_looks_on_elsewhere_and_holds_a_seat_finds_them(
    app: App, ana: Player, bob: Player
) -> None:
    other = await ana.make(NUMBERS)
    await started(bob)
    commands = await look_on(bob, other)
    await gone(app, bob)
    await bob.connect()
    for command in commands:
        assert isinstance(await bob.ask_again(command), Accepted)


async def test_who_has_played_the_match_that_is_over_here_finds_them(
    app: App, ana: Player, bob: Player
) -> None:
    await started(ana, bob)
    await play_to_the_end(ana, bob)
    again = protocol.Again(700)
    answer = await bob.ask_again(again)
    session = await gone(app, bob)
    assert session.answers.knows(700)
    await bob.connect()
    assert await bob.ask_again(again) == answer


async def test_what_a_seat_that_is_lost_has_left_is_dropped_in_time(
    app: App, calendar: Calendar, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob)
    await done(bob, protocol.Say, "hello")
    await gone(app, bob)
    assert rows(app) >= 1
    await done(ana, protocol.Resign)
    assert app.lobby.tables[table].match.phase == "playing"
    calendar.ahead += prune.DAY
    await prune.tidy(app.lobby)
    assert rows(app) >= 1, "a match waits for them"
    await app.lobby.tables[table].end()
    await done(ana, protocol.Part)
    calendar.ahead += prune.DAY
    await prune.tidy(app.lobby)
    kept = select(app.config.data, "SELECT DISTINCT session FROM answers")
    assert kept in ([], [(session_of(app, ana).id,)])
