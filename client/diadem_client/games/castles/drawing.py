"""A table of castles in characters: compact lines, or storey by storey where there is room."""

from collections.abc import Iterable

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.castles.editions import CURRENCY, PARTS, SHIELD, Card, Colour, Edition, colour_of
from diadem.games.castles.table import Holding, PublicState, TurnPhase
from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, wrapped
from diadem_client.games.castles.draft import KEYS, Shopping, Toll
from diadem_client.games.castles.pictures import BUILT, CARDS, HEIGHT, WIDTH, built_so_far, part_of
from diadem_client.games.castles.telling import COLOURS, diamoniak, piratatak
from diadem_client.i18n import gettext as _

CARD_WIDTH = 14
CARD_HEIGHT = 5
ENTRY_WIDTH = 26
STOREYS = HEIGHT + 4
"""Rows for a picture with its name and what lies beside it."""
TALL = 28
"""Rows below which nobody's picture is shown but one's own."""
INKS = {
    "blue": Ink.BLUE,
    "yellow": Ink.YELLOW,
    "pink": Ink.PINK,
    "red": Ink.RED,
    "green": Ink.GREEN,
}
WORDS = {"diamoniak": diamoniak, "piratatak": piratatak}


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
    moment: Moment | None = None
    toll: Toll | None = None
    shopping: Shopping | None = None

    def name(self, seat: Seat) -> str:
        return _("You") if seat == self.seat else self.names[seat]


def draw(canvas: Canvas, sight: Sight) -> None:
    entries = _entries(sight)
    columns = _columns(canvas, sight, len(entries))
    below = _draw_storeys(canvas, sight, columns) if columns else _draw_lines(canvas, sight)
    room = canvas.height - below - CARD_HEIGHT
    beside = 2 * room >= len(entries) and canvas.height - below >= HEIGHT
    if not columns and beside:
        _draw_built(canvas, sight, _worth_a_picture(sight), canvas.width - WIDTH - 2, below)
    width = canvas.width - (WIDTH + 4 if beside and not columns else 2)
    if sight.moment and sight.moment.card:
        _draw_card(canvas, sight.edition, sight.moment.card, 2, below)
    text = wrapped(sight.moment.sentence, width - CARD_WIDTH - 6) if sight.moment else []
    for offset, line in enumerate(text[: CARD_HEIGHT - 1]):
        canvas.put(CARD_WIDTH + 4, below + offset, line, Ink.STRONG)
    deck = fitted(_deck_line(sight.table), width - CARD_WIDTH - 6)
    canvas.put(CARD_WIDTH + 4, below + CARD_HEIGHT - 1, deck, Ink.FAINT)
    _draw_entries(canvas, entries, below + CARD_HEIGHT, width)


def _worth_a_picture(sight: Sight) -> Holding:
    """The own building, or the mover's for who looks on; at the end the one that is complete."""
    holdings = sight.table.holdings
    complete = next((holding for holding in holdings if holding.complete), None)
    return complete or holdings[sight.table.turn if sight.seat is None else sight.seat]


def called(card: Card, edition: Edition) -> str:
    """What an edition calls a card."""
    colour = colour_of(card)
    if colour is None:
        return _(WORDS[edition.name]().cards[card])
    return f"{colour_word(colour)} {card[-1]}"


def colour_word(colour: Colour) -> str:
    return _(COLOURS[colour])


# Players


def _draw_lines(canvas: Canvas, sight: Sight) -> int:
    """Two lines a player; gives the first free row."""
    for seat, holding in enumerate(sight.table.holdings):
        y = 2 * seat
        _put_name(canvas, sight, seat, 0, y, 12)
        _put_building(canvas, holding, 15, y)
        canvas.put(52, y, fitted(_counted(sight.edition, holding), canvas.width - 52))
        x = canvas.put(15, y + 1, _("keeps:") + " " if _reserved(holding) else "", Ink.FAINT)
        _put_reserve(canvas, holding, Rect(x, y + 1, canvas.width - x, 1))
    return 2 * len(sight.table.holdings) + 1


