"""A terminal may have another size at any moment: then the screen is as if it had begun with it."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from tests.client.scenes.every import MORE, SCENES
from tests.client.scenes.stage import settle
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock
from tests.thoroughness import times

USUAL, LARGE, LEAST, TOO_SMALL = (80, 24), (110, 36), (60, 20), (40, 10)
RESIZING_THEMSELVES = {"too-small"}
BOARDS = ("diamoniak", "piratatak", "diadingo", "diamino-rummy", "diamino-bonus")


@asynccontextmanager
async def opened(
    folder: Path, name: str, size: tuple[int, int], keys: tuple[str, ...] = ()
) -> AsyncIterator[Seen]:
    async with client(folder, size=size) as seen:
        await seen.until(lambda: seen.app.base_screen.laid_out)
        await SCENES[name](seen)
        for key in keys:
            await seen.press(key)
            await settle(seen)
        await settle(seen)
        yield seen


async def compare(
    folder: Path,
    name: str,
    sizes: list[tuple[int, int]],
    keys: tuple[str, ...] = (),
    back: Sequence[tuple[int, int]] = (),
) -> None:
    """From one size to the next, and at the last of them beside a client that began with it; and back, where it began."""
    async with opened(folder, name, sizes[-1], keys) as seen:
        fresh = without_bars(seen.screen_text)
    async with opened(folder, name, sizes[0], keys) as seen:
        begun = without_bars(seen.screen_text)
        for size in sizes[1:]:
            await resize(seen, size)
        assert without_bars(seen.screen_text) == fresh
        for size in back:
            await resize(seen, size)
        assert not back or without_bars(seen.screen_text) == begun


async def resize(seen: Seen, size: tuple[int, int]) -> None:
    await seen.pilot.resize_terminal(*size)
    await settle(seen)


def without_bars(text: str) -> str:
    """Textual moves the bar of a log only once it is scrolled by another step than to its first end."""
    return re.sub("[ \u2581-\u2588]+$", "", text, flags=re.MULTILINE)


@pytest.fixture(autouse=True)
def the_clock_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)


@pytest.mark.parametrize("name", ["diamoniak-witch", "diamino-bonus-draft", "help-at-the-table"])
async def test_it_is_laid_out_anew(tmp_path: Path, name: str) -> None:
    await compare(tmp_path, name, [LARGE, LEAST, TOO_SMALL, USUAL])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SCENES.keys() - RESIZING_THEMSELVES - MORE))
async def test_every_screen_is_laid_out_anew(tmp_path: Path, name: str) -> None:
    chance = Random(name)
    for _ in range(times(1, 10)):
        there = (chance.randint(60, 220), chance.randint(20, 60))
        by, back = chance.choice([LARGE, LEAST]), [chance.choice([TOO_SMALL, LEAST]), USUAL]
        await compare(tmp_path, name, [USUAL, by, there], back=back)


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("f6",), ("tab",), ("question_mark",), ("f3",)], ids=str)
@pytest.mark.parametrize("name", BOARDS)
async def test_so_is_what_was_opened_at_a_board(
    tmp_path: Path, name: str, keys: tuple[str, ...]
) -> None:
    await compare(tmp_path, name, [USUAL, LARGE, LEAST], keys, back=[USUAL])
