"""Matches that were weighed, and puzzles."""

from datetime import date, timedelta

from diadem_client.state.puzzle_record import PuzzleRecord
from diadem_client.ui.screens.analysis import AnalysisScreen, CostList
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.puzzle import PuzzleScreen
from diadem_client.ui.widgets.puzzles import PuzzleList
from diadem_shared.entries import Setup
from tests.client.scenes.looking_back import look_at, look_back
from tests.client.scenes.stage import scene
from tests.client.ui.screens.rig import Seen

DAY = date(2026, 11, 24)


@scene(AnalysisScreen)
async def analysis(seen: Seen) -> None:
    await look_at(seen, Setup("diamoniak"), ["lively", "bold", "easy"])
    await seen.press("a")
    await seen.on(AnalysisScreen)
    await seen.until(lambda: seen.app.screen.query_one(CostList).told)
    await seen.press("s", "s", "down")


@scene(AnalysisScreen, more=True)
async def analysis_of_a_memory(seen: Seen) -> None:
    await look_at(seen, Setup("diadingo"), ["naive", "perfect"])
    await seen.press("a")
    await seen.on(AnalysisScreen)
    await seen.until(lambda: seen.app.screen.query_one(CostList).told)


def some_puzzles() -> PuzzleRecord:
    record = PuzzleRecord()
    for back, tries in ((1, 1), (2, 3), (3, 1)):
        day = DAY - timedelta(back)
        for attempt in range(tries):
            record = record.tried(day, day, solves=attempt == tries - 1)
    late, open_, given_up = (DAY - timedelta(back) for back in (5, 6, 7))
    record = record.tried(late, DAY, solves=True).tried(open_, open_, solves=False)
    return record.shown(given_up)


@scene(LookBackScreen)
async def puzzles(seen: Seen) -> None:
    await look_back(seen)
    await seen.press("shift+tab")
    seen.app.screen.query_one(PuzzleList).show(DAY, some_puzzles())
    await seen.press("down")


async def at_puzzle(seen: Seen) -> None:
    seen.app.push_screen(PuzzleScreen(DAY))
    await seen.on(PuzzleScreen)
    await seen.until(lambda: seen.app.screen.client_state.table)  # type: ignore[attr-defined]


@scene(PuzzleScreen)
async def puzzle(seen: Seen) -> None:
    await at_puzzle(seen)


@scene(PuzzleScreen, more=True)
async def puzzle_missed(seen: Seen) -> None:
    await at_puzzle(seen)
    before = seen.app.store.puzzle_record().of(DAY).tries
    await seen.press("0", "enter")
    await seen.until(lambda: seen.app.store.puzzle_record().of(DAY).tries > before)


@scene(PuzzleScreen, more=True)
async def puzzle_with_its_solution(seen: Seen) -> None:
    await at_puzzle(seen)
    await seen.press("f3")
