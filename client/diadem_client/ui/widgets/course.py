"""The decisions of a match in the order they were made: the chances as a line, or what each gave away."""

from collections.abc import Sequence
from itertools import pairwise

from diadem.advice import Unit
from diadem.analysis import Weighed
from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.wording.values import grouped

LEFT = 7
"""Columns for what the height of the line means."""


class Course(Drawing):
    DEFAULT_CSS = """
    Course { height: 3fr; min-height: 5; max-height: 9; width: 100%; margin: 1 0 0 0; }
    .-low Course { margin: 0; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._decisions: Sequence[Weighed] = ()
        self._marked = 0
        self._percent: int | None = None

    def show_progress(self, percent: int) -> None:
        """How far the match is weighed, as long as there is no course to be shown."""
        self._percent = percent
        self.redraw()

    def show(self, decisions: Sequence[Weighed], marked: int) -> None:
        """`marked`: the entry that is pointed at."""
        self._decisions, self._marked, self._percent = decisions, marked, None
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        if self._percent is not None:
            bar = Rect(2, canvas.height // 2, canvas.width - 4, 1)
            canvas.gauge(bar, self._percent, 100)
            return
        if not self._decisions:
            return
        chances = [each for each in self._decisions if each.unit is Unit.CHANCE]
        room = max(1, canvas.width - LEFT - 3)
        if len(chances) * 2 >= len(self._decisions):
            canvas.put(2, 0, _("chance to win the round, by each decision"), Ink.FAINT)
            shown = [(each, each.value) for each in chances]
            top, bottom = "100 %", "0 %"
        else:
            canvas.put(2, 0, _("what each decision gave away"), Ink.FAINT)
            costs = [each.cost if each.is_costly else 0.0 for each in self._decisions]
            most = max(costs)
            shown = [
                (each, cost / (most or 1.0))
                for each, cost in zip(self._decisions, costs, strict=True)
            ]
            top, bottom = grouped(round(most)) if most else "", "0"
        height = canvas.height - 1
        canvas.right(LEFT - 1, 1, top, Ink.FAINT)
        canvas.right(LEFT - 1, height, bottom, Ink.FAINT)
        costly = sorted((each.cost for each, _height in shown), reverse=True)[:3]
        for column, (decision, share) in enumerate(_fitting(shown, room)):
            is_costly = decision.is_costly and decision.cost >= costly[-1]
            paint = Paint(
                "accent" if decision.entry == self._marked else "bad" if is_costly else "good"
            )
            self._bar(canvas, LEFT + column, height, max(0.0, min(1.0, share)), paint)

    def _bar(self, canvas: Canvas, x: int, height: int, share: float, paint: Paint) -> None:
        """From below; at least something can be seen of it."""
        halves = max(1, round(share * height * 2))
        for row in range(halves // 2):
            canvas.put(x, height - row, canvas.sign(signs.FILLED), paint)
        if halves % 2:
            half = signs.FILLED if canvas.ascii_only else signs.LOWER_HALF
            canvas.put(x, height - halves // 2, canvas.sign(half), paint)


def _fitting(shown: Sequence[tuple[Weighed, float]], room: int) -> list[tuple[Weighed, float]]:
    """Of more decisions than there are columns each column shows the one that gave away most."""
    if len(shown) <= room:
        return list(shown)
    edges = [column * len(shown) // room for column in range(room + 1)]
    return [
        max(shown[first:last], key=lambda each: each[0].cost) for first, last in pairwise(edges)
    ]
