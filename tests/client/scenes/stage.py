"""Scenes: what a client shows in some state, and how it is brought there. Tests and tools look at them."""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace
from textual.screen import Screen
from textual.strip import Strip

from diadem_client.state.client_state import ClientState
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import Judge, StagedClient

Scene = Callable[[Seen], Awaitable[None]]
SCENES: dict[str, Scene] = {}
SHOWN: dict[str, type[Screen[Any]]] = {}
"""The screen that is on top in each."""
MORE: set[str] = set()
"""Scenes that differ from others only by what lies on the table: they are looked at in fewer ways."""


def scene(screen: type[Screen[Any]], *, more: bool = False) -> Callable[[Scene], Scene]:
    def entered(play: Scene) -> Scene:
        name = play.__name__.replace("_", "-")
        SCENES[name], SHOWN[name] = play, screen
        MORE.update([name] if more else [])
        return play

    return entered


async def show(seen: Seen, client_state: ClientState, *, judge: Judge | None = None) -> None:
    """As it is once all that happened has been shown."""
    staged = StagedClient(client_state, judge)
    if client_state.table is not None:
        staged.session.table = client_state.table.code
        client_state = replace(client_state, table=replace(client_state.table, happened=()))
        staged.client_state = client_state
    seen.app.client = staged
    seen.app.present(client_state)
    await seen.until(lambda: seen.app.base_screen.laid_out)
    await seen.idle()


async def started(seen: Seen) -> None:
    await seen.until(lambda: seen.app.base_screen.laid_out)
    await seen.idle()


async def settle(seen: Seen) -> None:
    """Until everything that was asked of the screen is drawn, in the colours it is to have."""
    before: list[Strip] = []
    while (now := seen.strips) != before:
        before = now
        await seen.pilot.pause()
