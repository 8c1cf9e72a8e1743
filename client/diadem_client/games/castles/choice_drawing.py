"""What is to be chosen at a table of castles: cards to give up, or somebody who sells."""

from collections.abc import Sequence

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted
from diadem_client.games.castles import painting
from diadem_client.games.castles.draft import KEYS, Kind
from diadem_client.games.castles.painting import COMMON, called
from diadem_client.games.castles.render_model import RenderModel
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_shared.games.castles.editions import Card, colour_of

SHORT_ENTRY = 12


class Entry(Struct, frozen=True):
    """A line to choose: a key, words, and a card to show as a chip where words are too long."""

    key: str
    mark: str
    words: str
    short: str
    card: Card
    pointed: bool
    marked: bool = False


def entries(model: RenderModel) -> list[Entry]:
    if model.shopping is not None:
        return [_offer(model, number) for number in range(len(model.shopping.sellers))]
    if model.toll is None:
        return []
    return [
        _markable(model, kind, KEYS[at] if at < len(KEYS) else " ", pointed=at == model.toll.at)
        for at, kind in enumerate(model.toll.kinds)
    ]


def _offer(model: RenderModel, number: int) -> Entry:
    assert model.shopping is not None  # noqa: S101 - asked only while there is one
    seller = model.shopping.sellers[number]
    parts = model.table.holdings[seller].spare(model.table.holdings[model.table.turn].builds)
    name = model.names[seller]
    words = f"{name}: {called(parts[0], model.edition)}" if parts else name
    pointed = number == model.shopping.at
    return Entry(str(number + 1), "", words, words, parts[0] if parts else "", pointed)


def _markable(model: RenderModel, kind: Kind, key: str, *, pointed: bool) -> Entry:
    words = called(kind.card, model.edition)
    if kind.held > 1:
        words = f"{words} x{kind.held}"
    if kind.built:
        mine = _("(castle)") if model.edition.built == "castle" else _("(ship)")
        words = f"{words} {mine}"
    mark = "[ ]"
    if kind.marked:
        mark = f"[{kind.marked}]" if kind.held > 1 else "[x]"
    short = "+" * kind.built if colour_of(kind.card) else f"x{kind.held}"
    return Entry(key, mark, words, short, kind.card, pointed, marked=bool(kind.marked))


def draw(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """A head, and below it entries; how many are out of sight above and below stands beside the head."""
    head = _("Your cards") if model.toll else _("Who sells")
    canvas.put(area.x, area.y, head, Ink.FAINT)
    rest = Rect(area.x, area.y + 1, area.width, area.height - 1)
    above, below = _draw_entries(canvas, model, entries(model), rest)
    hidden = [
        f"{canvas.sign(sign)}{count}"
        for sign, count in ((signs.UP, above), (signs.DOWN, below))
        if count
    ]
    canvas.right(area.x + area.width, area.y, " ".join(hidden), Ink.KEY)


def _draw_entries(
    canvas: Canvas, model: RenderModel, listed: Sequence[Entry], area: Rect
) -> tuple[int, int]:
    """In one column with their words, or in several by their chips; of too many, those around the choice.

    Gives how many there are above and below.
    """
    narrow = len(listed) <= area.height or model.shopping is not None
    columns = 1 if narrow else max(1, (area.width + 1) // (SHORT_ENTRY + 1))
    rows = [listed[at : at + columns] for at in range(0, len(listed), columns)]
    pointed = next((n for n, row in enumerate(rows) if any(each.pointed for each in row)), 0)
    first = max(0, min(pointed - area.height // 2, len(rows) - area.height))
    width = area.width if columns == 1 else SHORT_ENTRY
    for offset, row in enumerate(rows[first : first + area.height]):
        for column, entry in enumerate(row):
            place = Rect(area.x + column * (width + 1), area.y + offset, width, 1)
            canvas.place(place, (first + offset) * columns + column)
            _draw_entry(canvas, model, entry, place, short=columns > 1)
    return first * columns, max(0, len(listed) - (first + area.height) * columns)


def _draw_entry(
    canvas: Canvas, model: RenderModel, entry: Entry, area: Rect, *, short: bool
) -> None:
    ground = "cursor" if entry.pointed else ""
    ink = "on_cursor" if entry.pointed else "text"
    if entry.pointed:
        canvas.fill(area, ground)
    key = f"{entry.key}{canvas.sign(signs.TURN) if entry.pointed else ' '}"
    x = canvas.put(area.x, area.y, key, Paint(ink if ground else "faint", ground))
    if entry.mark:
        lit = entry.marked and not ground
        paint = Paint("accent" if lit else ink, ground, "b" if entry.marked else "")
        x = canvas.put(x, area.y, f"{entry.mark} ", paint)
    if short and colour_of(entry.card):
        x = painting.chip(canvas, entry.card, x, area.y)
        canvas.put(x, area.y, entry.short, Paint(ink, ground))
        return
    words = entry.words
    if short:
        sign = next(s for c, s, _p in COMMON[model.edition.name] if c == entry.card)
        words = f"{canvas.sign(sign)} {entry.short}"
    bold = "b" if entry.pointed else ""
    canvas.put(x, area.y, fitted(words, area.x + area.width - x), Paint(ink, ground, bold))
