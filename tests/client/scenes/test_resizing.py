"""A terminal may have another size at any moment: then the screen is as if it had begun with it.

Every scene is resized in `test_looks.py`; here are sizes by chance, and what is opened at a board.
"""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.client.scenes.every import MORE, SCENES
from tests.client.scenes.looks import LARGE, NARROW, SMALL, TOO_SMALL, USUAL, opened
from tests.client.scenes.stage import settle
from tests.client.scenes.test_looks import without_bars
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import stop_the_clock
from tests.thoroughness import is_thorough, times

RESIZING_THEMSELVES = {"too-small"}
FEW = {"diamoniak-witch", "diamino-bonus-draft", "help-at-the-table"}
BOARDS = ("diamoniak", "piratatak", "diadingo", "diamino-rummy", "diamino-bonus")
OPENED = {"f6": "f6", "tab": "escape", "question_mark": "escape", "f3": "escape"}
"""What opens something at a board, and what closes it again."""


@pytest.fixture(autouse=True)
def the_clock_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)


async def text_at(seen: Seen, size: tuple[int, int]) -> str:
    await seen.pilot.resize_terminal(*size)
    await settle(seen)
    return without_bars(seen.screen_text)


@pytest.mark.parametrize("name", sorted(SCENES.keys() - MORE if is_thorough() else FEW))
async def test_a_scene_is_laid_out_anew(tmp_path: Path, name: str) -> None:
    chance = Random(name)
    for _ in range(times(1, 10)):
        there = (chance.randint(60, 220), chance.randint(20, 60))
        async with opened(tmp_path, name, replace(USUAL, size=there)) as seen:
            fresh = without_bars(seen.screen_text)
        async with opened(tmp_path, name, USUAL) as seen:
            begun = without_bars(seen.screen_text)
            for size in (LARGE, NARROW, TOO_SMALL):
                await seen.pilot.resize_terminal(*size)
            assert await text_at(seen, there) == fresh
            assert await text_at(seen, SMALL) == begun


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
async def test_so_is_what_was_opened_at_a_board(tmp_path: Path, name: str) -> None:
    """Opened at one size and resized to another it is as when it is opened there."""
    different = set()
    async with opened(tmp_path, name, USUAL) as seen:
        for opening, closing in OPENED.items():
            at_once = {}
            for size in (NARROW, SMALL):
                await text_at(seen, size)
                await seen.press(opening)
                at_once[size] = await text_at(seen, size)
                if size == NARROW:
                    await seen.press(closing)
            for size in (NARROW, SMALL):
                if await text_at(seen, size) != at_once[size]:
                    different.add((opening, size))
            await seen.press(closing)
    assert different == set()
