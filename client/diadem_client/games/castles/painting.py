"""What lies on a table of castles, thing by thing: buildings, cards, piles and chips."""

from collections.abc import Collection

from diadem.games.castles.editions import CURRENCY, PARTS, SHIELD, Card, Colour, Edition, colour_of
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted
from diadem_client.games.castles.pictures import (
    BUILT,
    CARDS,
    PART_HEIGHT,
    PART_WIDTH,
    part_of,
    place_of,
)
from diadem_client.games.castles.telling import COLOURS, diamoniak, piratatak
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import art, signs
from diadem_client.look.palette import Paint

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


def building(
    canvas: Canvas,
    edition: Edition,
    colour: Colour | None,
    parts: Collection[int],
    at: tuple[int, int],
    scale: int = 1,
) -> None:
    """Six parts; where one is missing, four corners and its number."""
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


def chip(canvas: Canvas, what: Card, x: int, y: int) -> int:
    """A part by the letter of its colour and its number; gives the column after it."""
    colour = colour_of(what) or ""
    text = f"{_(INITIALS[colour])}{what[-1]}"
    return canvas.put(x, y, text, Paint("ink", f"{colour}.b", "b"))


def counted(canvas: Canvas, edition: Edition, reserve: Collection[Card], end: int, y: int) -> None:
    """How many there are of the two common cards, ending before a column."""
    for what, sign, paint in reversed(COMMON[edition.name]):
        text = f"{canvas.sign(sign)} {list(reserve).count(what)}"
        canvas.right(end, y, text, paint)
        end -= len(text) + 2


def chips(canvas: Canvas, spare: Collection[Card], area: Rect) -> None:
    """Spare parts, colour by colour; where there are too many, the last say so."""
    x, before = area.x, ""
    for number, what in enumerate(spare):
        colour = colour_of(what) or ""
        at = x + bool(before and colour != before) + bool(before)
        rest = f" +{len(spare) - number - 1}" if number + 1 < len(spare) else ""
        if at + 2 + len(rest) > area.x + area.width:
            canvas.put(x, area.y, f" +{len(spare) - number}", Ink.FAINT)
            return
        x, before = chip(canvas, what, at, area.y), colour
    if not spare:
        canvas.put(area.x, area.y, canvas.sign(signs.DOT), Ink.DOT)
