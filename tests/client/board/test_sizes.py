"""Panes in every size: nothing lies over anything else, and what one needs to play is there."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_client.board.canvas import Canvas, Rect
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import LEAST, Scene
from diadem_client.board.registry import pane_for
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_shared.entries import Started
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.client.board.host import Desk
from tests.client.board.sheet import Sheet
from tests.thoroughness import times

LEVELS = {"diamino-rummy": "easy", "diamino-bonus": "easy"}
CHANGING = ("diamoniak", "piratatak", "diadingo")
"""Games in which the scenes here ask a player for several things."""
ASKING = {"danger", "steal", "give", "judge"}


def test_a_sheet_notices_text_over_text() -> None:
    sheet = Sheet(20, 1)
    sheet.put(0, 0, "Players")
    sheet.fill(Rect(10, 0, 5, 1), "row")
    assert not sheet.collisions
    sheet.put(5, 0, "40")
    assert sheet.collisions


def phase_of(scene: Scene) -> str:
    """ "" where a turn has none."""
    return str(getattr(scene.public, "phase", ""))


@cache
def scenes(game: str) -> list[Scene]:
    """A match at its beginning, and later, as each player in turn sees it."""
    return list(_scenes(game))


def _scenes(game: str) -> Iterator[Scene]:
    for seats in sorted({GAMES[game].seats[0], GAMES[game].seats[-1]}):
        for seat in range(min(2, seats)):
            desk = Desk(game, seats=seats, seed="sizes", seat=seat, level=LEVELS.get(game, ""))
            yield desk.enter(Started())
            for step in range(14 * seats):
                if desk.match.phase is Phase.PLAYING:
                    mover = desk.match.actors[0]
                    scene = desk.play(mover, desk.chosen(mover))
                    if step % 9 == 8 or (scene.may_act and phase_of(scene) in ASKING):
                        yield scene


def drawn(scene: Scene, canvas: Canvas, at: int) -> None:
    """With everything that the player could be asked for, and something pointed at."""
    DRAWERS[scene.game].draw(scene, canvas, at)


class PaneDrawer:
    """For a game without a drawer of its own: its pane draws the scene for players who type their moves."""

    def __init__(self, game: str) -> None:
        self._pane = pane_for(game)

    def draw(self, scene: Scene, canvas: Canvas, at: int) -> None:
        if isinstance(self._pane, DrawnPane):
            self._pane.sketch(canvas, scene)

    def check(self, scene: Scene, sheet: Sheet, at: int) -> None:
        """Nothing is known that all drawings have."""


def drawer_of(game: str) -> Any:
    """The module `drawer` in the game's own folder here, if there is one."""
    folder = CLIENT_GAMES[game].package.rpartition(".")[2]
    name = f"tests.client.games.{folder}.drawer"
    return import_module(name) if is_module(name) else PaneDrawer(game)


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


DRAWERS = {game: drawer_of(game) for game in GAMES}
SIZES = st.tuples(st.integers(LEAST.width, 220), st.integers(LEAST.height, 57))


@settings(max_examples=times(60, 5000), deadline=None)
@given(st.data(), st.sampled_from(sorted(GAMES)), SIZES, st.integers(0, 24), st.booleans())
def test_whatever_is_drawn_can_be_read(
    data: st.DataObject,
    game: str,
    size: tuple[int, int],
    at: int,
    ascii_only: bool,  # noqa: FBT001, as hypothesis gives it
) -> None:
    scene = data.draw(st.sampled_from(scenes(game)))
    sheet = Sheet(*size, ascii_only=ascii_only)
    drawn(scene, sheet, at)
    assert not sheet.collisions, sheet.text()
    assert all(len(row) == size[0] for row in sheet.rows())
    DRAWERS[game].check(scene, sheet, at)


def test_no_scene_is_left_out() -> None:
    asking = {game: {phase_of(scene) for scene in scenes(game) if scene.may_act} for game in GAMES}
    assert {game for game, phases in asking.items() if not phases} == set()
    assert {game: len(asking[game]) > 1 for game in CHANGING} == dict.fromkeys(CHANGING, True)
