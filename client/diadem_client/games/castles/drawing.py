"""A table of castles: everybody's building, and beside them the cards and what is asked."""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.castles.editions import DANGER, PARTS, Card, Edition, colour_of
from diadem.games.castles.table import Holding, PublicState, TurnPhase
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.games.castles import painting
from diadem_client.games.castles.draft import KEYS, Shopping, Toll
from diadem_client.games.castles.painting import CARD, COMMON, called, colour_paint
from diadem_client.games.castles.pictures import HEIGHT, WIDTH
from diadem_client.games.castles.telling import COLOURS
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint

PITCH = WIDTH + 2
SIDE = 25
NAME = 14
LARGE = (108, 32)
"""From this size on there are log, chat, and the own cards as cards."""
LARGE_PITCH, LARGE_STOREY = 28, 13
CARD_PITCH = 13
SHORT_ENTRY = 12


class Moment(Struct, frozen=True):
    """What just happened: a card, where one was to be seen, and a sentence."""

    sentence: str
    card: Card | None = None


class Sight(Struct, frozen=True):
    """Everything there is to draw."""

    table: PublicState
    edition: Edition
    seat: Viewer
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    moment: Moment | None = None
    turning: int | None = None
    """A card that is drawn lies on its face (0), or is seen from its edge (1)."""
    tinted: Collection[Seat] = ()
    """Whose names are marked, as they have just built."""
    toll: Toll | None = None
    shopping: Shopping | None = None

    def name(self, seat: Seat) -> str:
        return _("You") if seat == self.seat else self.names[seat]

    @property
    def order(self) -> list[Seat]:
        """The own seat first, the others as they follow."""
        seats, first = len(self.names), self.seat or 0
        return [(first + step) % seats for step in range(seats)]


def draw(canvas: Canvas, sight: Sight) -> None:
    if canvas.width >= LARGE[0] and canvas.height >= LARGE[1]:
        _draw_large(canvas, sight)
    else:
        _draw_small(canvas, sight)


