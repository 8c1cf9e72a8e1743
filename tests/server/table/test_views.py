"""A frame takes what is public as bytes; it must be what the whole would have been packed as."""

import asyncio
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_shared import match, protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted, Pong, Said, TableView, Welcome
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import started


async def test_a_frame_with_bytes_set_in_is_the_message_in_one(tmp_path: Path) -> None:
    async with (
        server(tmp_path, commands_a_second=1e6, burst=10**6) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        await bob.join(await ana.make(Setup("piratatak")))
        await ana.ask(protocol.Start)
        moves = play_to_the_end(ana, bob)
        await ana.ask(protocol.Say, "well?")
        await moves
        for message, frame in zip(bob.messages, bob.frames, strict=True):
            assert protocol.pack(message) == frame


async def test_a_setup_changed_to_its_like_is_shown_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "explain_setup", lambda _: None)  # under the rules of an older day
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        await ana.make(Setup("diamino-rummy", options={"open_hands": 1}))
        await ana.ask(protocol.Change, Setup("diamino-rummy", options={"open_hands": True}))
        view = await ana.seen(lambda view: view.entry == 2)
        assert view.public["setup"]["options"]["open_hands"] is True


async def test_a_new_connection_is_shown_nothing_of_the_table_before_it_has_joined(
    ana: Player, bob: Player, app: App
) -> None:
    """Also where the table is busy when the new connection comes, and has yet to hear that the old one is gone."""
    code = await started(ana, bob)
    table, go_on = app.lobby.tables[code], asyncio.Event()

    async def show() -> None:
        await go_on.wait()
        table.show(None)

    table.post(show)
    await ana.connect()
    await ana.until(lambda: sum(isinstance(each, Welcome) for each in ana.messages) == 2)
    seen = len(ana.messages)
    await bob.say(protocol.Say(next(bob.ids), "well?"))
    await bob.ask(protocol.Ping)
    join = asyncio.create_task(ana.ask(protocol.Join, code))
    await ana.ask(protocol.Ping)
    go_on.set()
    await join
    await ana.until(lambda: len(ana.chat) == 1)
    since = [each for each in ana.messages[seen:] if not isinstance(each, Pong)]
    assert [type(each) for each in since[:2]] == [Accepted, Said]
    assert [each.number for each in since if isinstance(each, TableView)][:1] == [1]
