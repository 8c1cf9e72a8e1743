"""The bots of docs/writing-a-bot.md, taken from the page: each plays every game to its end, on a real server."""

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgpack
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from diadem_server.sessions.bot_tokens import make
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.rig.wire import Player, play_to_the_end, server
from tests.web.browser import CHROMIUM, browser

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text()
LONGEST = 70
"""Lines that are enough for a whole bot."""
NODE = shutil.which("node")
SPEAKS_WEBSOCKET = "--experimental-websocket"
"""What Node needs before version 22, and allows later."""


def program(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


async def output_of(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, errors.decode()
    return out.decode()


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_whole_bot_is_short(language: str) -> None:
    assert len(program(language).splitlines()) <= LONGEST


def test_the_python_bot_needs_two_libraries_and_nothing_of_ours() -> None:
    imported = set(re.findall(r"^(?:import|from) (\w+)", program("python"), re.MULTILINE))
    assert imported - sys.stdlib_module_names == {"msgpack", "websockets"}


@pytest.mark.slow
async def test_the_python_bot_plays_a_match_of_every_game(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(program("python"))
    async with server(tmp_path) as app:
        for game in GAMES:
            out = await output_of(sys.executable, str(file), f"ws://127.0.0.1:{app.port}", game)
            assert "'scores'" in out, game


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
async def test_the_javascript_bot_plays_a_match_of_every_game_in_node(tmp_path: Path) -> None:
    assert NODE is not None
    file = tmp_path / "bot.mjs"
    file.write_text(program("javascript"))
    if "WebSocket" not in await output_of(NODE, SPEAKS_WEBSOCKET, "-p", "WebSocket"):
        pytest.skip("this node has no WebSocket")
    async with server(tmp_path) as app:
        for game in GAMES:
            address = f"ws://127.0.0.1:{app.port}"
            out = await output_of(NODE, SPEAKS_WEBSOCKET, str(file), address, game)
            assert "scores" in out, game


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.xdist_group("browser")
async def test_the_javascript_bot_plays_a_match_in_a_browser(tmp_path: Path) -> None:
    async with server(tmp_path) as app, browser(tmp_path / "browser") as opened:
        window = await opened.open(f"http://127.0.0.1:{app.port}/healthz")
        given = json.dumps([f"ws://127.0.0.1:{app.port}", "diadingo"])[1:-1]
        rounds = await window.run(f"(() => {{ {program('javascript')}; return play({given}) }})()")
        assert len(rounds) == 1


@pytest.mark.slow
async def test_a_bot_with_a_token_sits_down_with_a_person(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(program("python"))
    token = make(tmp_path, "Marvin")
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        table = await ana.make(Setup("diadingo"))
        bot = asyncio.create_task(
            output_of(sys.executable, str(file), f"ws://127.0.0.1:{app.port}", "", table, token)
        )
        await ana.seen(lambda view: len(view.public["players"]) == 2)
        view: Any = ana.view
        assert (view.public["players"][1]["name"], view.public["players"][1]["program"]) == (
            *("Marvin", True),
        )
        await ana.ask(protocol.Ready, ready=True)
        await ana.seen(lambda view: view.public["phase"] == Phase.PLAYING)
        await play_to_the_end(ana)
        assert "'scores'" in await bot


def played_in(page: str) -> Callable[..., Coroutine[Any, Any, object]]:
    """`play` of the program in Python."""
    names: dict[str, Any] = {"__name__": "page"}
    exec(page, names)  # noqa: S102
    names["random"].seed(1)
    play: Callable[..., Coroutine[Any, Any, object]] = names["play"]
    return play


@pytest.mark.slow
async def test_two_bots_sit_at_a_table_where_all_judge(tmp_path: Path) -> None:
    """Two of the same program, each with a name of its own."""
    play = played_in(program("python"))
    setup = Setup("diamino-rummy", {"judging": "table", "language": "en"})
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        table = await ana.make(setup)
        await ana.ask(protocol.AddBot, "easy")
        url = f"ws://127.0.0.1:{app.port}"
        bots = [asyncio.create_task(play(url, "", table)) for _ in range(2)]
        await ana.seen(lambda view: len(view.public["players"]) == 4)
        await ana.ask(protocol.Ready, ready=True)
        await ana.seen(lambda view: view.public["phase"] == "playing")
        await play_to_the_end(ana, level="easy")
        assert all(await asyncio.gather(*bots))


async def test_a_bot_waits_for_the_answer_to_its_move_before_it_makes_another() -> None:
    """A view that comes before the answer does not know the move yet, however new it is."""
    played: list[int] = []

    async def serve_views(line: ServerConnection) -> None:
        async def tell(type_: str, **fields: Any) -> None:
            await line.send(msgpack.packb({"type": type_, **fields}))

        async def show(entry: int, phase: str = "playing") -> None:
            public = {"phase": phase, "players": [{}], "rounds": [entry]}
            moves = {"moves": ["accept"]}
            await tell("view", entry=entry, seat=0, table="K7F3", public=public, moves=moves)

        async def next_play() -> Any:
            while (command := msgpack.unpackb(await line.recv()))["type"] != "play":
                pass
            played.append(command["entry"])
            return command["id"]

        await show(5)
        first = await next_play()
        await show(6)  # somebody else has voted
        await tell("accepted", id=0, entry=None)
        await tell("accepted", id=first, entry=7)
        await show(7)
        second = await next_play()
        await tell("refused", id=second, why={"code": "stale", "about": {"entry": 8}})
        await show(8)
        await next_play()
        await show(9, "over")

    async with serve(serve_views, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as it:
        port = next(iter(it.sockets)).getsockname()[1]
        async with asyncio.timeout(PATIENCE):
            assert await played_in(program("python"))(f"ws://127.0.0.1:{port}", "") == [9]
    assert played == [5, 7, 8]
