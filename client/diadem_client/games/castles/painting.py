"""What lies on a table of castles, thing by thing: buildings, cards, piles and chips."""

from collections.abc import Collection, Mapping, Sequence

from diadem_client.board import news
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted
from diadem_client.games.castles.event_text import COLOURS, diamoniak, piratatak
from diadem_client.games.castles.pictures import (
    BUILT,
    CARDS,
    PART_HEIGHT,
    PART_WIDTH,
    part_of,
    place_of,
)
from diadem_client.games.castles.render_model import RenderModel, spare
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import art, signs
from diadem_client.look.palette import Paint
from diadem_client.wording.turns import Line
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import (
    CURRENCY,
    DANGER,
    PARTS,
    SHIELD,
    Card,
    Colour,
    Edition,
    colour_of,
)

CARD = Rect(0, 0, 12, 5)
PILE = Rect(0, 0, 6, 4)
EDGE_INSET = 3
"""Columns by which a card is narrower at either side while it turns."""
INITIALS = {"blue": N_("B"), "yellow": N_("Y"), "pink": N_("P"), "green": N_("G"), "red": N_("R")}
"""One letter for each colour, all different in an edition."""
WORDS = {"diamoniak": diamoniak, "piratatak": piratatak}
COMMON = {
    "diamoniak": (
        (CURRENCY, signs.DIAMOND, Paint("ice.t")),
        (SHIELD, signs.FAIRY, Paint("pink.t")),
    ),
    "piratatak": ((CURRENCY, signs.COIN, Paint("gold.t")), (SHIELD, signs.CANNON, Paint())),
}
"""The cards that are only counted, with their signs."""


def called(card: Card, edition: Edition) -> str:
    """What an edition calls a card."""
    colour = colour_of(card)
    if colour is None:
        return _(WORDS[edition.name]().cards[card])
    return f"{_(COLOURS[colour])} {card[-1]}"


DANGERS = {
    "diamoniak": N_("witches left {count}"),
    "piratatak": N_("pirates left {count}"),
}


def dangers(edition: Edition, count: int) -> str:
    """How many of them the deck still has."""
    return _(DANGERS[edition.name]).format(count=count)


def colour_paint(colour: Colour) -> Paint:
    return Paint(f"{colour}.t", marks="b")


def built(
    canvas: Canvas, model: RenderModel, seat: Seat, at: tuple[int, int], scale: int = 1
) -> None:
    """What a player has built so far."""
    holding = model.table.holdings[seat]
    parts = {int(card[-1]): (seat, card) in model.fresh for card in holding.castle}
    building(canvas, model.edition, holding.builds, parts, at, scale)


