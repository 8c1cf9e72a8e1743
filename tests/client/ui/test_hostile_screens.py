"""The screens bear whatever a server says: it is drawn, or one is back where one says where to play."""

import re
from pathlib import Path
from random import Random

import msgpack
import pytest

from diadem_client.net.transport import Closed
from diadem_client.state.client_state import KEPT_CHAT
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.wording.refusals import sentence_for
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import Gone, LobbyView, Said, TableLine, pack
from tests.client.refused import received
from tests.client.ui.screens.rig import Seen, client
from tests.rig.captured_frames import frames_of, views_in
from tests.rig.hostile_server import HostileServer, standing, table_of
from tests.rig.mutations import BAD_TEXTS, mutated, with_value
from tests.thoroughness import times

CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but the ends of lines."""
KEYS = ("d", "enter", "b", "right", "down", "space", "1", "a", "p", "escape", "4", "2", "f7", "r")
SERVERS = times(3, 20)
"""Hostile servers, to which one player goes one after the other."""
VIEWS = 6
"""From each of them."""


async def say(seen: Seen, hostile: HostileServer, frame: bytes) -> bool:
    """What is said is drawn, without anything that steers a terminal; False once the line is closed."""
    mark = f"mark {hostile.said}"
    hostile.say(frame)
    hostile.say(pack(Said("Bob", None, mark)))
    await seen.until(lambda: is_closed(seen) or mark in chat(seen))
    assert not CONTROLS.search(seen.screen_text)
    return not is_closed(seen)


async def press(seen: Seen, keys: list[str]) -> bool:
    """One after the other; False once the line is closed, as the next ones would be for another screen."""
    for key in keys:
        await seen.press(key)
        if is_closed(seen):
            return False
    return True


def is_closed(seen: Seen) -> bool:
    return isinstance(seen.client_state.link, Closed)


def chat(seen: Seen) -> list[str]:
    """Also of a table that is gone, or not seen yet."""
    table = seen.client_state.table
    return [said.text for said in (*seen.client_state.chat, *(table.chat if table else ()))]


async def reads_why(seen: Seen) -> None:
    await seen.on(ConnectScreen)
    link = seen.client_state.link
    assert isinstance(link, Closed)
    await seen.reads_whole(sentence_for(link.why))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_panes_bear_mutated_views_and_keys(game: str, tmp_path: Path) -> None:
    frames = await frames_of(game, tmp_path)
    views, chance, ended = views_in(frames), Random(game), 0
    async with client(tmp_path) as seen:
        for _ in range(SERVERS):
            await seen.on(ConnectScreen)
            hostile = HostileServer(table=table_of(frames), lasting=True)
            async with standing(hostile):
                await seen.fill("host", f"127.0.0.1:{hostile.port}")
                await seen.press("f2")
                hostile.say(chance.choice(views))
                await seen.on(TableScreen)
                for _ in range(VIEWS):
                    if not await say(seen, hostile, mutated(chance.choice(views), chance, views)):
                        break
                    if not await press(seen, chance.sample(KEYS, 2)):
                        break
                if is_closed(seen):
                    ended += 1
                    await reads_why(seen)
                else:
                    seen.app.disconnect()
    assert ended > 0


@pytest.mark.slow
async def test_no_text_of_a_server_steers_the_terminal(tmp_path: Path) -> None:
    """In the lobby, in chat, in names, and in why one is at a table no longer."""
    async with client(tmp_path) as seen:
        for text in BAD_TEXTS:
            hostile = HostileServer(lasting=True, server=text)
            async with standing(hostile):
                await seen.on(ConnectScreen)
                await seen.fill("host", f"127.0.0.1:{hostile.port}")
                await seen.press("f2")
                await seen.on(LobbyScreen)
                await bears(seen, hostile, text)
                seen.app.disconnect()


async def bears(seen: Seen, hostile: HostileServer, text: str) -> None:
    lines = [
        TableLine(text, text, (text, text), 4, Phase.GATHERING, 1, spectators=True),
        TableLine("K7F3", "diadingo", (text,), 4, Phase.GATHERING, 1, spectators=True),
    ]
    hostile.say(pack(LobbyView(lines)))
    await seen.reads("K7F3")
    assert not CONTROLS.search(seen.screen_text)
    about: dict[str, int | str | list[str]] = {
        "table": text,
        "cards": [text],
        "what": text,
        text: text,
    }
    for code in ("no_such_table", "bad_option", text):
        assert await say(seen, hostile, pack(Gone("", received(code, about))))
    assert not CONTROLS.search(seen.app.window_title)


async def test_terms_that_cannot_be_are_not_offered_to_be_changed(tmp_path: Path) -> None:
    first = views_in(await frames_of("diamino-rummy", tmp_path))[0]
    path = ("public", "setup", "options")
    strange = with_value(msgpack.unpackb(first), path, {"judging_time": "soon"})
    hostile = HostileServer([msgpack.packb(strange)], table=table_of([first]), lasting=True)
    async with standing(hostile), client(tmp_path, hostile.port) as seen:
        await seen.on(TableScreen)
        await seen.press("o")
        await seen.reads("That option cannot be set so")
        await seen.on(TableScreen)


async def test_keys_are_heard_while_a_server_never_stops_talking(tmp_path: Path) -> None:
    hostile = HostileServer(lasting=True, flood=pack(Said("Bob", None, "x" * 400)))
    async with standing(hostile), client(tmp_path, hostile.port) as seen:
        await seen.on(LobbyScreen)
        await seen.until(lambda: len(seen.client_state.chat) == KEPT_CHAT)
        await seen.press("d")
        await seen.on(ConnectScreen)
