"""A command that is sent again is answered as it was, and not done twice; not after SIGKILL either."""

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.sessions.answers import REMEMBERED_ANSWERS
from diadem_server.storage.schema import FILE
from diadem_server.table.grace_periods import BEFORE_THE_START
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Answer, Command, Welcome
from tests.rig.journals import select
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import (
    NUMBERS,
    Time,
    code,
    done,
    fill_disk,
    guess_right,
    guess_wrong,
    is_in,
    make_room,
    mover,
    seat_is,
    started,
)

pytestmark = pytest.mark.usefixtures("numbers")
TWO_ROUNDS = Setup("numbers", rounds=2)


@asynccontextmanager
async def a_server(folder: Path, *names: str) -> AsyncIterator[tuple[App, list[Player]]]:
    async with server(folder) as app:
        players = [Player(app.port, name) for name in names]
        for player in players:
            await player.connect()
        yield app, players
        for player in players:
            await player.disconnect()


def as_killed(folder: Path) -> Path:
    """What SIGKILL would leave of it at this moment."""
    spare = folder.with_name(f"{folder.name}-after")
    spare.mkdir()
    for file in folder.glob(f"{FILE}*"):
        shutil.copy(file, spare)
    return spare


@asynccontextmanager
async def after_a_kill(folder: Path, players: Sequence[Player]) -> AsyncIterator[App]:
    """A server that goes on with what is on the disk now; everybody comes back."""
    spare = as_killed(folder)
    for player in players:
        await player.disconnect()
    async with server(spare) as app:
        for player in players:
            player.url = f"ws://127.0.0.1:{app.port}"
            player.view = None
            await player.connect()
        yield app
        for player in players:
            await player.disconnect()


async def send(player: Player, *commands: Command) -> None:
    """In one go, without waiting for an answer."""
    assert player.socket is not None
    for command in commands:
        await player.socket.send(protocol.pack(command))


def answered(player: Player, id_: int) -> list[Answer]:
    return [each for each in player.messages if isinstance(each, Answer) and each.id == id_]


async def everything_is_answered(player: Player) -> None:
    """A table does one thing after another: what was asked of it before is answered then."""
    await player.ask(protocol.GetHistory)


# Over a kill


