"""The decisions of a match in the order they were made: the chances as a line, or what each gave away."""

from collections.abc import Sequence
from itertools import pairwise

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.wording.values import grouped
from diadem_shared.advice import Unit
from diadem_shared.analysis import MoveAnalysis

LEFT = 7
"""Columns for what the height of the line means."""
WIDEST = 3
"""Columns of a decision where there are few, with the one that parts it from the next."""


class Course(Drawing):
    DEFAULT_CSS = """
    Course { height: 3fr; min-height: 6; max-height: 10; width: 100%; margin: 1 0 0 0; }
    .-low Course { margin: 0; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._decisions: Sequence[MoveAnalysis] = ()
        self._marked = 0
        self._percent: int | None = None

    def show_progress(self, percent: int) -> None:
        """How far the match is weighed, as long as there is no course to be shown."""
        self._percent = percent
        self.redraw()

    def show(self, decisions: Sequence[MoveAnalysis], marked: int) -> None:
        """`marked`: the entry that is pointed at."""
        self._decisions, self._marked, self._percent = decisions, marked, None
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        if self._percent is not None:
            bar = Rect(2, canvas.height // 2, canvas.width - 4, 1)
            canvas.gauge(bar, self._percent, 100)
            return
        if self._decisions:
            draw_course(canvas, self._decisions, self._marked)


def draw_course(canvas: Canvas, decisions: Sequence[MoveAnalysis], marked: int) -> None:
    """A bar for each decision, and an arrow below the one that is pointed at."""
    chances = [each for each in decisions if each.unit is Unit.CHANCE]
    room = max(1, canvas.width - LEFT - 3)
    if len(chances) * 2 >= len(decisions):
        canvas.put(2, 0, _("chance to win the round, by each decision"), Ink.FAINT)
        shown = [(each, each.value) for each in chances]
        top, bottom = "100 %", "0 %"
    else:
        canvas.put(2, 0, _("what each decision gave away"), Ink.FAINT)
        costs = [each.cost if each.is_costly else 0.0 for each in decisions]
        most = max(costs)
        shown = [(each, cost / (most or 1.0)) for each, cost in zip(decisions, costs, strict=True)]
        top, bottom = grouped(round(most)) if most else "", "0"
    height = canvas.height - 2  # the last row is for what is pointed at
    canvas.right(LEFT - 1, 1, top, Ink.FAINT)
    canvas.right(LEFT - 1, height, bottom, Ink.FAINT)
    costly = sorted((each.cost for each, _height in shown), reverse=True)[:3]
    fitting = _fitting(shown, room, marked)
    pitch = max(1, min(WIDEST, room // len(fitting)))
    width = max(1, pitch - 1)
    for column, (decision, share) in enumerate(fitting):
        x, points = LEFT + column * pitch, decision.entry == marked
        is_costly = decision.is_costly and decision.cost >= costly[-1]
        paint = Paint("accent" if points else "bad" if is_costly else "good")
        _draw_bar(canvas, Rect(x, 1, width, height), max(0.0, min(1.0, share)), paint)
        if points:
            canvas.put(x, height + 1, canvas.sign(signs.UP) * width, Ink.KEY)


def _draw_bar(canvas: Canvas, area: Rect, share: float, paint: Paint) -> None:
    """From below; at least something can be seen of it."""
    halves = max(1, round(share * area.height * 2))
    for row in range(halves // 2):
        canvas.put(area.x, area.height - row, canvas.sign(signs.FILLED) * area.width, paint)
    if halves % 2:
        half = signs.FILLED.ascii if canvas.ascii_only else signs.LOWER_HALF.own
        canvas.put(area.x, area.height - halves // 2, half * area.width, paint)


def _fitting(
    shown: Sequence[tuple[MoveAnalysis, float]], room: int, marked: int
) -> list[tuple[MoveAnalysis, float]]:
    """Of more decisions than there are columns each column shows the one that is marked, or gave away most."""
    if len(shown) <= room:
        return list(shown)
    edges = [column * len(shown) // room for column in range(room + 1)]
    return [
        max(shown[first:last], key=lambda each: (each[0].entry == marked, each[0].cost))
        for first, last in pairwise(edges)
    ]
