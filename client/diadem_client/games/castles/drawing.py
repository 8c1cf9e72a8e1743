"""A table of castles: everybody's building, and beside them the cards and what is asked."""

from collections import Counter

from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, flowed
from diadem_client.games.castles import choice_drawing, compact, painting
from diadem_client.games.castles.event_text import COLOURS
from diadem_client.games.castles.painting import CARD, COMMON, PILE, called, colour_paint
from diadem_client.games.castles.pictures import HEIGHT, WIDTH
from diadem_client.games.castles.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import PARTS, colour_of
from diadem_shared.games.castles.table import TurnPhase

PITCH = WIDTH + 2
SIDE = 25
NAME = 14
LARGE = (108, 31)
"""From this size on there are log, chat, and the own cards as cards."""
LARGEST = (180, 45)
"""From this size on buildings are twice as large."""
CARD_PITCH = 13
DECK = -1
"""The number of a click on it; lines of the list have those from 0 on."""


def draw(canvas: Canvas, model: RenderModel) -> None:
    if canvas.compact:
        compact.draw(canvas, model)
    elif canvas.width >= LARGE[0] and canvas.height >= LARGE[1]:
        _draw_large(canvas, model)
    else:
        _draw_small(canvas, model)


def _draw_small(canvas: Canvas, model: RenderModel) -> None:
    left = max(1, (canvas.width - 2 * PITCH - 1 - SIDE) // 2)
    rows = 1 if len(model.names) == 2 else 2
    top = max(0, (canvas.height - 2 * (HEIGHT + 1)) // 2)
    for place, seat in enumerate(model.order):
        x, y = left + PITCH * (place % 2), top + (HEIGHT + 1) * (place // 2)
        _draw_holder(canvas, model, seat, x, y)
        _draw_building(canvas, model, seat, x, y + 1)
    if rows == 1:
        below = top + HEIGHT + 1
        _draw_own_cards(canvas, model, Rect(left, below, 2 * PITCH, canvas.height - below))
    x = left + 2 * PITCH + 1
    _draw_piles(canvas, model, x, top)
    height = canvas.height - top
    below = CARD.height + len(_counts(model))
    painting.told(canvas, model.told, Rect(x, top + below, SIDE, 10 - below), model.card)
    _draw_choice(canvas, model, Rect(x, top + 10, SIDE, height - 10))


def _draw_large(canvas: Canvas, model: RenderModel) -> None:
    is_largest = canvas.width >= LARGEST[0] and canvas.height >= LARGEST[1]
    scale = 2 if is_largest and not canvas.line_drawn else 1
    pitch, storey = scale * WIDTH + 4, scale * HEIGHT + 4
    width, height = min(canvas.width, 84 + 56 * scale), min(canvas.height, 34 + 6 * scale)
    left, top = (canvas.width - width) // 2 + 2, (canvas.height - height) // 2 + 1
    for place, seat in enumerate(model.order):
        x, y = left + pitch * (place % 2), top + storey * (place // 2)
        _draw_holder(canvas, model, seat, x, y, scale)
        _draw_building(canvas, model, seat, x, y + 1, scale)
        _draw_kept(canvas, model, seat, Rect(x, y + scale * HEIGHT + 1, scale * WIDTH, 2))
    x = left + 2 * pitch + 3
    side = left + width - 4 - x
    _draw_piles(canvas, model, x, top)
    painting.told(canvas, model.told, Rect(x + 30, top, side - 30, 6), model.card)
    rows = 2 if len(model.names) > 2 else 1
    below = top + storey * rows
    choosing = choice_drawing.entries(model)
    hand = Rect(left, below, width - 4, CARD.height + 1)
    if rows == 1:  # beside the log
        hand = Rect(left, below, 2 * pitch, min(2 * CARD.height + 1, canvas.height - below))
    middle = top + 7
    if below + hand.height <= canvas.height:
        _draw_own_cards(canvas, model, hand)
    elif scale > 1:
        _draw_own_cards(canvas, model, Rect(x, middle, side, hand.height))
        middle += hand.height + 1
    if choosing:
        listed = min(len(choosing), 9) + 1
        choice_drawing.draw(canvas, model, Rect(x, middle, side, listed))
        middle += listed + 1
    end = min(top + 2 * storey - 1, canvas.height)
    canvas.talk = Rect(x, middle, side, max(4, end - middle))


# Players


def _draw_holder(
    canvas: Canvas, model: RenderModel, seat: Seat, x: int, y: int, scale: int = 1
) -> None:
    """A name over a building, and how far it has come."""
    width = scale * WIDTH
    table, holding = model.table, model.table.holdings[seat]
    now = table.turn == seat and table.phase is not TurnPhase.OVER
    tinted = seat in model.tinted
    if now:
        canvas.fill(Rect(x - 1, y, width + 2, 1), "row")
        canvas.put(x - 1, y, canvas.sign(signs.TURN), Ink.KEY)
    name = model.name(canvas, seat, NAME)
    note = model.notes[seat] if model.notes else ""
    room = width - 2 - cells_of(name)
    state, paint = _("nothing built"), Ink.FAINT
    if holding.builds:
        state = f"{_(COLOURS[holding.builds])} {len(holding.castle)}/{PARTS}"
        paint = colour_paint(holding.builds)
    strong = now or seat == model.seat
    if tinted:
        canvas.fill(Rect(x, y, width + 1, 1), "fresh")
        paint = Ink.FRESH
    after = canvas.put(x + 1, y, name, Ink.FRESH if tinted else Ink.STRONG if strong else Ink.PLAIN)
    if tinted:
        note = ""
    if note and cells_of(f" {note} {state}") <= room:
        canvas.put(after + 1, y, note, Ink.FAINT)
    elif note:
        state, paint = note, Ink.FAINT
    canvas.right(x + width, y, fitted(state, room), paint)


def _draw_building(
    canvas: Canvas, model: RenderModel, seat: Seat, x: int, y: int, scale: int = 1
) -> None:
    painting.built(canvas, model, seat, (x, y), scale)


def _draw_kept(canvas: Canvas, model: RenderModel, seat: Seat, area: Rect) -> None:
    """What a player keeps: a count of the two common cards, and a chip for every spare part."""
    canvas.put(area.x + 1, area.y, _("keeps"), Ink.FAINT)
    painting.counted(canvas, model, seat, area.x + area.width, area.y)
    painting.chips(canvas, model, seat, Rect(area.x + 1, area.y + 1, area.width - 1, 1))


def _draw_own_cards(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """The own reserve as cards, equal ones counted, the common ones first, as many as there is room for."""
    seat = model.table.turn if model.seat is None else model.seat
    if area.height < CARD.height + 1:
        return
    kept = sorted(
        Counter(model.table.holdings[seat].reserve).items(),
        key=lambda kind: bool(colour_of(kind[0])),
    )
    head = _("Your cards") if seat == model.seat else model.names[seat]
    canvas.put(area.x + 1, area.y, head, Ink.FAINT)
    across = area.width // CARD_PITCH
    rows = (area.height - 1) // CARD.height
    for number, (card, count) in enumerate(kept[: across * rows]):
        row, column = divmod(number, across)
        at = area.x + column * CARD_PITCH, area.y + 1 + row * CARD.height
        painting.card(canvas, model.edition, card, *at, count=count)
    if len(kept) > across * rows:
        canvas.right(area.x + area.width, area.y, f"+{len(kept) - across * rows}", Ink.FAINT)
    if not kept:
        canvas.put(area.x + 1, area.y + 1, canvas.sign(signs.DOT), Ink.DOT)


# Cards, and what has happened


def _draw_piles(canvas: Canvas, model: RenderModel, x: int, y: int) -> None:
    table = model.table
    canvas.place(Rect(x, y, PILE.width, PILE.height), DECK)
    painting.pile(canvas, _("deck"), table.deck, x, y, face_down=True)
    painting.pile(canvas, _("aside"), len(table.aside), x + 7, y, face_down=False)
    if model.turning is not None:
        painting.turning_card(canvas, model.turning, x + 14, y)
    elif model.card:
        painting.card(canvas, model.edition, model.card, x + 14, y)
    else:
        canvas.corners(Rect(x + 14, y, CARD.width, CARD.height))
    for offset, line in enumerate(_counts(model)):
        canvas.put(x, y + CARD.height + offset, line, Ink.FAINT)


def _counts(model: RenderModel) -> list[str]:
    """What is left of what one fears, and how often it was risked in this turn."""
    counts = [painting.dangers(model.edition, model.dangers_left)]
    if model.table.drawn:
        counts.append(_("drawn {count}").format(count=len(model.table.drawn)))
    return flowed(counts, SIDE)


# What is to be chosen, or else what everybody keeps


def _draw_choice(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    if model.toll is not None:
        choice_drawing.draw(canvas, model, area)
        return
    if model.shopping is not None:
        listed = len(model.shopping.sellers) + 1
        choice_drawing.draw(canvas, model, Rect(area.x, area.y, area.width, listed))
        area = Rect(area.x, area.y + listed, area.width, area.height - listed)
    _draw_reserves(canvas, model, area)


def _draw_reserves(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    canvas.put(area.x, area.y, _("In reserve"), Ink.FAINT)
    y = area.y + 1
    for seat in model.order:
        if y + 1 >= area.y + area.height:
            return
        now = seat == model.table.turn
        name = model.name(canvas, seat, area.width - 11)
        canvas.put(area.x, y, name, Ink.STRONG if now else Ink.PLAIN)
        painting.counted(canvas, model, seat, area.x + area.width, y)
        painting.chips(canvas, model, seat, Rect(area.x, y + 1, area.width, 1))
        y += 2
    if y < area.y + area.height:
        words = (
            f"{canvas.sign(s)} {called(c, model.edition)}"
            for c, s, _p in COMMON[model.edition.name]
        )
        new = f"{canvas.sign(signs.FRESH)} {_('new')}"
        first = flowed([*words, *([new] if model.fresh else [])], area.width)[0]
        canvas.put(area.x, y, first, Ink.FAINT)
