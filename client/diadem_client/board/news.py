"""What happened, beside a board: a line a turn, the newest below, and what is new to the player marked."""

from collections.abc import Iterator, Sequence

from diadem_client.board.canvas import Canvas, Ink, Rect, wrapped
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.wording.turns import Line

CUT = "..."


def draw(canvas: Canvas, lines: Sequence[Line], area: Rect, paint: Paint = Ink.STRONG) -> None:
    """The newest in a paint of its own; of those before it as many as there is room for."""
    told: list[tuple[list[str], Paint]] = []
    room = area.height
    for line in reversed(lines):
        text = f"{canvas.sign(signs.FRESH)} {line.text}" if line.is_new else line.text
        rows = wrapped(text, area.width)
        if told and len(rows) > room:
            break
        if not told:
            told.append((ending(text, area), paint))
        else:
            told.append((rows, Ink.PLAIN if line.is_new else Ink.FAINT))
        room -= len(told[-1][0])
    y = area.y
    for rows, ink in reversed(told):
        for row in rows:
            canvas.put(area.x, y, row, ink)
            y += 1


def ending(text: str, area: Rect) -> list[str]:
    """All of a line, or who it is about and its end: that is the news of a turn that grows."""
    rows = wrapped(text, area.width)
    who, colon, deeds = text.partition(": ")
    for left in _endings(deeds):
        if len(rows) <= area.height:
            break
        rows = wrapped(" ".join((who + colon.strip(), CUT, left)), area.width)
    return rows[: max(0, area.height)]


def _endings(deeds: str) -> Iterator[str]:
    """Without the first deeds; then of the last one without its first things, then without its first words."""
    for mark in ("; ", ", ", " "):
        while (cut := deeds.partition(mark))[1]:
            deeds = cut[2]
            yield deeds
