"""A table of castles where there is little room: the own building, the others as counts, the own cards."""

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, flowed
from diadem_client.games.castles import choice_drawing, painting
from diadem_client.games.castles.event_text import COLOURS
from diadem_client.games.castles.painting import COMMON, called, colour_paint
from diadem_client.games.castles.pictures import HEIGHT, WIDTH
from diadem_client.games.castles.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import PARTS
from diadem_shared.games.castles.table import TurnPhase

GAP = 2
WIDEST = 80
TALLEST = 20
COUNTS = 9
"""Columns for the two common cards of a player."""
STATE = 10
UPPER, HAND = HEIGHT + 1, 3


def draw(canvas: Canvas, model: RenderModel) -> None:
    width, height = min(canvas.width - 2, WIDEST), min(canvas.height, TALLEST)
    left, top = (canvas.width - width) // 2, (canvas.height - height) // 2
    own = model.order[0] if model.seat is not None else model.table.turn
    _draw_holder(canvas, model, own, Rect(left - 1, top, WIDTH + 1, 1))
    painting.built(canvas, model, own, (left, top + 1))
    x = left + WIDTH + GAP
    _draw_side(canvas, model, own, Rect(x, top, left + width - x, UPPER))
    below = Rect(left, top + UPPER, width, height - UPPER)
    if model.shopping is not None:
        listed = min(below.height, len(model.shopping.sellers) + 1)
        choice_drawing.draw(canvas, model, Rect(left, below.y, width, listed))
        below = Rect(left, below.y + listed, width, below.height - listed)
    if model.toll is not None:
        choice_drawing.draw(canvas, model, below)
    elif below.height >= HAND:
        _draw_hand(canvas, model, own, below)


def _draw_holder(canvas: Canvas, model: RenderModel, seat: Seat, area: Rect) -> None:
    """A row for a player: who is on, what they build; at the side also what they keep."""
    table, holding = model.table, model.table.holdings[seat]
    now = table.turn == seat and table.phase is not TurnPhase.OVER
    if now:
        canvas.fill(area, "row")
        canvas.put(area.x, area.y, canvas.sign(signs.TURN), Ink.KEY)
    state, paint = "", Ink.FAINT
    if holding.builds:
        state = f"{_(COLOURS[holding.builds])} {len(holding.castle)}/{PARTS}"
        paint = colour_paint(holding.builds)
    note = model.notes[seat] if model.notes else ""
    if note:
        state, paint = note, Ink.FAINT
    strong = Ink.STRONG if now or seat == model.seat else Ink.PLAIN
    if seat in model.tinted:
        canvas.fill(Rect(area.x + 1, area.y, area.width - 1, 1), "fresh")
        paint = strong = Ink.FRESH
    state = fitted(state, STATE)
    name = model.name(canvas, seat, area.width - 3 - len(state))
    canvas.put(area.x + 2, area.y, name, strong)
    canvas.right(area.x + area.width, area.y, state, paint)


def _draw_side(canvas: Canvas, model: RenderModel, own: Seat, area: Rect) -> None:
    """Piles, what has happened, and everybody else."""
    table = model.table
    counts = [
        f"{_('deck')} {table.deck}",
        f"{_('aside')} {len(table.aside)}",
        painting.dangers(model.edition, model.dangers_left),
    ]
    if table.drawn:
        counts.append(_("drawn {count}").format(count=len(table.drawn)))
    lines = flowed(counts, area.width)[:2]
    for offset, line in enumerate(lines):
        canvas.put(area.x, area.y + offset, line, Ink.FAINT)
    others = [seat for seat in range(len(model.names)) if seat != own]
    first = area.y + area.height - 2 * len(others)
    y = area.y + len(lines)
    painting.told(canvas, model.told, Rect(area.x, y, area.width, first - y), model.card)
    for number, seat in enumerate(others):
        y = first + 2 * number
        _draw_holder(canvas, model, seat, Rect(area.x, y, area.width - COUNTS - 2, 1))
        painting.counted(canvas, model, seat, area.x + area.width, y)
        painting.chips(canvas, model, seat, Rect(area.x + 2, y + 1, area.width - 2, 1))


def _draw_hand(canvas: Canvas, model: RenderModel, own: Seat, area: Rect) -> None:
    """All that is in the own reserve, in words and chips."""
    head = _("Your cards") if own == model.seat else model.names[own]
    canvas.put(area.x, area.y, head, Ink.FAINT)
    reserve = model.table.holdings[own].reserve
    x = area.x
    for card, sign, paint in COMMON[model.edition.name]:
        text = f"{canvas.sign(sign)} {reserve.count(card)} {called(card, model.edition)}"
        x = canvas.put(x, area.y + 1, text, paint) + 3
    painting.chips(canvas, model, own, Rect(area.x, area.y + 2, area.width, 1))