def building(
    canvas: Canvas,
    edition: Edition,
    colour: Colour | None,
    parts: Mapping[int, bool],
    at: tuple[int, int],
    scale: int = 1,
) -> None:
    """Six parts by their numbers, each with whether it is new: that is marked. Where one is missing, four corners
    and its number."""
    width, height = scale * PART_WIDTH, scale * PART_HEIGHT
    for number in range(1, PARTS + 1):
        across, down = place_of(number)
        x, y = at[0] + scale * across, at[1] + scale * down
        if number not in parts or colour is None:
            canvas.corners(Rect(x, y, width, height))
            canvas.put(x + width // 2 - 1, y + height // 2, str(number), Ink.FAINT)
        elif canvas.line_drawn:
            _lines(canvas, part_of(BUILT[edition.built], number), (x, y), colour_paint(colour))
        else:
            picture = art.enlarged(_part(edition, colour, number), scale)
            canvas.paste(x, y, art.cells(picture, "backdrop"))
        if parts.get(number):
            mark = f"{canvas.sign(signs.FRESH)}{number}"
            room = width // 2 - 2, height // 2
            if canvas.line_drawn:
                room = _blank_in(part_of(BUILT[edition.built], number)) or room
            canvas.put(x + room[0], y + room[1], mark, Ink.FRESH)


def _blank_in(lines: Sequence[str]) -> tuple[int, int] | None:
    """Where there is room for a mark between the lines of a part."""
    for down, line in enumerate(lines):
        if (across := line.find(" " * 3)) >= 0:
            return across, down
    return None


def _part(edition: Edition, colour: Colour, number: int) -> art.Pixels:
    x, y = place_of(number)
    return art.part(art.art(edition.built, colour), x, 2 * y, PART_WIDTH, 2 * PART_HEIGHT)


def _lines(canvas: Canvas, lines: Collection[str], at: tuple[int, int], paint: Paint) -> None:
    for offset, line in enumerate(lines):
        canvas.put(at[0], at[1] + offset, line, paint)


def card(canvas: Canvas, edition: Edition, what: Card, x: int, y: int, count: int = 1) -> None:
    """A picture, and below it what it is."""
    name = called(what, edition)
    name = fitted(name, CARD.width)
    counted = f"x{count}" if count > 1 else ""
    colour = colour_of(what)
    if canvas.line_drawn:
        _framed(canvas, edition, what, name, (x, y))
        canvas.put(x + 1, y, counted, Ink.STRONG)
        return
    if colour:
        number = int(what[-1])
        canvas.fill(Rect(x, y, CARD.width, CARD.height - 1), "sky")
        picture = art.cells(_part(edition, colour, number), "sky")
        canvas.paste(x, y + 1 - (number > 4), picture)  # what stands on the ground has it below
    else:
        canvas.fill(Rect(x, y, CARD.width, CARD.height - 1), "card")
        canvas.paste(x + 1, y, art.cells(art.art(edition.words[what]), "card"))
    left = (CARD.width - cells_of(name)) // 2
    canvas.fill(Rect(x, y + CARD.height - 1, CARD.width, 1), "card")
    canvas.put(x + left, y + CARD.height - 1, name, Paint("ink", "card", "b"))
    canvas.put(x, y, counted, Paint("ink", "card", "b"))


def turning_card(canvas: Canvas, frame: int, x: int, y: int) -> None:
    """A card from its back, and then from its edge."""
    inset = EDGE_INSET if frame else 0
    area = Rect(x + inset, y, CARD.width - 2 * inset, CARD.height)
    canvas.fill(area, "back")
    if not frame:
        _corner_stones(canvas, area)


def _corner_stones(canvas: Canvas, area: Rect) -> None:
    sign, paint = canvas.sign(signs.STONE), Paint("back.a", "back")
    for row in (area.y, area.y + area.height - 1):
        canvas.put(area.x, row, sign, paint)
        canvas.put(area.x + area.width - 1, row, sign, paint)


def _framed(canvas: Canvas, edition: Edition, what: Card, name: str, at: tuple[int, int]) -> None:
    colour, inside = colour_of(what), CARD.width - 2
    paint = colour_paint(colour) if colour else Ink.STRONG
    if colour:
        piece = part_of(BUILT[edition.built], int(what[-1]))
        picture = [line for line in piece if line.strip()][-2:]
    else:
        picture = list(CARDS[edition.name][what])
    picture = [line.center(CARD.width)[1:-1] for line in picture]
    edge = "+" + "-" * inside + "+"
    inner = [*picture, fitted(name, inside)][-(CARD.height - 2) :]
    _lines(canvas, [edge, *(f"|{line.center(inside)}|" for line in inner), edge], at, paint)


def pile(canvas: Canvas, word: str, count: int, x: int, y: int, *, face_down: bool) -> None:
    """A pile with its number, and its name below."""
    area = Rect(x, y, PILE.width, PILE.height)
    if canvas.line_drawn:
        canvas.corners(area)
    elif face_down:
        canvas.fill(area, "back")
        _corner_stones(canvas, area)
    else:
        canvas.corners(area)
    paint = Paint("white", "back", "b") if face_down and not canvas.line_drawn else Ink.PLAIN
    canvas.put(x + 2, y + 1, f"{count:>2}", paint)
    name = fitted(word, PILE.width + 1)
    canvas.put(x + max(0, (PILE.width - cells_of(name)) // 2), y + PILE.height, name, Ink.FAINT)


def chip(canvas: Canvas, what: Card, x: int, y: int, *, fresh: bool = False) -> int:
    """A part by the letter of its colour and its number; gives the column after it."""
    colour = colour_of(what) or ""
    if fresh:
        x = canvas.put(x, y, canvas.sign(signs.FRESH), Ink.FRESH)
    text = f"{_(INITIALS[colour])}{what[-1]}"
    return canvas.put(x, y, text, Paint("ink", f"{colour}.b", "b"))


def counted(canvas: Canvas, model: RenderModel, seat: Seat, end: int, y: int) -> None:
    """How many there are of the two common cards, ending before a column."""
    reserve = model.table.holdings[seat].reserve
    for what, sign, paint in reversed(COMMON[model.edition.name]):
        count = reserve.count(what)
        text = f"{canvas.sign(sign)} {count}"
        canvas.right(end, y, text, paint)
        if count and (seat, what) in model.fresh:
            canvas.put(end - len(text) - 1, y, canvas.sign(signs.FRESH), Ink.FRESH)
        end -= len(text) + 2


def told(canvas: Canvas, lines: Sequence[Line], area: Rect, card: Card | None) -> None:
    """What happened; what one fears is told in a colour of its own."""
    news.draw(canvas, lines, area, Ink.BAD if card == DANGER else Ink.STRONG)


def chips(canvas: Canvas, model: RenderModel, seat: Seat, area: Rect) -> None:
    """Spare parts, colour by colour; where there are too many, the last say so."""
    kept = spare(model.table.holdings[seat])
    x, before = area.x, ""
    for number, what in enumerate(kept):
        colour, fresh = colour_of(what) or "", (seat, what) in model.fresh
        at = x + bool(before and colour != before) + bool(before)
        rest = f" +{len(kept) - number - 1}" if number + 1 < len(kept) else ""
        if at + 2 + fresh + len(rest) > area.x + area.width:
            canvas.put(x, area.y, f" +{len(kept) - number}", Ink.FAINT)
            return
        x, before = chip(canvas, what, at, area.y, fresh=fresh), colour
    if not kept:
        canvas.put(area.x, area.y, canvas.sign(signs.DOT), Ink.DOT)
