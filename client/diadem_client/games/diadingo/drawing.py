"""A table of Diadingo: the gems, beside them the open card, below them everybody's rings."""

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.board import news
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.games.diadingo import compact, gems, rings, theft_drawing
from diadem_client.games.diadingo.gems import CLOSE, FLAT, LARGE, SMALL, Gems, Scale
from diadem_client.games.diadingo.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import art, signs
from diadem_client.look.palette import Paint
from diadem_client.wording.values import grouped
from diadem_shared.games.diadingo.board import LOOSE, RINGS, THEFTS
from diadem_shared.games.diadingo.table import TurnPhase

CARD = Rect(0, 0, 12, 5)
NAME, DOLLARS, SUM = 14, 9, 17
OF_SUM = 6
"""Columns for the dollars of either kind of rings."""
SIDE = 26
GAUGE = 8
UPPER = 12
"""Rows that card, gauges and news take."""
VALUE_OF_ART = 2000
"""There is a picture of a ring for every two values."""


def draw(canvas: Canvas, model: RenderModel) -> None:
    """Aiming changes nothing but what is aimed at: all else is kept."""
    if canvas.compact:
        compact.draw(canvas, model)
        return
    frame, still = _frame(canvas, model), replace(model, aim=None)
    whole = Rect(0, 0, canvas.width, canvas.height)
    canvas.keep("table", still, whole, lambda: _draw_table(canvas, still, frame))
    if model.aim is not None:
        x, y = frame.board
        gems.draw_aim(canvas, model.table, model.aim, x, y, frame.scale)


class Frame(Struct, frozen=True):
    scale: Scale
    upper: Rect
    """Gems, and what is beside them."""

    @property
    def board(self) -> tuple[int, int]:
        return self.upper.x, self.upper.y + (self.upper.height - self.scale.board_height) // 2


