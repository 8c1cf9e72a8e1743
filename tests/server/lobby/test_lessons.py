"""Tables that are dealt alike are for whoever starts a server for themselves; nobody else has a say in a deal."""

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diadem import protocol
from diadem.entries import Setup
from diadem.lesson import LessonTable
from diadem.shuffle import commitment_of_server
from diadem_server import cli
from diadem_server.command_line import OPTIONS
from diadem_server.config import Config
from tests.rig.wire import Player, server
from tests.server import done

LESSON = LessonTable("castles 1", ("draw", "stop"))
CASTLES = Setup("diamoniak", {"youngest": 0})


async def begin(player: Player) -> None:
    """A table of its own, where nobody adds to the shuffle."""
    await player.make(CASTLES)
    await done(player, protocol.AddBot, "zombie")
    await done(player, protocol.Start)


async def first_card(port: int, name: str) -> Any:
    async with Player(port, name) as ana:
        await begin(ana)
        await done(ana, protocol.Play, "draw")
        view = await ana.seen(lambda view: bool(view.public["game"]["drawn"]))
        return view.public["game"]["drawn"]


async def test_tables_of_a_lesson_are_dealt_alike_and_others_are_not(tmp_path: Path) -> None:
    folders = [tmp_path / each for each in "123"]
    for folder in folders:
        folder.mkdir()
    async with server(folders[0], lesson=LESSON) as app:
        alike = [await first_card(app.port, name) for name in ("Ana", "Bob", "Cem")]
    async with server(folders[1], lesson=LESSON) as app:
        alike.append(await first_card(app.port, "Ana"))
    assert len({str(each) for each in alike}) == 1
    async with server(folders[2]) as app:
        for name in ("Ana", "Bob", "Cem"):
            async with Player(app.port, name) as player:
                await begin(player)
        seeds = {table.shuffling.server for table in app.lobby.tables.values()}
        assert len(seeds) == len(app.lobby.tables)


def has_more(player: Player, than: int) -> bool | None:
    return len(player.frames) > than or None


NAMES = ("deal", "lesson", "moves", "secret", "seed", "bot_script")


async def test_no_client_can_name_a_deal(tmp_path: Path) -> None:
    """What it sends besides is refused, or changes nothing."""
    setup, known = msgspec.to_builtins(CASTLES), msgspec.to_builtins(LESSON)
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
            {commitment_of_server(LESSON.secret).hex()}
        )


def test_no_option_and_no_variable_names_a_deal() -> None:
    assert not {"lesson", "deal", "seed", "bot_script"} & {each.field for each in OPTIONS}


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--host", "::"],
        ["--host", "127.0.0.1", "--web", "0"],
        ["--host", "127.0.0.1", "--ssh", "0"],
        ["--host", "127.0.0.1", "--cluster", "postgresql://localhost/diadem"],
    ],
)
def test_a_server_that_others_reach_gives_no_lessons(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([*options, "--port", "0", "--data", str(tmp_path / "data")], LESSON)
    assert capsys.readouterr().err.startswith("game-server: a lesson is for this machine alone")
    assert not (tmp_path / "data").exists()


def test_without_a_lesson_chance_is_the_servers_own() -> None:
    assert Config(Path()).lesson is None
