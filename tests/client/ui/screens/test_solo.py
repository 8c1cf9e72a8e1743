"""A game for one: a match that was left is found again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from diadem_client.local.servers import LocalServers
from diadem_client.local.solo import setup_for
from diadem_client.settings import SettingsStore
from diadem_client.state.client_state import TableState
from diadem_client.ui.screens.resume import ResumeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.entries import Setup
from tests.client.ui.screens.rig import Seen, client

pytestmark = pytest.mark.slow

ALONE = Setup("diamoniak", options={"youngest": 0}, patience=None, private=True)


@asynccontextmanager
async def alone(tmp_path: Path, *, setup: Setup = ALONE) -> AsyncIterator[Seen]:
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "matches"))
    servers.start_solo(setup.game)
    try:
        async with client(tmp_path, servers=servers, setup=setup, bots=("zombie",)) as seen:
            yield seen
    finally:
        await asyncio.to_thread(servers.close)


async def begin(seen: Seen) -> None:
    await seen.reads("Press Enter to begin.")
    await seen.press("enter")
    await seen.reads("YOUR TURN")


def table_of(seen: Seen) -> TableState:
    assert seen.client_state.table is not None
    return seen.client_state.table


async def test_what_is_left_out_of_ones_own_words_is_said(tmp_path: Path) -> None:
    file = tmp_path / "animals.txt"
    file.write_text("tor\nrot\n3D\nx\n")
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "matches"), str(file))
    servers.start_solo("diamino-rummy")
    setup = setup_for("diamino-rummy", servers.words)
    try:
        async with client(tmp_path, servers=servers, setup=setup, bots=("zombie",)) as seen:
            await seen.reads("Press Enter to begin.")
            await seen.reads("2 lines of animals are left out: 3D (a sign that is on no tile)")
    finally:
        await asyncio.to_thread(servers.close)


async def left_in_the_middle(tmp_path: Path) -> TableState:
    async with alone(tmp_path) as seen:
        await begin(seen)
        await seen.types("draw")
        await seen.press("enter")
        await seen.reads("You: ")
        return table_of(seen)


async def test_a_match_that_was_left_goes_on_until_it_is_given_up_for_a_new_one(
    tmp_path: Path,
) -> None:
    left = await left_in_the_middle(tmp_path)
    async with alone(tmp_path) as seen:
        await seen.on(ResumeScreen)
        await seen.reads(f"You left a match of Diamoniak with {left.names[1]} before its end.")
        await seen.pilot.resize_terminal(59, 20)
        await seen.pilot.resize_terminal(80, 24)
        await seen.on(ResumeScreen)
        await seen.press("escape")  # gives nothing up
        await seen.on(TableScreen)
        found = table_of(seen)
        assert found.code == left.code
        # The first card may be a witch: then it is the bot's turn, which has moved meanwhile.
        assert found.entry > left.entry or found.view == left.view
    async with alone(tmp_path, setup=Setup("diadingo", patience=None)) as seen:
        await seen.on(TableScreen)
        assert table_of(seen).public.setup.game == "diadingo"
    async with alone(tmp_path) as seen:
        await seen.on(ResumeScreen)
        await seen.press("down", "enter")
        await begin(seen)
        new = table_of(seen)
        assert new.code != left.code
    async with alone(tmp_path) as seen:
        await seen.on(ResumeScreen)
        await seen.press("enter")
        await seen.on(TableScreen)
        assert table_of(seen).code == new.code


async def test_two_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with alone(tmp_path) as first:
        await begin(first)
        async with alone(tmp_path) as second:
            await begin(second)
            assert table_of(second).code != table_of(first).code
        kept = table_of(first).code
    async with alone(tmp_path) as again:
        await again.on(ResumeScreen)
        await again.press("enter")
        await again.on(TableScreen)
        assert table_of(again).code == kept


async def test_where_nothing_can_be_kept_one_plays_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("no folder")
    async with alone(tmp_path) as seen:
        await begin(seen)