def _columns(canvas: Canvas, sight: Sight, entries: int) -> int:
    """How many pictures stand side by side; none where there is no room for everybody's."""
    seats = len(sight.table.holdings)
    columns = min(seats, canvas.width // (WIDTH + 2))
    listed = -(-entries // (canvas.width // ENTRY_WIDTH))
    needed = -(-seats // columns) * STOREYS + CARD_HEIGHT + listed
    return columns if canvas.height >= max(needed, TALL) else 0


def _draw_storeys(canvas: Canvas, sight: Sight, columns: int) -> int:
    """Everybody's picture, side by side."""
    width = canvas.width // columns
    for seat, holding in enumerate(sight.table.holdings):
        x, top = seat % columns * width, seat // columns * STOREYS
        _put_name(canvas, sight, seat, x, top, WIDTH - 2)
        _draw_built(canvas, sight, holding, x, top + 1)
        y = top + HEIGHT + 1
        if holding.builds:
            built = f"{colour_word(holding.builds).upper()} {len(holding.castle)}/{PARTS}  "
            x_after = canvas.put(x, y, built, INKS[holding.builds])
        else:
            x_after = x
        counted = fitted(_counted(sight.edition, holding), x + width - x_after - 1)
        canvas.put(x_after, y, counted)
        _put_reserve(canvas, holding, Rect(x, y + 1, width - 1, 2))
    return -(-len(sight.table.holdings) // columns) * STOREYS


def _put_reserve(canvas: Canvas, holding: Holding, area: Rect) -> None:
    """The spare parts colour by colour, in a second line where the first is full."""
    x, y = area.x, area.y
    for text, ink in _reserved(holding):
        if x > area.x and x + len(text) > area.x + area.width:
            x, y = area.x, y + 1
        if y < area.y + area.height:
            x = canvas.put(x, y, text, ink) + 2


def _put_name(canvas: Canvas, sight: Sight, seat: Seat, x: int, y: int, width: int) -> None:
    now = sight.table.turn == seat and sight.table.phase is not TurnPhase.OVER
    canvas.put(x, y, "> " if now else "  ", Ink.STRONG)
    name = fitted(sight.name(seat), width)
    canvas.put(x + 2, y, name, Ink.STRONG if now or seat == sight.seat else Ink.PLAIN)


def _put_building(canvas: Canvas, holding: Holding, x: int, y: int) -> None:
    if holding.builds is None:
        canvas.put(x, y, _("builds nothing yet"), Ink.FAINT)
        return
    ink = INKS[holding.builds]
    canvas.put(x, y, fitted(colour_word(holding.builds).upper(), 7), ink)
    for number in range(1, PARTS + 1):
        there = f"{holding.builds}{number}" in holding.castle
        mark = f"[{number}]" if there else "[ ]"
        canvas.put(x + 5 + 3 * number, y, mark, ink if there else Ink.FAINT)
    canvas.put(x + 28, y, f"{len(holding.castle)}/{PARTS}", Ink.STRONG)


def _counted(edition: Edition, holding: Holding) -> str:
    counts = [(CURRENCY, holding.wealth), (SHIELD, holding.reserve.count(SHIELD))]
    return "  ".join(f"{called(card, edition)} x{count}" for card, count in counts if count)


def _reserved(holding: Holding) -> list[tuple[str, Ink]]:
    """The spare parts, colour by colour."""
    colours = dict.fromkeys(filter(None, map(colour_of, holding.reserve)))
    return [
        (" ".join([colour_word(colour), *(c[-1] for c in holding.spare(colour))]), INKS[colour])
        for colour in colours
    ]


# Pictures


def _draw_built(canvas: Canvas, sight: Sight, holding: Holding, x: int, y: int) -> None:
    parts = {int(card[-1]) for card in holding.castle}
    ink = INKS[holding.builds] if holding.builds else Ink.PLAIN
    drawing = BUILT[sight.edition.built]
    for dx, dy, text, there in built_so_far(drawing, parts, ascii_only=canvas.ascii_only):
        canvas.put(x + dx, y + dy, text, ink if there else Ink.FAINT)


def _draw_card(canvas: Canvas, edition: Edition, card: Card, x: int, y: int) -> None:
    colour = colour_of(card)
    ink = INKS[colour] if colour else Ink.STRONG
    inside = CARD_WIDTH - 2
    lines = [fitted(called(card, edition), inside)]
    if colour:
        whole = BUILT[edition.built]
        piece = part_of(whole, int(card[-1]), ascii_only=canvas.ascii_only)
        lines += [line for line in piece if line.strip()][-2:]
    else:
        lines += CARDS[edition.name][card]
    edge = "+" + "-" * inside + "+"
    framed = [edge, *(f"|{line.center(inside)}|" for line in lines), edge]
    for offset, line in enumerate(framed):
        canvas.put(x, y + offset, line, ink)


def _deck_line(table: PublicState) -> str:
    parts = [
        _("deck {count}").format(count=table.deck),
        _("aside {count}").format(count=len(table.aside)),
    ]
    if table.drawn:
        parts.append(_("drawn {count}").format(count=len(table.drawn)))
    return "  ".join(parts)


# What is to be chosen


def _entries(sight: Sight) -> list[tuple[str, bool]]:
    """The lines to choose from, and whether each is pointed at."""
    if sight.shopping is not None:
        chosen = sight.shopping
        offers = (_offer(sight, seller) for seller in chosen.sellers)
        return [
            (f"{number} {offer}", number - 1 == chosen.at)
            for number, offer in enumerate(offers, start=1)
        ]
    if sight.toll is None or sight.seat is None:
        return []
    toll, reserve = sight.toll, sight.table.holdings[sight.seat].reserve
    return [
        (_markable(sight.edition, toll, at, own=at >= len(reserve)), at == toll.at)
        for at in range(len(toll.cards))
    ]


def _offer(sight: Sight, seller: Seat) -> str:
    mine = sight.table.holdings[sight.table.turn].builds
    spare = sight.table.holdings[seller].spare(mine)
    cards = ", ".join(called(card, sight.edition) for card in spare[:1])
    return f"{sight.names[seller]}: {cards}"


def _markable(edition: Edition, toll: Toll, at: int, *, own: bool) -> str:
    key = KEYS[at] if at < len(KEYS) else " "
    mark = "[x]" if at in toll.marked else "[ ]"
    mine = " " + (_("(castle)") if edition.built == "castle" else _("(ship)")) if own else ""
    return f"{key} {mark} {called(toll.cards[at], edition)}{mine}"


def _draw_entries(canvas: Canvas, entries: Iterable[tuple[str, bool]], y: int, width: int) -> None:
    """In columns; where there are too many, the rows around the one pointed at."""
    entries = list(entries)
    columns = max(1, width // ENTRY_WIDTH)
    rows = [entries[at : at + columns] for at in range(0, len(entries), columns)]
    room = canvas.height - y
    pointed = next((n for n, row in enumerate(rows) if any(at for _text, at in row)), 0)
    first = max(0, min(pointed - room // 2, len(rows) - room))
    for offset, row in enumerate(rows[first : first + room]):
        for column, (text, at) in enumerate(row):
            canvas.place(
                Rect(column * ENTRY_WIDTH, y + offset, ENTRY_WIDTH, 1),
                (first + offset) * columns + column,
            )
            shown = ("> " if at else "  ") + fitted(text, ENTRY_WIDTH - 3)
            ink = Ink.CURSOR if at else Ink.PLAIN
            canvas.put(column * ENTRY_WIDTH, y + offset, shown, ink)
