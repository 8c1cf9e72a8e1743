"""What is to be chosen at a table of castles: cards to give up, or somebody who sells."""

from collections.abc import Sequence

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted
from diadem_client.games.castles import painting
from diadem_client.games.castles.draft import KEYS, Kind
from diadem_client.games.castles.painting import COMMON, called
from diadem_client.games.castles.sight import Sight
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


def entries(sight: Sight) -> list[Entry]:
    if sight.shopping is not None:
        return [_offer(sight, number) for number in range(len(sight.shopping.sellers))]
    if sight.toll is None:
        return []
    return [
        _markable(sight, kind, KEYS[at] if at < len(KEYS) else " ", pointed=at == sight.toll.at)
        for at, kind in enumerate(sight.toll.kinds)
    ]


def _offer(sight: Sight, number: int) -> Entry:
    assert sight.shopping is not None  # noqa: S101 - asked only while there is one
    seller = sight.shopping.sellers[number]
    parts = sight.table.holdings[seller].spare(sight.table.holdings[sight.table.turn].builds)
    name = sight.names[seller]
    words = f"{name}: {called(parts[0], sight.edition)}" if parts else name
    pointed = number == sight.shopping.at
    return Entry(str(number + 1), "", words, words, parts[0] if parts else "", pointed)


def _markable(sight: Sight, kind: Kind, key: str, *, pointed: bool) -> Entry:
    words = called(kind.card, sight.edition)
    if kind.held > 1:
        words = f"{words} x{kind.held}"
    if kind.built:
        mine = _("(castle)") if sight.edition.built == "castle" else _("(ship)")
        words = f"{words} {mine}"
    mark = "[ ]"
    if kind.marked:
        mark = f"[{kind.marked}]" if kind.held > 1 else "[x]"
    short = "+" * kind.built if colour_of(kind.card) else f"x{kind.held}"
    return Entry(key, mark, words, short, kind.card, pointed, marked=bool(kind.marked))


def draw(canvas: Canvas, sight: Sight, area: Rect) -> None:
    """A head, and below it entries; how many are out of sight above and below stands beside the head."""
    head = _("Your cards") if sight.toll else _("Who sells")
    canvas.put(area.x, area.y, head, Ink.FAINT)
    rest = Rect(area.x, area.y + 1, area.width, area.height - 1)
    above, below = _draw_entries(canvas, sight, entries(sight), rest)
    hidden = [
        f"{canvas.sign(sign)}{count}"
        for sign, count in ((signs.UP, above), (signs.DOWN, below))
        if count
    ]
    canvas.right(area.x + area.width, area.y, " ".join(hidden), Ink.KEY)


def _draw_entries(
    canvas: Canvas, sight: Sight, listed: Sequence[Entry], area: Rect
) -> tuple[int, int]:
    """In one column with their words, or in several by their chips; of too many, those around the choice.

    Gives how many there are above and below.
    """
    narrow = len(listed) <= area.height or sight.shopping is not None
    columns = 1 if narrow else max(1, (area.width + 1) // (SHORT_ENTRY + 1))
    rows = [listed[at : at + columns] for at in range(0, len(listed), columns)]
    pointed = next((n for n, row in enumerate(rows) if any(each.pointed for each in row)), 0)
    first = max(0, min(pointed - area.height // 2, len(rows) - area.height))
    width = area.width if columns == 1 else SHORT_ENTRY
    for offset, row in enumerate(rows[first : first + area.height]):
        for column, entry in enumerate(row):
            place = Rect(area.x + column * (width + 1), area.y + offset, width, 1)
            canvas.place(place, (first + offset) * columns + column)
            _draw_entry(canvas, sight, entry, place, short=columns > 1)
    return first * columns, max(0, len(listed) - (first + area.height) * columns)


def _draw_entry(canvas: Canvas, sight: Sight, entry: Entry, area: Rect, *, short: bool) -> None:
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
        sign = next(s for c, s, _p in COMMON[sight.edition.name] if c == entry.card)
        words = f"{canvas.sign(sign)} {entry.short}"
    bold = "b" if entry.pointed else ""
    canvas.put(x, area.y, fitted(words, area.x + area.width - x), Paint(ink, ground, bold))
