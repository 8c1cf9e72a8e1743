"""The bars of a result grow by round, where anything may move, and a key ends it."""

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from diadem_client.net.transport import Connected
from diadem_client.state.client_state import ClientState, apply_change
from diadem_client.ui.presenter import Presenter
from diadem_shared.entries import Setup
from tests.client.state.views import views_of
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import StagedClient

FILLED = "\u2588"


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What is to be done later, for the test to do."""
    waiting: list[Callable[[], None]] = []

    def after(
        _presenter: Presenter, seconds: float, then: Callable[[], None]
    ) -> asyncio.TimerHandle:
        waiting.append(then)
        return asyncio.get_running_loop().call_later(seconds, int)

    monkeypatch.setattr(Presenter, "after", after)
    return waiting


@cache
def ended() -> ClientState:
    client_state = ClientState(name="Ana", link=Connected(), welcomed=True)
    for view in views_of(Setup("diamoniak", rounds=3), ["strong", "strong"]):
        client_state = apply_change(client_state, view, 0.0)
    return client_state


async def look_at(seen: Seen, client_state: ClientState) -> None:
    seen.app.client = StagedClient(client_state)
    seen.app.present(client_state)
    await seen.reads("has won")


async def bars_of(seen: Seen) -> int:
    """How long they are, all together."""
    await seen.idle()
    painted = (each for strip in seen.strips for each in strip if each.text.strip(FILLED) == "")
    return sum(len(each.text) for each in painted)


async def test_bars_grow_by_round(tmp_path: Path, waiting: list[Callable[[], None]]) -> None:
    async with client(tmp_path, motion=True) as seen:
        await look_at(seen, ended())
        lengths = [await bars_of(seen)]
        while waiting:
            waiting.pop()()
            lengths.append(await bars_of(seen))
        assert lengths == sorted(lengths)
        assert lengths[0] == 0 < lengths[-1]
        assert len(lengths) == 4


@pytest.mark.usefixtures("waiting")
async def test_a_key_ends_the_growing(tmp_path: Path) -> None:
    async with client(tmp_path, motion=True) as seen:
        await look_at(seen, ended())
        short = await bars_of(seen)
        await seen.press("ctrl+t")
        assert await bars_of(seen) > short
        assert seen.notice().startswith("Pace of the others: slow.")


async def test_without_motion_bars_are_there_at_once(
    tmp_path: Path, waiting: list[Callable[[], None]]
) -> None:
    async with client(tmp_path, motion=False) as seen:
        await look_at(seen, ended())
        assert await bars_of(seen)
        assert not waiting
