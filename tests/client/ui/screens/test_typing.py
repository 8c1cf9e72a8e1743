"""However fast keys come, they do the same: none is lost, doubled, or heeded before the one ahead of it."""

import asyncio
from pathlib import Path

import pytest
from textual.events import Key

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_shared.entries import Setup
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import server

PAUSES = (0.0, 0.03)


async def type_at(seen: Seen, keys: list[str], pause: float) -> None:
    """As a terminal sends them, whatever the application is about meanwhile."""
    for key in keys:
        seen.app.post_message(Key(key, key if len(key) == 1 else None))
        await asyncio.sleep(pause)


async def made(seen: Seen, keys: list[str], pause: float | None) -> Setup:
    """The table that these keys make; each waits for all to be quiet where there is no pause."""
    await seen.on(LobbyScreen)
    await seen.press("m")
    await seen.on(MakeScreen)
    if pause is None:
        await seen.press(*keys)
    else:
        await type_at(seen, keys, pause)
    await seen.on(TableScreen)
    await seen.until(lambda: seen.client_state.table)
    assert seen.client_state.table is not None
    setup = seen.client_state.table.public.setup
    await seen.press("f10")
    return setup


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys",
    [
        "left down right down right right down pageup down left",
        "right right right right down down right down right up up space",
    ],
)
async def test_a_form_is_filled_in_alike_at_any_speed(tmp_path: Path, keys: str) -> None:
    typed = [*keys.split(), "enter"]
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        slowly = await made(seen, typed, None)
        assert {pause: await made(seen, typed, pause) for pause in PAUSES} == dict.fromkeys(
            PAUSES, slowly
        )
    assert slowly != Setup(slowly.game)


async def test_a_line_that_has_just_appeared_is_the_next_one_before_it_is_laid_out(
    tmp_path: Path,
) -> None:
    async with client(tmp_path) as seen:
        form = MakeScreen(Setup("diamino-bonus"))
        await seen.app.push_screen(form)
        await seen.on(MakeScreen)
        judging = form.query_one("#option-judging", Choice)
        form.set_focus(judging)

        async def press() -> list[str | None]:
            """Keys between which nothing is laid out."""
            await judging.choose("table")
            gone: list[str | None] = []
            for action in ("next", "next", "previous", "previous", "previous"):
                await form.run_action(action)
                gone.append(form.focused.id if form.focused is not None else None)
            return gone

        names = ("judging_time", "open_hands", "judging_time", "judging", "language")
        assert await press() == [f"option-{name}" for name in names]
