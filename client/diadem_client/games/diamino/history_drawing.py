"""What happened, beside the board: a line a turn, the newest last and whole."""

from collections.abc import Sequence

from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.board.news import ending
from diadem_client.games.diamino.board_drawing import ground_of
from diadem_client.games.diamino.history import Item
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_shared.games.diamino.board import FieldKind

NAME = 10
Piece = tuple[str, Paint]


def draw(canvas: Canvas, items: Sequence[Item], area: Rect) -> None:
    """As many as there is room for, down to the last row: the newest stays where it is, whatever is above."""
    told: list[list[list[Piece]]] = []
    room = area.height
    for item in reversed(items):
        rows = _rows(canvas, item, area, newest=not told)
        if told and len(rows) > room:
            break
        told.append(rows[: area.height])
        room -= len(told[-1])
    y = area.y + room
    for rows in reversed(told):
        for row in rows:
            x = area.x
            for text, paint in row:
                x = canvas.put(x, y, text, paint)
            y += 1


def draw_narrow(canvas: Canvas, items: Sequence[Item], area: Rect) -> None:
    """The newest alone, in words."""
    for item in items[-1:]:
        gain = f"+{item.gain}" if item.gain else ""
        words = item.sentence or " ".join((item.name, *item.words, gain))
        for offset, line in enumerate(cut(wrapped(words, area.width), area.height)):
            canvas.put(area.x, area.y + offset, fitted(line, area.width), Ink.FAINT)


def _rows(canvas: Canvas, item: Item, area: Rect, *, newest: bool) -> list[list[Piece]]:
    width = area.width
    if item.sentence:
        paint = Ink.PLAIN if newest else Ink.FAINT
        told = ending(item.sentence, area) if newest else wrapped(item.sentence, width)
        return [[(line, paint)] for line in told]
    right = _right(canvas, item)
    room = width - sum(cells_of(text) for text, _paint in right)
    up = canvas.sign(signs.UP)
    first, *others = (
        f"{word} {up}" if number in item.upward else word for number, word in enumerate(item.words)
    )
    pieces = [
        (fitted(item.name, NAME), Ink.STRONG if newest else Ink.FAINT),
        (f" {fitted(first, width - 4)} ", Ink.FRESH),
        *((fitted(word, width - 2), Ink.PLAIN if newest else Ink.FAINT) for word in others),
    ]
    rows: list[list[Piece]] = [[]]
    used = 0
    for text, paint in pieces:
        most = room if len(rows) == 1 else width
        if used and used + 1 + cells_of(text) > most:
            rows.append([("  ", paint)])
            used = 2
        elif used:
            rows[-1].append((" ", Ink.PLAIN))
            used += 1
        rows[-1].append((text, paint))
        used += cells_of(text)
    taken = sum(cells_of(text) for text, _paint in rows[0])
    rows[0] += [(" " * (room - taken), Ink.PLAIN), *right]
    return rows


def _right(canvas: Canvas, item: Item) -> list[Piece]:
    """Devils that were covered, and points."""
    pieces: list[Piece] = []
    for kind, count in ((FieldKind.GREEN, item.greens), (FieldKind.RED, item.reds)):
        if count:
            sign, paint = ground_of(canvas, kind)
            pieces.append((canvas.sign(sign), paint))
            pieces += [(f"{count}", Ink.FAINT)] if count > 1 else []
    if item.gain:
        pieces.append((f"{item.gain:>4}", Ink.STRONG))
    return [(" ", Ink.PLAIN), *pieces] if pieces else []


def cut(lines: list[str], height: int) -> list[str]:
    """As many as there is room for; the last one says if there were more."""
    if len(lines) <= height or height <= 0:
        return lines[: max(0, height)]
    return [*lines[: height - 1], f"{lines[height - 1]} ..."]
