"""Diamino drawn with everything that a player could be asked for; what can be read on every such drawing."""

import re
from collections import Counter

from diadem_client.board.canvas import Canvas
from diadem_client.board.pane import Scene
from diadem_client.games.diamino import drawing as diamino
from diadem_client.games.diamino.draft import Parcel, new_draft
from diadem_client.games.diamino.history import Item
from diadem_client.games.diamino.unseen import unseen
from tests.client.board.sheet import SENTENCE, Sheet, assert_turn_is_told


def tiles_of(scene: Scene) -> str:
    assert scene.view.private is not None
    return str(scene.view.private.tiles)


def draw(scene: Scene, canvas: Canvas, at: int) -> None:
    hand: str = tiles_of(scene)
    parcel = Parcel(hand, 3) if at % 3 == 1 else None
    told = [Item(SENTENCE)] * (at % 4)
    draft = new_draft(scene.public.board, hand)
    diamino.draw(
        canvas,
        diamino.RenderModel(
            table=scene.public,
            seat=scene.seat,
            names=scene.names,
            actors=scene.actors,
            draft=draft.moved(at % 3 - 1, at % 5 - 2),
            parcel=parcel,
            history=told,
            unseen=unseen(scene.public, hand, scene.seat) if at % 5 == 4 else None,
        ),
    )


def check(scene: Scene, sheet: Sheet, at: int) -> None:
    if at % 5 != 4:
        assert_turn_is_told(scene, sheet)
    assert_rack_is_whole(scene, sheet.text())


def assert_rack_is_whole(scene: Scene, text: str) -> None:
    """Somewhere below the board all tiles of the hand lie."""
    hand = Counter(tiles_of(scene).replace("*", ""))
    rows = text.splitlines()
    assert any(
        hand <= Counter(re.sub("[^A-Z]", "", "".join(rows[first:])))
        for first in range(10, len(rows))
    ), text