def _frame(canvas: Canvas, model: RenderModel) -> Frame:
    scale = _scaled(canvas, len(model.names))
    width = min(canvas.width, scale.board_width + 1 + 60)
    upper = max(scale.board_height, min(UPPER, canvas.height - 1 - len(model.names)))
    needed = upper + 2 + len(model.names)
    top = max(0, min(1, canvas.height - needed), (canvas.height - needed) // 2)
    return Frame(scale, Rect((canvas.width - width) // 2, top, width, upper))


def _draw_table(canvas: Canvas, model: RenderModel, frame: Frame) -> None:
    scale, left, top, width = frame.scale, frame.upper.x, frame.upper.y, frame.upper.width
    lying = Gems(model.table, model.moment, model.lifts, model.fresh_spots)
    gems.draw(canvas, lying, *frame.board, scale)
    x = left + scale.board_width + 1
    side = Rect(x, top, left + width - 1 - x, frame.upper.height)
    if model.theft is not None:
        listed = min(len(model.theft.choices) + 2, side.height - (8 if canvas.roomy else 0))
        theft_drawing.draw(canvas, model, model.theft, Rect(x, top, side.width, listed))
        rest = Rect(x, top + listed + 1, side.width, side.height - listed - 1)
    else:
        below = _draw_card(canvas, model, side)
        rest = Rect(x, below, side.width, top + side.height - below)
    if canvas.roomy:
        canvas.talk = rest
    else:
        news.draw(canvas, model.told, rest)
    y = top + side.height
    if canvas.height - y > len(model.names) + 1:
        canvas.put(left + 3, y, fitted(_legend(canvas, model), width - 4), Ink.FAINT)
        y += 1
    _draw_players(canvas, model, Rect(left + 1, y, width - 2, canvas.height - y))


def _scaled(canvas: Canvas, seats: int) -> Scale:
    for scale in (LARGE, CLOSE, SMALL):
        high = canvas.height >= scale.board_height + 1 + seats
        if high and canvas.width >= scale.board_width + 1 + SIDE:
            return scale
    return FLAT


def _legend(canvas: Canvas, model: RenderModel) -> str:
    """What the signs on the board mean."""
    words = [
        f"{canvas.sign(signs.DOT)} {_('taken')}",
        f"{canvas.sign(signs.YES)} {_('came off')}",
        f"{canvas.sign(signs.NO)} {_('does not move')}",
    ]
    if model.table.options.play == "marked" or model.table.marked:
        words.append(f"# {_('known to be fixed')}")
    if model.fresh_rings:
        words.append(f"{canvas.sign(signs.FRESH)} {_('new')}")
    return "   ".join(words)


# Beside the board


def _draw_card(canvas: Canvas, model: RenderModel, area: Rect) -> int:
    """The open card, whose it is, and what is still to come; gives the first row below."""
    table = model.table
    if table.card is not None:
        _draw_face(canvas, table.card, rings.card_name(table.card), area.x, area.y)
        mine = table.turn == model.seat
        other = _("for {name}").format(name=model.names[table.turn])
        words = wrapped(_("for you") if mine else other, area.width - CARD.width - 2)
        for offset, line in enumerate(words[:2]):
            at = area.x + CARD.width + 2, area.y + 1 + offset
            canvas.put(*at, line, Ink.STRONG if mine else Ink.PLAIN)
    y = area.y + CARD.height + 1
    for word, part, whole, role in (
        (_("Rings to come"), table.rings_to_come, RINGS, "gold"),
        (_("Thefts to come"), table.thefts_to_come, THEFTS, "bad"),
        (_("Loose diamonds"), table.loose, LOOSE, "ice.b"),
    ):
        end = area.x + area.width
        canvas.put(area.x, y, fitted(word, area.width - GAUGE - 4), Ink.FAINT)
        canvas.gauge(Rect(end - GAUGE - 3, y, GAUGE, 1), part, whole, role)
        canvas.right(end, y, str(part))
        y += 1
    if table.options.scoring == "professional":
        for line in wrapped(_("empty rings count against you"), area.width):
            canvas.put(area.x, y, line, Ink.FAINT)
            y += 1
    return y + 1


def _draw_face(canvas: Canvas, card: object, name: str, x: int, y: int) -> None:
    if canvas.line_drawn:
        edge = "+" + "-" * (CARD.width - 2) + "+"
        for offset, line in enumerate([edge, f"|{name.center(CARD.width - 2)}|", edge]):
            canvas.put(x, y + offset, line, Ink.STRONG)
        return
    picture = f"ring{(card - 1) // VALUE_OF_ART + 1}" if isinstance(card, int) else "theft"
    canvas.fill(Rect(x, y, CARD.width, CARD.height), "card")
    canvas.paste(x + 1, y, art.cells(art.art(picture), "card"))
    name = fitted(name, CARD.width)
    at = x + (CARD.width - cells_of(name)) // 2
    canvas.put(at, y + CARD.height - 1, name, Paint("ink", "card", "b"))


# Players


def _draw_players(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """A head with what the signs mean, then one or two rows a player."""
    table, y = model.table, area.y
    professional = table.options.scoring == "professional"
    column = area.x + 2 + NAME + DOLLARS + 3 + SUM * professional
    stone, hole = canvas.sign(signs.STONE), canvas.sign(signs.HOLE)
    canvas.put(area.x + 2, y, _("Players"), Ink.FAINT)
    canvas.right(area.x + 2 + NAME + DOLLARS, y, _("dollars"), Ink.FAINT)
    room = area.x + area.width - column
    head = _("rings by their thousands: {stone} set, {hole} empty").format(stone=stone, hole=hole)
    if cells_of(head) > room:
        head = _("rings: {stone} set, {hole} empty").format(stone=stone, hole=hole)
    canvas.put(column, y, fitted(head, room), Ink.FAINT)
    if professional:
        canvas.right(column - 2, y, _("set - empty"), Ink.FAINT)
    long = any(rings.is_long(canvas, hand, room) for hand in table.hands)
    rows = 2 if long and area.height > 2 * len(table.hands) else 1
    for seat, hand in enumerate(table.hands):
        y = area.y + 1 + seat * rows
        now = seat == table.turn and table.phase is not TurnPhase.OVER
        if now:
            canvas.fill(Rect(area.x - 1, y, area.width + 2, 1), "row")
            canvas.put(area.x, y, canvas.sign(signs.TURN), Ink.KEY)
        paint = Ink.STRONG if now or seat == model.seat else Ink.PLAIN
        after = canvas.put(area.x + 2, y, model.name(canvas, seat, NAME), paint)
        note = model.notes[seat] if model.notes else ""
        if note and cells_of(note) < area.x + 2 + NAME - after:
            canvas.put(after + 1, y, note, Ink.FAINT)
        score = grouped(hand.score(table.options))
        canvas.right(
            area.x + 2 + NAME + DOLLARS, y, score, Paint("gold.t", marks="b" if now else "")
        )
        if professional:
            words = f"{grouped(sum(hand.filled))} - {grouped(sum(hand.empty)):>{OF_SUM}}"
            canvas.right(column - 2, y, words, Ink.FAINT)
        fresh = [value for owner, value in model.fresh_rings if owner == seat]
        rings.draw(canvas, hand, Rect(column, y, area.x + area.width - column, rows), fresh)
