"""A table of Diadingo where there is little room: gems one row high, and all else below them."""

from diadem_client.board import news
from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, flowed
from diadem_client.games.diadingo import gems, rings, theft_drawing
from diadem_client.games.diadingo.gems import FLAT, SMALL, Gems
from diadem_client.games.diadingo.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.wording.values import grouped
from diadem_shared.game import Seat
from diadem_shared.games.diadingo.table import TurnPhase

WIDEST = 80
NAME, DOLLARS = 10, 8
NEWS = 2


def draw(canvas: Canvas, model: RenderModel) -> None:
    """Players come first: what happened is left out where there is no room."""
    width = min(canvas.width - 2, WIDEST)
    left = (canvas.width - width) // 2
    facts = flowed(_facts(model), width, "   ")
    need = len(facts) + len(model.names)
    scale = SMALL if canvas.height >= SMALL.board_height + need + NEWS else FLAT
    spare = canvas.height - scale.board_height - need
    told = max(0, min(NEWS, spare))
    top = max(0, spare - told) // 2
    lying = Gems(model.table, model.moment, model.lifts, model.fresh_spots)
    x = left + (width - scale.board_width) // 2
    gems.draw(canvas, lying, x, top, scale)
    if model.aim is not None:
        gems.draw_aim(canvas, model.table, model.aim, x, top, scale)
    y = top + scale.board_height
    for line in facts:
        canvas.put(left, y, line, Ink.STRONG if line is facts[0] else Ink.PLAIN)
        y += 1
    if model.theft is not None:
        area = Rect(left, y, width, canvas.height - top - y)
        theft_drawing.draw(canvas, model, model.theft, area)
        return
    news.draw(canvas, model.told, Rect(left, y, width, told))
    for row, seat in enumerate(_seats(model, canvas.height - y - told)):
        _draw_player(canvas, model, seat, Rect(left, y + told + row, width, 1))


def _seats(model: RenderModel, rows: int) -> list[Seat]:
    """Of too many players, oneself and who is on before the others."""
    seats = range(len(model.names))
    first = sorted(seats, key=lambda seat: (seat != model.seat, seat != model.table.turn))
    return sorted(first[:rows])


def _facts(model: RenderModel) -> list[str]:
    """The open card, and what is still to come."""
    table, facts = model.table, []
    if table.card is not None:
        other = _("for {name}").format(name=model.names[table.turn])
        facts.append(
            f"{rings.card_name(table.card)} {_('for you') if table.turn == model.seat else other}"
        )
    facts.append(_("rings {count}").format(count=table.rings_to_come))
    facts.append(_("thefts {count}").format(count=table.thefts_to_come))
    facts.append(_("loose {count}").format(count=table.loose))
    return facts


def _draw_player(canvas: Canvas, model: RenderModel, seat: Seat, area: Rect) -> None:
    table, hand = model.table, model.table.hands[seat]
    now = seat == table.turn and table.phase is not TurnPhase.OVER
    if now:
        canvas.fill(area, "row")
        canvas.put(area.x, area.y, canvas.sign(signs.TURN), Ink.KEY)
    note = model.notes[seat] if model.notes else ""
    name = f"{model.name(canvas, seat, NAME)} {note}".rstrip()
    paint = Ink.STRONG if now or seat == model.seat else Ink.PLAIN
    canvas.put(area.x + 2, area.y, fitted(name, NAME), paint)
    x = area.x + 2 + NAME + DOLLARS
    gold = Paint("gold.t", marks="b" if now else "")
    canvas.right(x, area.y, grouped(hand.score(table.options)), gold)
    fresh = [value for owner, value in model.fresh_rings if owner == seat]
    rings.draw(canvas, hand, Rect(x + 2, area.y, area.x + area.width - x - 2, 1), fresh)
