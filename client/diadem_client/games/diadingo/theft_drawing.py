"""The rings that may be robbed, as a numbered list."""

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted
from diadem_client.games.diadingo.draft import Theft
from diadem_client.games.diadingo.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.wording.values import grouped

COLUMN = 28


def draw(canvas: Canvas, model: RenderModel, theft: Theft, area: Rect) -> None:
    """In columns, scrolled around the choice; how many are out of sight stands beside the head."""
    canvas.put(area.x, area.y, _("THEFT"), Ink.BAD)
    entries = [
        _("{number}  {value} from {name}").format(
            number=number if number < 10 else " ", value=grouped(value), name=model.names[victim]
        )
        for number, (value, victim) in enumerate(theft.choices, start=1)
    ]
    entries.append(_("0  rob nobody"))
    rows = area.height - 1
    columns = max(1, area.width // COLUMN) if len(entries) > rows else 1
    width = area.width // columns
    room = rows * columns
    first = max(0, min(theft.at - room // 2, len(entries) - room))
    for offset, entry in enumerate(entries[first : first + room]):
        column, row = divmod(offset, rows)
        place = Rect(area.x + column * width, area.y + 1 + row, width - (columns > 1), 1)
        _draw_entry(canvas, entry, place, pointed=first + offset == theft.at)
        canvas.place(place, -1 - first - offset)
    hidden = ((signs.UP, first), (signs.DOWN, max(0, len(entries) - first - room)))
    words = " ".join(f"{canvas.sign(sign)}{count}" for sign, count in hidden if count)
    canvas.right(area.x + area.width, area.y, words, Ink.KEY)


def _draw_entry(canvas: Canvas, entry: str, area: Rect, *, pointed: bool) -> None:
    if pointed:
        canvas.fill(area, "cursor")
        canvas.put(area.x, area.y, canvas.sign(signs.TURN), Ink.CURSOR)
    paint = Ink.CURSOR if pointed else Ink.PLAIN
    canvas.put(area.x + 2, area.y, fitted(entry, area.width - 2), paint)