def _draw_small(canvas: Canvas, sight: Sight) -> None:
    left = max(1, (canvas.width - 2 * PITCH - 1 - SIDE) // 2)
    rows = 1 if len(sight.names) == 2 else 2
    top = max(0, (canvas.height - 2 * (HEIGHT + 1)) // 2)
    for place, seat in enumerate(sight.order):
        x, y = left + PITCH * (place % 2), top + (HEIGHT + 1) * (place // 2)
        _draw_holder(canvas, sight, seat, x, y)
        _draw_building(canvas, sight, seat, x, y + 1)
    if rows == 1:
        below = top + HEIGHT + 1
        _draw_own_cards(canvas, sight, Rect(left, below, 2 * PITCH, canvas.height - below))
    x = left + 2 * PITCH + 1
    _draw_piles(canvas, sight, x, top)
    height = canvas.height - top
    _draw_moment(canvas, sight, Rect(x, top + 6, SIDE, 4))
    _draw_choice(canvas, sight, Rect(x, top + 10, SIDE, height - 10))


def _draw_large(canvas: Canvas, sight: Sight) -> None:
    width, height = min(canvas.width, 140), min(canvas.height, 40)
    left, top = (canvas.width - width) // 2 + 2, (canvas.height - height) // 2 + 1
    for place, seat in enumerate(sight.order):
        x, y = left + LARGE_PITCH * (place % 2), top + LARGE_STOREY * (place // 2)
        _draw_holder(canvas, sight, seat, x, y)
        _draw_building(canvas, sight, seat, x, y + 1)
        _draw_kept(canvas, sight, seat, Rect(x, y + HEIGHT + 1, WIDTH, 2))
    x = left + 2 * LARGE_PITCH + 3
    side = left + width - 4 - x
    _draw_piles(canvas, sight, x, top)
    _draw_moment(canvas, sight, Rect(x + 30, top, side - 30, 6))
    rows = 2 if len(sight.names) > 2 else 1
    below = top + LARGE_STOREY * rows
    hand = Rect(left, below, width - 4, CARD.height + 1)
    if below + hand.height <= canvas.height:
        _draw_own_cards(canvas, sight, hand)
    choosing = _entries(sight)
    middle = top + 7
    if choosing:
        listed = min(len(choosing), 9) + 1
        _draw_choice(canvas, sight, Rect(x, middle, side, listed))
        middle += listed + 1
    canvas.talk = Rect(x, middle, side, max(4, top + 2 * LARGE_STOREY - 1 - middle))


# Players


def _draw_holder(canvas: Canvas, sight: Sight, seat: Seat, x: int, y: int) -> None:
    """A name over a building, and how far it has come."""
    table, holding = sight.table, sight.table.holdings[seat]
    now = table.turn == seat and table.phase is not TurnPhase.OVER
    tinted = seat in sight.tinted
    if now:
        canvas.fill(Rect(x - 1, y, WIDTH + 2, 1), "row")
        canvas.put(x - 1, y, canvas.sign(signs.TURN), Ink.KEY)
    name = fitted(sight.name(seat), NAME)
    note = sight.notes[seat] if sight.notes else ""
    room = WIDTH - 2 - cells_of(name)
    state, paint = _("nothing built"), Ink.FAINT
    if holding.builds:
        state = f"{_(COLOURS[holding.builds])} {len(holding.castle)}/{PARTS}"
        paint = colour_paint(holding.builds)
    strong = now or seat == sight.seat
    if tinted:
        canvas.fill(Rect(x, y, WIDTH + 1, 1), "fresh")
        paint = Ink.FRESH
    after = canvas.put(x + 1, y, name, Ink.FRESH if tinted else Ink.STRONG if strong else Ink.PLAIN)
    if tinted:
        note = ""
    if note and cells_of(f" {note} {state}") <= room:
        canvas.put(after + 1, y, note, Ink.FAINT)
    elif note:
        state, paint = note, Ink.FAINT
    canvas.right(x + WIDTH, y, fitted(state, room), paint)


def _draw_building(canvas: Canvas, sight: Sight, seat: Seat, x: int, y: int) -> None:
    holding = sight.table.holdings[seat]
    parts = {int(card[-1]) for card in holding.castle}
    painting.building(canvas, sight.edition, holding.builds, parts, x, y)


def _spare(holding: Holding) -> list[Card]:
    return [card for card in holding.reserve if colour_of(card)]


def _draw_kept(canvas: Canvas, sight: Sight, seat: Seat, area: Rect) -> None:
    """What a player keeps: a count of the two common cards, and a chip for every spare part."""
    holding = sight.table.holdings[seat]
    canvas.put(area.x + 1, area.y, _("keeps"), Ink.FAINT)
    painting.counted(canvas, sight.edition, holding.reserve, area.x + area.width, area.y)
    painting.chips(canvas, _spare(holding), Rect(area.x + 1, area.y + 1, area.width - 1, 1))


def _draw_own_cards(canvas: Canvas, sight: Sight, area: Rect) -> None:
    """The own reserve as cards, equal ones counted, as many as there is room for."""
    seat = sight.table.turn if sight.seat is None else sight.seat
    if area.height < CARD.height + 1:
        return
    kept = list(Counter(sight.table.holdings[seat].reserve).items())
    head = _("Your cards") if seat == sight.seat else sight.names[seat]
    canvas.put(area.x + 1, area.y, head, Ink.FAINT)
    across = area.width // CARD_PITCH
    rows = (area.height - 1) // CARD.height
    for number, (card, count) in enumerate(kept[: across * rows]):
        row, column = divmod(number, across)
        at = area.x + column * CARD_PITCH, area.y + 1 + row * CARD.height
        painting.card(canvas, sight.edition, card, *at, count=count)
    if len(kept) > across * rows:
        canvas.right(area.x + area.width, area.y, f"+{len(kept) - across * rows}", Ink.FAINT)
    if not kept:
        canvas.put(area.x + 1, area.y + 1, canvas.sign(signs.DOT), Ink.DOT)


# Cards, and what has happened


def _draw_piles(canvas: Canvas, sight: Sight, x: int, y: int) -> None:
    table = sight.table
    painting.pile(canvas, _("deck"), table.deck, x, y, face_down=True)
    painting.pile(canvas, _("aside"), len(table.aside), x + 7, y, face_down=False)
    card = sight.moment.card if sight.moment else None
    if sight.turning is not None:
        painting.turning_card(canvas, sight.turning, x + 14, y)
    elif card:
        painting.card(canvas, sight.edition, card, x + 14, y)
    else:
        canvas.corners(Rect(x + 14, y, CARD.width, CARD.height))
    if table.drawn:
        words = _("drawn {count}").format(count=len(table.drawn))
        canvas.put(x, y + CARD.height, words, Ink.FAINT)


def _draw_moment(canvas: Canvas, sight: Sight, area: Rect) -> None:
    if sight.moment is None:
        return
    paint = Ink.BAD if sight.moment.card == DANGER else Ink.STRONG
    lines = wrapped(sight.moment.sentence, area.width)
    for offset, line in enumerate(lines[: area.height]):
        cut = offset == area.height - 1 and len(lines) > area.height
        text = fitted(f"{line} {lines[offset + 1]}", area.width) if cut else line
        canvas.put(area.x, area.y + offset, text, paint)


# What is to be chosen, or else what everybody keeps


def _draw_choice(canvas: Canvas, sight: Sight, area: Rect) -> None:
    entries = _entries(sight)
    if entries:
        head = _("Your cards") if sight.toll else _("Who sells")
        canvas.put(area.x, area.y, head, Ink.FAINT)
        rest = Rect(area.x, area.y + 1, area.width, area.height - 1)
        _draw_entries(canvas, sight, entries, rest)
    elif not canvas.talk and area.width <= SIDE:
        _draw_reserves(canvas, sight, area)


def _draw_reserves(canvas: Canvas, sight: Sight, area: Rect) -> None:
    canvas.put(area.x, area.y, _("In reserve"), Ink.FAINT)
    y = area.y + 1
    for seat in sight.order:
        if y + 1 >= area.y + area.height:
            return
        now = seat == sight.table.turn
        holding = sight.table.holdings[seat]
        name = fitted(sight.name(seat), area.width - 11)
        canvas.put(area.x, y, name, Ink.STRONG if now else Ink.PLAIN)
        painting.counted(canvas, sight.edition, holding.reserve, area.x + area.width, y)
        painting.chips(canvas, _spare(holding), Rect(area.x, y + 1, area.width, 1))
        y += 2
    if y < area.y + area.height:
        words = (
            f"{canvas.sign(s)} {called(c, sight.edition)}"
            for c, s, _p in COMMON[sight.edition.name]
        )
        canvas.put(area.x, y, fitted("  ".join(words), area.width), Ink.FAINT)


class Entry(Struct, frozen=True):
    """A line to choose: a key, words, and a card to show as a chip where words are too long."""

    key: str
    mark: str
    words: str
    short: str
    card: Card
    pointed: bool


def _entries(sight: Sight) -> list[Entry]:
    if sight.shopping is not None:
        return [_offer(sight, number) for number in range(len(sight.shopping.sellers))]
    if sight.toll is None or sight.seat is None:
        return []
    reserve = sight.table.holdings[sight.seat].reserve
    return [
        _markable(sight, sight.toll, at, own=at >= len(reserve))
        for at in range(len(sight.toll.cards))
    ]


def _offer(sight: Sight, number: int) -> Entry:
    assert sight.shopping is not None  # noqa: S101 - asked only while there is one
    seller = sight.shopping.sellers[number]
    spare = sight.table.holdings[seller].spare(sight.table.holdings[sight.table.turn].builds)
    name = sight.names[seller]
    words = f"{name}: {called(spare[0], sight.edition)}" if spare else name
    pointed = number == sight.shopping.at
    return Entry(str(number + 1), "", words, words, spare[0] if spare else "", pointed)


def _markable(sight: Sight, toll: Toll, at: int, *, own: bool) -> Entry:
    card, edition = toll.cards[at], sight.edition
    name = called(card, edition)
    mine = _("(castle)") if edition.built == "castle" else _("(ship)")
    return Entry(
        KEYS[at] if at < len(KEYS) else " ",
        "[x]" if at in toll.marked else "[ ]",
        f"{name} {mine}" if own else name,
        "+" if own else "",
        card,
        at == toll.at,
    )


def _draw_entries(canvas: Canvas, sight: Sight, entries: Sequence[Entry], area: Rect) -> None:
    """In one column with their words, or in two by their chips; of too many, those around the choice."""
    columns = 1 if len(entries) <= area.height or sight.shopping else area.width // SHORT_ENTRY
    rows = [entries[at : at + columns] for at in range(0, len(entries), columns)]
    pointed = next((n for n, row in enumerate(rows) if any(each.pointed for each in row)), 0)
    first = max(0, min(pointed - area.height // 2, len(rows) - area.height))
    width = area.width if columns == 1 else SHORT_ENTRY
    for offset, row in enumerate(rows[first : first + area.height]):
        for column, entry in enumerate(row):
            place = Rect(area.x + column * (width + 1), area.y + offset, width, 1)
            canvas.place(place, (first + offset) * columns + column)
            _draw_entry(canvas, sight, entry, place, short=columns > 1)


def _draw_entry(canvas: Canvas, sight: Sight, entry: Entry, area: Rect, *, short: bool) -> None:
    ground = "cursor" if entry.pointed else ""
    ink = "on_cursor" if entry.pointed else "text"
    if entry.pointed:
        canvas.fill(area, ground)
    x = canvas.put(area.x, area.y, f"{entry.key} ", Paint(ink if ground else "faint", ground))
    if entry.mark:
        marked = entry.mark != "[ ]"
        paint = Paint("accent" if marked and not ground else ink, ground, "b" if marked else "")
        x = canvas.put(x, area.y, f"{entry.mark} ", paint)
    if entry.pointed:
        canvas.put(area.x + len(entry.key), area.y, canvas.sign(signs.TURN), Paint(ink, ground))
    if short and colour_of(entry.card):
        x = painting.chip(canvas, entry.card, x, area.y)
        canvas.put(x, area.y, entry.short, Paint(ink, ground))
        return
    words = entry.words
    if short:
        sign = next(s for c, s, _p in COMMON[sight.edition.name] if c == entry.card)
        words = f"{canvas.sign(sign)} {called(entry.card, sight.edition)}"
    bold = "b" if entry.pointed else ""
    canvas.put(x, area.y, fitted(words, area.x + area.width - x), Paint(ink, ground, bold))
