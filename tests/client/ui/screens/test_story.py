"""At a table with everything on: whatever arrives, whatever is pressed, the screen tells one story in one order."""

import random
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_client.board import registry
from diadem_client.board.drawn import DrawnPane
from diadem_client.games.castles import DIAMONIAK
from diadem_client.net.transport import Connected, Reconnecting
from diadem_client.state.client_state import ClientState, TableState, apply_change
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.log import Log
from diadem_client.ui.widgets.log_and_chat import lines_of
from diadem_client.wording import state
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.client.state.views import views_of
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import StagedClient

SIZES = ((80, 24), (110, 36), (150, 45), (72, 20))
KEYS = ("d", "p", "b", "enter", "left", "space", "ctrl+t", "tab", "escape", "f7", "v")


@pytest.fixture(autouse=True)
def castles_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", {"diamoniak": DIAMONIAK})


def newest_table(seen: Seen) -> TableState:
    assert isinstance(seen.app.client, StagedClient)
    assert seen.app.client.client_state.table is not None
    return seen.app.client.client_state.table


def tells_one_story(seen: Seen) -> int:
    """Header, log, news, title and board are of one entry, which is returned."""
    table, screen = seen.app.client_state.table, seen.app.base_screen
    assert table is not None
    assert isinstance(screen, TableScreen)
    if screen.query_one(DrawnPane).display:
        scene = screen.query_one(DrawnPane).scene
        assert scene is not None
        assert (scene.view, scene.actors) == (table.view, table.public.actors)
    if table.public.phase is Phase.PLAYING:
        assert state.turn(table) in screen.query_one(Header).text
    told = [line.text for line in lines_of(table)]
    assert screen.query_one("#news", FixedText).text == "\n".join(told[-2:])
    if screen.query_one("#log", Log).size:
        assert screen.query_one("#log", Log).text == "\n".join(told)
    assert seen.app.window_title == state.title(table)
    return table.entry


class Arrivals:
    """What a server sends of a match of three rounds, and what becomes of the line meanwhile."""

    def __init__(self) -> None:
        setup = Setup("diamoniak", options={"youngest": 1}, rounds=3)
        self._views = iter(list(views_of(setup, ["strong"] * 3))[4:])
        self.client_state = ClientState(name="Ana", link=Connected(), welcomed=True)
        self.step(1)

    def step(self, count: int) -> ClientState:
        for _ in range(count):
            if view := next(self._views, None):
                self.client_state = apply_change(self.client_state, view, 0.0)
        return self.client_state

    def reconnect(self) -> ClientState:
        """The view that comes then tells nothing of what has happened."""
        self.client_state = replace(self.client_state, link=Reconnecting(1.0))
        if view := next(self._views, None):
            told = apply_change(self.client_state, replace(view, happened=[]), 0.0)
            self.client_state = replace(told, link=Connected())
        return self.client_state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_the_screen_tells_one_story(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    arrivals = Arrivals()
    async with client(tmp_path, pace="fast", motion=True, last_look=0.05) as seen:
        staged = StagedClient(arrivals.client_state)
        seen.app.client = staged

        def present(client_state: ClientState) -> None:
            staged.client_state = client_state
            seen.app.present(client_state)

        present(arrivals.client_state)
        await seen.until(lambda: seen.app.base_screen.laid_out)
        entries = [tells_one_story(seen)]
        for _ in range(40):
            match chance.choice(["views", "views", "key", "key", "wait", "size", "line"]):
                case "views":
                    for _each in range(chance.choice([1, 1, 2, 9])):
                        present(arrivals.step(1))
                case "key":
                    key = chance.choice(KEYS)
                    mine = newest_table(seen).my_turn
                    await seen.press(key)
                    if mine and key == "d" and isinstance(seen.app.focused, DrawnPane):
                        assert tells_one_story(seen) == newest_table(seen).entry
                case "wait":
                    await seen.pilot.pause(chance.choice([0.0, 0.02, 0.1]))
                case "size":
                    await seen.pilot.resize_terminal(*chance.choice(SIZES))
                case _:
                    present(arrivals.reconnect())
            entries.append(tells_one_story(seen))
        await seen.until(
            lambda: seen.app.presenter.frame is None and not seen.app.presenter.is_behind
        )
        entries.append(tells_one_story(seen))
        assert entries == sorted(entries)
        assert entries[-1] == newest_table(seen).entry


async def test_space_hurries_and_a_key_changes_the_pace(tmp_path: Path) -> None:
    arrivals = Arrivals()
    async with client(tmp_path, pace="slow", motion=True) as seen:
        staged = StagedClient(arrivals.client_state)
        seen.app.client = staged
        seen.app.present(arrivals.client_state)
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
        for _ in range(3):
            staged.client_state = arrivals.step(1)
            seen.app.present(staged.client_state)
        assert seen.app.presenter.is_behind
        await seen.press("space")
        assert tells_one_story(seen) == newest_table(seen).entry
        await seen.press("space")
        assert seen.notice() == "You have seen all that has happened."
        await seen.press("ctrl+t")
        assert seen.notice() == "Pace of the others: normal."
        assert seen.app.settings.pace == "normal"
        for _ in range(3):
            await seen.press("ctrl+t")
        assert seen.app.settings.pace == "slow"


async def test_a_drawing_that_takes_longer_than_a_frame_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrivals, show = Arrivals(), TableScreen.show

    def show_slowly(screen: TableScreen, client_state: ClientState) -> None:
        show(screen, client_state)
        time.sleep(0.12)  # of processor time, as on a slow machine

    monkeypatch.setattr(TableScreen, "show", show_slowly)
    async with client(tmp_path, pace="fast", motion=True) as seen:
        seen.app.client = staged = StagedClient(arrivals.client_state)
        seen.app.present(arrivals.client_state)
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
        for _ in range(3):
            staged.client_state = arrivals.step(1)
            seen.app.present(staged.client_state)
        await seen.until(
            lambda: not seen.app.presenter.is_behind and seen.app.presenter.frame is None
        )


@pytest.mark.slow
@pytest.mark.parametrize("motion", [True, False])
async def test_a_match_left_alone_is_told_to_its_end_and_then_nothing_runs(
    tmp_path: Path, *, motion: bool
) -> None:
    arrivals: Any = Arrivals()
    async with client(tmp_path, pace="fast", motion=motion, last_look=0.01) as seen:
        seen.app.client = staged = StagedClient(arrivals.client_state)
        seen.app.present(arrivals.client_state)
        await seen.until(lambda: seen.app.base_screen.laid_out)
        staged.client_state = arrivals.step(10**6)
        seen.app.present(staged.client_state)
        await seen.until(lambda: not seen.app.presenter.is_behind)
        await seen.reads("has won!")
