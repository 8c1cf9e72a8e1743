"""A lesson is dealt alike for everybody, for one alone, and leaves nothing behind; nobody has a say in a deal."""

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.command_line import OPTIONS
from diadem_server.storage.changes import DropRemains
from diadem_server.table.grace_periods import BEFORE_THE_START
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.lesson import LessonTable, deal_of
from diadem_shared.match import Phase
from diadem_shared.refusals import Code
from diadem_shared.shuffle import commitment_of_server
from tests.rig.wire import Player, server
from tests.server import Time, code, done

CASTLES = Setup("diamoniak", {"youngest": 0}, spectators=False, private=True)
LESSON = replace(CASTLES, lesson=True)


async def begin(player: Player, setup: Setup = LESSON) -> None:
    """At a table of its own, where nobody adds to the shuffle."""
    await player.make(setup)
    await done(player, protocol.AddBot, "easy")
    await done(player, protocol.Start)


async def first_card(player: Player, setup: Setup) -> Any:
    await begin(player, setup)
    await done(player, protocol.Play, "draw")
    view = await player.seen(lambda view: bool(view.public["game"]["drawn"]))
    return view.public["game"]["drawn"]


async def test_lessons_are_dealt_alike_and_other_tables_are_not(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    alike = [await first_card(player, LESSON) for player in (ana, bob)]
    assert alike[0] == alike[1]
    await begin(cem, CASTLES)
    seeds = [table.shuffling.server for table in app.lobby.tables.values()]
    assert (len(seeds), len({*seeds})) == (3, 2)


async def test_its_bot_begins_with_given_moves(ana: Player) -> None:
    deal = deal_of(LESSON)
    assert deal is not None
    await begin(ana)
    for move in deal.moves[:5]:
        await done(ana, protocol.Play, move)
    await ana.seen(lambda view: view.public["actors"] == [0] and bool(ana.events("stopped")[1:]))
    drawn = [each["seat"] for each in ana.events("drew")]
    assert drawn == [0] * 4 + [1] * deal.table.moves.index("stop")


UNSOUND: tuple[dict[str, Any], ...] = (
    {"private": False},
    {"spectators": True},
    {"rounds": 2},
    {"game": "numbers", "options": {}},
    {"game": "diamino-bonus", "options": {"language": "xx"}},
)


async def test_it_is_private_and_of_a_game_that_has_one(ana: Player) -> None:
    answers = [code(await ana.ask(protocol.Make, replace(LESSON, **each))) for each in UNSOUND]
    assert [
        (each, answer)
        for each, answer in zip(UNSOUND, answers, strict=True)
        if answer not in {Code.LESSON_IS_FIXED, Code.BAD_OPTION}
    ] == []


async def test_nobody_else_comes_to_it(app: App, ana: Player, bob: Player) -> None:
    table = await ana.make(LESSON)
    await done(bob, protocol.Join, table)
    assert code(await bob.ask(protocol.Sit)) == Code.LESSON_IS_FIXED
    await done(ana, protocol.AddBot, "easy")
    assert code(await bob.ask(protocol.Sit)) == Code.LESSON_IS_FIXED
    assert code(await ana.ask(protocol.AddBot, "easy")) == Code.LESSON_IS_FIXED
    for setup in (CASTLES, LESSON):
        assert code(await ana.ask(protocol.Change, setup)) == Code.LESSON_IS_FIXED
    await done(ana, protocol.Start)
    assert code(await bob.ask(protocol.Join, table)) == Code.NO_SPECTATORS
    await done(ana, protocol.Part)
    await ana.make(CASTLES)
    assert code(await ana.ask(protocol.Change, LESSON)) == Code.LESSON_IS_FIXED
    assert len(app.lobby.tables) == 1


async def test_nobody_adds_to_its_shuffle(ana: Player) -> None:
    await ana.make(LESSON)
    assert code(await ana.ask(protocol.Commit, "00" * 32)) == Code.LESSON_IS_FIXED


async def test_it_ends_with_who_leaves_it_and_nothing_is_kept(app: App, ana: Player) -> None:
    table = await ana.make(LESSON)
    await done(ana, protocol.AddBot, "easy")
    await done(ana, protocol.Start)
    await done(ana, protocol.Part)
    await ana.make(CASTLES)  # they are free at once to sit down elsewhere
    task = app.lobby.tables.get(table)
    if task is not None and task.task is not None:
        await task.task
    await app.lobby.journal.write(DropRemains())
    assert (await ana.ask(protocol.ListReplays)).replays == []
    assert (await ana.ask(protocol.GetStatistics)).games == ()
    assert table not in await app.lobby.journal.codes()


async def test_it_ends_when_its_learner_does_not_come_back(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    """Although it waits for ever for who plays alone."""
    table = app.lobby.tables[await ana.make(replace(LESSON, patience=None))]
    await done(ana, protocol.AddBot, "easy")
    await done(ana, protocol.Start)
    ana.cut()
    while not table.grace.sessions:
        await bob.ask(protocol.Ping)
    time.goes_on(BEFORE_THE_START + 1)
    while table.match.phase is not Phase.OVER:
        await bob.ask(protocol.Ping)


def has_more(player: Player, than: int) -> bool | None:
    return len(player.frames) > than or None


NAMES = ("deal", "lesson", "moves", "secret", "seed", "bot_script")


async def test_no_client_can_name_a_deal(tmp_path: Path) -> None:
    """What it sends besides is refused, or changes nothing."""
    wanted = LessonTable("castles 1", ("draw", "stop"))
    setup, known = msgspec.to_builtins(CASTLES), msgspec.to_builtins(wanted)
    async with server(tmp_path) as app, Player(app.port) as ana:
        assert ana.socket is not None
        for name in NAMES:
            chosen = {name: known}
            for made in (
                {"setup": setup | chosen},
                {"setup": setup | {"options": setup["options"] | chosen}},
                {"setup": setup} | chosen,
            ):
                command = {"type": "make", "id": next(ana.ids)} | made
                more = partial(has_more, ana, len(ana.frames))
                await ana.socket.send(msgspec.msgpack.encode(command))
                await ana.until(more)
                if ana.view is not None:
                    await done(ana, protocol.Part)
        assert {table.shuffling.server for table in app.lobby.tables.values()}.isdisjoint(
            {commitment_of_server(wanted.secret).hex()}
        )


def test_no_option_and_no_variable_names_a_deal() -> None:
    assert not {"lesson", "deal", "seed", "bot_script"} & {each.field for each in OPTIONS}
