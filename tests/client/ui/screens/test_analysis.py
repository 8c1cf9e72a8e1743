"""A match that is over is weighed, and its decisions are looked at on the board."""

from pathlib import Path

import pytest

from diadem_client.ui.screens.analysis import AnalysisScreen, CostList
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_shared.entries import Setup
from tests.client.scenes.looking_back import look_at
from tests.client.ui.screens.rig import client

pytestmark = pytest.mark.slow


async def test_a_costly_decision_leads_to_its_place_in_the_match(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        base = seen.app.screen
        await look_at(seen, Setup("diadingo"), ["naive", "perfect"])
        await seen.press("a")
        await seen.on(AnalysisScreen)
        await seen.reads("were the best that could be known.")
        await seen.reads("what each decision gave away")
        await seen.press("down", "enter")
        await seen.on(ReplayScreen)
        await seen.reads("step")
        assert "step 0 of" not in seen.screen_text
        deep = len(seen.app.screen_stack)
        await seen.press("a")
        await seen.on(AnalysisScreen)
        await seen.press("enter")
        await seen.on(ReplayScreen)
        await seen.reads("step")
        assert len(seen.app.screen_stack) == deep
        await seen.press("escape")
        await seen.on(AnalysisScreen)
        await seen.press("s")
        await seen.reads("23 of 23 decisions")
        await seen.press("t")
        await seen.until(lambda: seen.app.screen.query_one(CostList).count == 23)
        await seen.press("escape")
        await seen.on(ReplayScreen)
        (kept,) = seen.app.store.analyses_folder().iterdir()
        await seen.press("a")
        await seen.on(AnalysisScreen)
        await seen.reads("were the best that could be known.")
        assert [*seen.app.store.analyses_folder().iterdir()] == [kept]
        await seen.press("escape")
        await seen.on(ReplayScreen)
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is base)


async def test_what_is_no_match_is_said(tmp_path: Path) -> None:
    async def load() -> bytes:
        return b"no match"

    async with client(tmp_path) as seen:
        seen.app.push_screen(AnalysisScreen(load))
        await seen.on(AnalysisScreen)
        await seen.reads("This")
        await seen.press("s", "enter", "down")
        await seen.press("escape")
        await seen.until(lambda: not isinstance(seen.app.screen, AnalysisScreen))
