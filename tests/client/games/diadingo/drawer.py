"""Diadingo drawn with everything that a player could be asked for; what can be read on every such drawing."""

from diadem_client.board.canvas import Canvas
from diadem_client.board.pane import Scene
from diadem_client.games.diadingo import drawing as diadingo
from diadem_client.games.diadingo import render_model as diadingo_model
from diadem_client.games.diadingo.draft import Aim, theft_from
from diadem_client.games.diadingo.turns import changed
from diadem_client.wording.turns import Line
from diadem_shared.games.diadingo.table import TurnPhase as DiadingoPhase
from tests.client.board.sheet import SENTENCE, Sheet, assert_turn_is_told


def draw(scene: Scene, canvas: Canvas, at: int) -> None:
    fresh_spots, fresh_rings = changed(scene.since_last_turn())
    robbing = scene.may_act and scene.public.phase is DiadingoPhase.STEAL
    theft = theft_from(scene.public, scene.seat or 0) if robbing else None
    diadingo.draw(
        canvas,
        diadingo_model.RenderModel(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            aim=None if theft else Aim(),
            theft=theft.moved(at) if theft else None,
            told=[Line(SENTENCE, is_new=at % 2 == 0)] * (1 + at % 4),
            fresh_spots=fresh_spots,
            fresh_rings=fresh_rings,
        ),
    )


def check(scene: Scene, sheet: Sheet, at: int) -> None:  # noqa: ARG001 - as every drawer is asked
    assert_turn_is_told(scene, sheet)
