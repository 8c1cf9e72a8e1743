"""The same messages as JSON, for those who ask for that: the same limits, and the same words when something is wrong."""

import base64
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.frames import as_json, from_json
from diadem_shared.games import GAMES
from diadem_shared.protocol import JSON_SUBPROTOCOL, MAX_FRAME, SUBPROTOCOL
from diadem_shared.schema import schema
from tests.rig.captured_frames import frames_of, views_in
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import code, done, started

HELLO = {"type": "hello", "name": "Ana"}
MANY_VIEWS = 60
"""After so many, one in five is compared with the schema."""


async def dial(app: App, *spoken: str, **options: Any) -> ClientConnection:
    offered = [Subprotocol(each) for each in spoken]
    return await connect(f"ws://127.0.0.1:{app.port}", subprotocols=offered, **options)


async def greeted(app: App, **options: Any) -> ClientConnection:
    line = await dial(app, JSON_SUBPROTOCOL, **options)
    await line.send(json.dumps(HELLO))
    assert json.loads(await line.recv())["type"] == "welcome"
    return line


async def answer(line: ClientConnection, frame: str | bytes) -> Any:
    await line.send(frame)
    received = await line.recv()
    assert isinstance(received, str)
    return json.loads(received)


async def test_a_match_is_played_in_json_beside_one_who_speaks_msgpack(app: App) -> None:
    async with (
        Player(app.port, "Ana", spoken=JSON_SUBPROTOCOL) as ana,
        Player(app.port, "Bob") as bob,
    ):
        table = await started(ana, bob)
        await play_to_the_end(ana, bob)
        ours, theirs = [await each.ask(protocol.GetReplay, table) for each in (ana, bob)]
        assert (ours.seed, ours.entries) == (theirs.seed, theirs.entries)


async def test_binary_is_base64_in_json(app: App) -> None:
    async with Player(app.port, "Ana", spoken=JSON_SUBPROTOCOL) as ana:
        table = await started(ana)
        await play_to_the_end(ana)
        await ana.ask(protocol.GetReplay, table)
        replay = json.loads(ana.frames[-1])
        assert len(base64.b64decode(replay["seed"], validate=True)) == 32


@pytest.mark.parametrize("compression", [None, "deflate"])
async def test_frames_of_json_are_text(tmp_path: Path, compression: str | None) -> None:
    async with server(tmp_path, compress=True) as app:
        line = await greeted(app, compression=compression)
        assert await answer(line, '{"type": "ping", "id": 1}') == {"type": "pong", "id": 1}
        assert (await answer(line, '{"type": "describe", "id": 2}'))["type"] == "described"
        await line.close()


async def test_who_offers_both_is_told_which_is_spoken(app: App) -> None:
    line = await dial(app, JSON_SUBPROTOCOL, SUBPROTOCOL)
    assert line.subprotocol in {JSON_SUBPROTOCOL, SUBPROTOCOL}
    await line.close()


NO_MESSAGES: tuple[str | bytes, ...] = (
    "no JSON",
    "",
    '{"type": "ping", "id": 1',
    "[" * 10_000,
    '{"type": "ping", "id": 1e999}',
    '{"type": "ping", "id": ' + "9" * 400 + "}",
    '{"type": "ping", "id": 1, "x": "\\ud800"}',
    "\x00",
    protocol.pack(protocol.Ping(1)),
    "3",
    '{"type": "unheard of", "id": 1}',
)


async def test_what_is_no_message_is_refused_and_the_line_kept(app: App) -> None:
    for frame in NO_MESSAGES:
        line = await greeted(app)
        refused = await answer(line, frame)
        assert (refused["type"], refused["why"]["code"]) == ("refused", "bad_frame"), frame
        assert (await answer(line, '{"type": "ping", "id": 2}'))["type"] == "pong", frame
        await line.close()


async def test_a_value_that_does_not_fit_is_named(app: App) -> None:
    line = await greeted(app)
    refused = await answer(line, '{"type": "play", "id": 3, "move": 5}')
    assert refused["id"] == 3
    assert refused["why"]["code"] == "bad_value"
    assert refused["why"]["about"]["field"] == "move"
    await line.close()


async def test_bad_frames_are_forgiven_as_often_as_in_msgpack(app: App) -> None:
    line = await greeted(app)
    told = []
    with suppress(ConnectionClosed):
        for _ in range(20):
            await line.send("no JSON")
        while True:
            told.append(json.loads(await line.recv()))
    assert told[-1]["type"] == "bye"
    assert told[-1]["why"]["code"] == "too_many_bad_frames"
    assert len(told) == 12


async def test_a_frame_too_long_is_answered_in_json(app: App) -> None:
    line = await greeted(app)
    await line.send(" " * (MAX_FRAME + 1))
    last = json.loads(await line.recv())
    assert last["why"] == {"code": "frame_too_long", "about": {"most": MAX_FRAME}, "also": []}
    with pytest.raises(ConnectionClosed):
        await line.recv()
    assert line.close_code == 1009


async def test_text_is_refused_where_msgpack_is_spoken(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        await ana.socket.send('{"type": "ping", "id": 1}')
        refused = await ana.until(
            lambda: next((m for m in ana.messages if isinstance(m, protocol.Refused)), None)
        )
        assert code(refused) == "bad_frame"


async def test_a_command_over_one_encoding_is_known_over_the_other(app: App) -> None:
    """The id counts for the token, however it is written."""
    async with Player(app.port, "Ana") as ana:
        await started(ana)
        said = protocol.Say(77, "once")
        first = await ana.ask_again(said)
        async with Player(app.port, "Ana", spoken=JSON_SUBPROTOCOL) as again:
            await again.disconnect()
            again.token = ana.token
            await again.connect()
            assert await again.ask_again(said) == first
            await again.ask_again(protocol.Ping(1_000))
            assert not again.chat


def test_json_of_a_frame_is_made_once_for_many() -> None:
    frame = protocol.pack(protocol.LobbyView([]))
    assert as_json(frame) is as_json(frame)
    assert from_json(as_json(frame)) == frame


async def test_leaving_and_coming_back_in_json(app: App) -> None:
    async with Player(app.port, "Ana", spoken=JSON_SUBPROTOCOL) as ana:
        table = await started(ana)
        ana.cut()
        await ana.connect()
        await done(ana, protocol.Join, table)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_what_a_server_says_is_as_the_schema_says(game: str, tmp_path: Path) -> None:
    frames = await frames_of(game, tmp_path)
    views = set(views_in(frames)[MANY_VIEWS:])
    some = set(views_in(frames)[MANY_VIEWS::5])
    said = Draft202012Validator(schema(GAMES) | {"anyOf": [{"$ref": "#/$defs/from_server"}]})
    for frame in frames:
        if frame not in views or frame in some:
            said.validate(json.loads(as_json(frame)))
