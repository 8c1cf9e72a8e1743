"""A frame takes what is public as bytes; it must be what the whole would have been packed as."""

from pathlib import Path

import pytest

from diadem import match, protocol
from diadem.entries import Setup
from tests.rig.wire import Player, play_to_the_end, server


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
