"""The puzzle of a day is tried, solved or shown, and what came of it is remembered."""

from pathlib import Path

import pytest

from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.puzzle import PuzzleScreen
from tests.client.scenes.weighing import DAY, at_puzzle
from tests.client.ui.screens.rig import Seen, client

BEST = (*"steal", "space", *"6000", "space", *"from", "space", "1", "enter")
pytestmark = pytest.mark.slow


def kept(seen: Seen) -> tuple[int, bool, bool]:
    day = seen.app.store.puzzle_record().of(DAY)
    return day.tries, day.is_solved, day.is_shown


async def test_a_miss_is_told_and_the_best_move_solves_it(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await seen.on(ConnectScreen)
        await at_puzzle(seen)
        await seen.press(*"decline", "enter")
        await seen.reads("There is a better move.")
        assert kept(seen) == (1, False, False)
        await seen.press(*BEST)
        await seen.reads("Solved!")
        assert kept(seen) == (2, True, False)
        await seen.press("f3")
        assert kept(seen) == (2, True, False)
        await seen.press("escape")
        await seen.on(ConnectScreen)
        await at_puzzle(seen)
        await seen.reads("The best move:")


async def test_who_has_seen_the_solution_has_not_solved_it(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await seen.on(ConnectScreen)
        await at_puzzle(seen)
        await seen.press("f3")
        await seen.reads("The best move:")
        await seen.press(*BEST)
        assert kept(seen) == (0, False, True)


async def test_who_leaves_while_it_is_looked_for_leaves_nothing_behind(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await seen.on(ConnectScreen)
        seen.app.push_screen(PuzzleScreen(DAY))
        await seen.on(PuzzleScreen)
        await seen.press("escape")
        await seen.on(ConnectScreen)
        assert kept(seen) == (0, False, False)
