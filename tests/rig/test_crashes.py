"""SIGKILL at and between the steps of a commit loses nothing that was acknowledged."""

from pathlib import Path

import pytest

from diadem_shared.games import GAMES
from tests.rig import Broken
from tests.rig.crash_answers import check_answers
from tests.rig.crashes import check_crash
from tests.rig.crashing_server import PLANTS, PLANTS_OF_ANSWERS, STEPS
from tests.sample_game import Numbers

pytestmark = pytest.mark.slow

EACH_STEP = [("chat", 1), ("readiness", 3), ("last move", 1), ("table", 2)]
LATER = [("chat", 3), ("readiness", 1), ("readiness", 2), ("answer", 3)]
IN_PLAY = 6
"""The entry by which a match has well begun: made, sat at, dealt, and moved in."""


@pytest.mark.parametrize(
    ("name", "step", "nth"),
    [
        *((next(iter(GAMES)), step, nth) for step in STEPS for nth in (IN_PLAY, 11)),
        *((name, "between", IN_PLAY) for name in [*GAMES][1:]),
    ],
)
async def test_a_match_survives_a_crash(name: str, step: str, nth: int, tmp_path: Path) -> None:
    await check_crash(GAMES[name], tmp_path, step, nth)


@pytest.mark.parametrize(
    ("nth", "step"),
    [
        *((1, step) for step in STEPS),
        *((2, step) for step in ("between", "shown")),
        *((3, step) for step in ("before", "after", "answered")),
    ],
)
async def test_a_table_survives_a_crash_before_the_first_move(
    step: str, nth: int, tmp_path: Path
) -> None:
    await check_crash(next(iter(GAMES.values())), tmp_path, step, nth)


@pytest.mark.parametrize("plant", PLANTS)
async def test_a_planted_fault_is_noticed(plant: str, tmp_path: Path) -> None:
    with pytest.raises(Broken, match="is there"):
        await check_crash(next(iter(GAMES.values())), tmp_path, "before", IN_PLAY, plant)


@pytest.mark.parametrize(
    ("what", "nth", "step"),
    [
        *((what, nth, step) for what, nth in EACH_STEP for step in STEPS),
        *((what, nth, "between") for what, nth in LATER),
    ],
)
async def test_what_was_answered_survives_a_crash(
    what: str, step: str, nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, Numbers.name, Numbers())
    await check_answers(tmp_path, what, step, nth)


@pytest.mark.parametrize("plant", PLANTS_OF_ANSWERS)
async def test_an_answer_that_is_not_kept_is_noticed(
    plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, Numbers.name, Numbers())
    with pytest.raises(Broken):
        await check_answers(tmp_path, "chat", "before", 2, plant)
