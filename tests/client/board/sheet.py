"""A canvas for tests of what games draw in every size."""

import re

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.board.pane import Scene
from diadem_client.look import signs
from diadem_client.look.palette import Paint

SENTENCE = "Bartholomea Fitzroya begins the yellow castle. From the reserve: yellow 1, yellow 6."


class Sheet(Canvas):
    """A canvas that notices letters and digits being written over."""

    def __init__(self, width: int, height: int, *, ascii_only: bool = False) -> None:
        super().__init__(width, height, ascii_only=ascii_only)
        self.collisions: list[str] = []

    def put(self, x: int, y: int, text: str, paint: Paint = Ink.PLAIN) -> int:
        before = self._row(y)
        after = super().put(x, y, text, paint)
        lost = [
            f"{old!r} at {at},{y} under {text!r}"
            for at, (old, new) in enumerate(zip(before, self._row(y), strict=True))
            if old != new and old.isalnum()
        ]
        self.collisions += lost
        return after

    def _row(self, y: int) -> list[str]:
        rows = self.rows()
        return [cell for cell, _paint in rows[y]] if 0 <= y < len(rows) else []


def assert_turn_is_told(scene: Scene, sheet: Sheet) -> None:
    if scene.may_act and getattr(scene.public, "card", None) != "theft":
        turn = sheet.sign(signs.TURN)
        assert re.search(f"{turn} ?You", sheet.text()), sheet.text()