async def test_a_line_of_chat_is_told_once(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (_, players):
        ana, bob = players
        table = await started(ana, bob)
        said = protocol.Say(700, "good luck")
        answer = await ana.ask_again(said)
        async with after_a_kill(tmp_path, players):
            for player in players:
                await done(player, protocol.Join, table)
            assert await ana.ask_again(said) == answer
            bob.messages.clear()
            await done(bob, protocol.Join, table)
            await everything_is_answered(bob)
            assert [each.text for each in bob.chat] == ["good luck"]


async def test_a_refused_move_is_refused_again_though_it_would_be_good_by_now(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (app, players):
        table = await started(*players)
        who = await mover(players)
        other = players[1 - players.index(who)]
        early = protocol.Play(700, "guess 5")
        refusal = await other.ask_again(early)
        assert code(refusal) == "not_your_turn"
        await guess_wrong(who, app)
        assert await other.ask_again(early) == refusal
        await other.disconnect()
        await other.connect()
        assert await other.ask_again(early) == refusal, "before the table is joined"
        await done(other, protocol.Join, table)
        await other.seen(lambda view: view.seat in view.public["actors"])
        entries = app.lobby.tables[table].match.entries
        assert await other.ask_again(early) == refusal
        assert app.lobby.tables[table].match.entries == entries


async def test_a_refusal_is_not_written_and_judged_anew_after_a_kill(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana") as (_, players):
        (ana,) = players
        await ana.make(NUMBERS)
        rows = select(tmp_path, "SELECT count(*) FROM answers")
        make, sit = protocol.Make(700, NUMBERS), protocol.Sit(701)
        assert code(await ana.ask_again(make)) == "seated_elsewhere"
        assert code(await ana.ask_again(sit)) == "seated_already"
        assert select(tmp_path, "SELECT count(*) FROM answers") == rows
        assert isinstance(await ana.ask(protocol.Part), Accepted)
        async with after_a_kill(tmp_path, players) as app:
            assert isinstance(await ana.ask_again(make), Accepted)
            assert len(app.lobby.tables) == 1


async def test_a_match_is_played_again_once(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (_, players):
        ana, bob = players
        table = await started(ana, bob)
        await play_to_the_end(ana, bob)
        again = protocol.Again(700)
        answer = await bob.ask_again(again)
        assert isinstance(answer, Accepted)
        await done(ana, protocol.Again)
        new = (await bob.seen(lambda view: view.table != table)).table
        async with after_a_kill(tmp_path, players) as app:
            assert await bob.ask_again(again) == answer
            await done(bob, protocol.Join, table)
            assert await bob.ask_again(again) == answer, "at the old table too"
            assert set(app.lobby.tables) == {table, new}
            assert len(app.lobby.tables[new].match.players) == 2
            *_, welcome = (each for each in bob.messages if isinstance(each, Welcome))
            assert welcome.table == new


async def test_a_table_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana") as (app, players):
        (ana,) = players
        make, part = protocol.Make(700, NUMBERS), protocol.Part(702)
        answers = [
            await ana.ask_again(command) for command in (make, protocol.AddBot(701, "halver"), part)
        ]
        assert all(isinstance(each, Accepted) for each in answers)
        await ana.ask(protocol.ListReplays)
        assert not app.lobby.tables
        async with after_a_kill(tmp_path, players) as again:
            assert await ana.ask_again(make) == answers[0]
            assert await ana.ask_again(part) == answers[2]
            assert not again.lobby.tables


async def test_who_looked_on_has_parted_once(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (_, players):
        ana, bob = players
        table = await ana.make(NUMBERS)
        await bob.join(table, sit=False)
        part = protocol.Part(700)
        answer = await bob.ask_again(part)
        async with after_a_kill(tmp_path, players):
            await done(bob, protocol.Join, table)
            assert await bob.ask_again(part) == answer
            await done(bob, protocol.Say, "still here")


async def test_a_move_that_ended_the_match_is_known_when_its_table_is_gone(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (app, players):
        table = await started(*players)
        who = await mover(players)
        last = protocol.Play(700, f"guess {app.lobby.tables[table].match.state.secret}")
        answer = await who.ask_again(last)
        task = app.lobby.tables[table].task
        for player in players:
            await done(player, protocol.Part)
        assert task is not None
        await task
        for session in app.lobby.sessions:
            assert session.outbox is not None
        for player in players:
            await player.disconnect()
        await prune.tidy(app.lobby)
        for player in players:
            await player.connect()
        assert await who.ask_again(last) == answer, "it was found in the journal"


async def test_two_hundred_answers_are_remembered_and_no_more(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana") as (_, players):
        (ana,) = players
        table = await ana.make(NUMBERS)
        said = [protocol.Ready(1_000 + id_, ready=False) for id_ in range(REMEMBERED_ANSWERS + 1)]
        for command in said:
            assert isinstance(await ana.ask_again(command), Accepted)
        await done(ana, protocol.Start)
        async with after_a_kill(tmp_path, players) as again:
            rows = select(again.config.data, "SELECT count(*) FROM answers")
            assert rows == [(REMEMBERED_ANSWERS,)]
            await done(ana, protocol.Join, table)
            for command in said[2:]:
                assert isinstance(await ana.ask_again(command), Accepted)
            assert code(await ana.ask_again(said[0])) == "already_started", "asked for anew"


async def test_what_was_refused_for_want_of_room_is_done_when_there_is_some(
    app: App, ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    ready = protocol.Ready(700, ready=True)
    fill_disk(app)
    assert code(await ana.ask_again(ready)) == "journal_unavailable"
    assert code(await bob.ask(protocol.Start)) == "only_the_maker", "of no weight"
    make_room(app)
    assert isinstance(await ana.ask_again(ready), Accepted)
    await bob.seen(seat_is(0, ready=True))


# Readiness


async def test_who_said_so_is_still_ready(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob", "Cem") as (_, players):
        ana, bob, cem = players
        table = await ana.make(NUMBERS)
        for player in (bob, cem):
            await player.join(table)
        ready = protocol.Ready(700, ready=True)
        answer = await bob.ask_again(ready)
        await done(cem, protocol.Ready, ready=True)
        await done(cem, protocol.Ready, ready=False)
        async with after_a_kill(tmp_path, players):
            for player in players:
                await done(player, protocol.Join, table)
            assert await bob.ask_again(ready) == answer
            for seat, is_ready in enumerate((False, True, False)):
                await ana.seen(seat_is(seat, ready=is_ready, present=True))


async def test_nobody_is_dealt_to_before_all_have_come_back(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (_, players):
        ana, bob = players
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await done(ana, protocol.Ready, ready=True)
        await bob.disconnect()
        await ana.seen(seat_is(1, present=False))
        async with after_a_kill(tmp_path, players) as app:
            await done(ana, protocol.Join, table)
            await ana.seen(seat_is(0, ready=True))
            await everything_is_answered(ana)
            assert app.lobby.tables[table].match.phase is Phase.GATHERING
            await done(bob, protocol.Join, table)
            await done(bob, protocol.Ready, ready=True)
            await ana.seen(is_in(Phase.PLAYING))


async def test_who_was_ready_and_lost_the_line_is_dealt_to_when_back(
    app: App, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob, setup=TWO_ROUNDS)
    await guess_right(await mover([ana, bob]), app)
    await bob.seen(is_in(Phase.BETWEEN))
    await done(bob, protocol.Ready, ready=True)
    bob.cut()
    await ana.seen(seat_is(1, present=False, ready=True))
    await done(ana, protocol.Ready, ready=True)
    await everything_is_answered(ana)
    assert app.lobby.tables[table].match.phase is Phase.BETWEEN, "somebody is waited for"
    await bob.connect()
    await done(bob, protocol.Join, table)
    await ana.seen(is_in(Phase.PLAYING))


async def test_who_is_ready_is_dealt_to_when_nobody_is_waited_for_any_more(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob, setup=TWO_ROUNDS)
    await guess_right(await mover([ana, bob]), app)
    await ana.seen(is_in(Phase.BETWEEN))
    await done(bob, protocol.Ready, ready=True)
    bob.cut()
    await ana.seen(seat_is(1, present=False))
    await done(ana, protocol.Ready, ready=True)
    time.goes_on(BEFORE_THE_START)
    await ana.seen(is_in(Phase.PLAYING))
    assert app.lobby.tables[table].match.players[1].stand_in


async def test_readiness_ends_with_the_round_it_was_for(tmp_path: Path) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (app, players):
        ana, bob = players
        table = await ana.make(TWO_ROUNDS)
        await bob.join(table)
        for player in players:
            await done(player, protocol.Ready, ready=True)
        for player in players:
            await player.seen(is_in(Phase.PLAYING))
        await guess_right(await mover(players), app)
        await ana.seen(is_in(Phase.BETWEEN))
        async with after_a_kill(tmp_path, players):
            for player in players:
                await done(player, protocol.Join, table)
            for seat in (0, 1):
                await ana.seen(seat_is(seat, ready=False, present=True))


# One id, one content; one frame, one answer


async def test_a_frame_that_comes_three_times_is_done_once_and_answered_three_times(
    ana: Player, bob: Player
) -> None:
    await started(ana, bob)
    say = protocol.Say(700, "hello")
    await send(ana, say, say, say)
    await ana.until(lambda: len(answered(ana, 700)) == 3)
    await everything_is_answered(ana)
    assert answered(ana, 700) == [Accepted(700)] * 3
    await everything_is_answered(bob)
    assert len(bob.chat) == 1


async def test_a_question_that_comes_three_times_is_answered_three_times(ana: Player) -> None:
    table = await started(ana)
    for command in (
        protocol.GetHistory(700),
        protocol.Join(701, table),
        protocol.ListReplays(702),
        protocol.Check(703, {}),
    ):
        await send(ana, command, command, command)
        await ana.until(partial(lambda id_: len(answered(ana, id_)) == 3, command.id))


async def test_who_comes_back_is_at_the_table_though_the_same_join_was_answered_before(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    join = protocol.Join(700, table)
    await bob.ask_again(join)
    await bob.disconnect()
    await bob.connect()
    assert isinstance(await bob.ask_again(join), Accepted)
    await done(bob, protocol.Say, "back again")


@pytest.mark.parametrize("is_killed", [False, True])
async def test_an_id_that_was_used_for_something_else_is_refused(
    tmp_path: Path, *, is_killed: bool
) -> None:
    async with a_server(tmp_path, "Ana", "Bob") as (app, players):
        ana, bob = players
        table = await started(ana, bob)
        who = await mover(players)
        other = players[1 - players.index(who)]
        move = protocol.Play(700, _wrong(app, table))
        said, muted = protocol.Say(701, "hello"), protocol.Mute(702, other.name, on=True)
        before = [await who.ask_again(command) for command in (move, said, muted)]
        assert all(isinstance(each, Accepted) for each in before)

        async def slips() -> None:
            for slip in (
                protocol.Play(700, "guess 7"),
                protocol.Resign(700),
                protocol.Say(701, "hello?"),
                protocol.Make(702, NUMBERS),
                protocol.Ping(702),
            ):
                refusal = await who.ask_again(slip)
                assert code(refusal) == "id_reused"
                assert refusal.why.about == {"id": slip.id}
            for command, answer in zip((move, said, muted), before, strict=True):
                assert await who.ask_again(command) == answer, "that was not forgotten"

        await slips()
        if is_killed:
            async with after_a_kill(tmp_path, players):
                await slips()
                await done(who, protocol.Join, table)
                await slips()


def _wrong(app: App, table: str) -> str:
    secret = app.lobby.tables[table].match.state.secret
    return "guess 5" if secret != 5 else "guess 6"
