"""A table of Diadingo: the gems, beside them the open card, below them everybody's rings."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.diadingo.board import LOOSE, RINGS, THEFT, THEFTS, VALUES
from diadem.games.diadingo.table import Hand, PublicState, TurnPhase
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.games.diadingo import gems
from diadem_client.games.diadingo.draft import Aim, Theft
from diadem_client.games.diadingo.gems import CLOSE, FLAT, LARGE, SMALL, Gems, Moment, Scale
from diadem_client.i18n import gettext as _
from diadem_client.look import art, signs
from diadem_client.look.palette import Paint

CARD = Rect(0, 0, 12, 5)
NAME, DOLLARS = 14, 9
SIDE = 26
GAUGE = 8
UPPER = 12
"""Rows that card, gauges and news take."""
VALUE_OF_ART = 2000
"""There is a picture of a ring for every two values."""


class Sight(Struct, frozen=True):
    """Everything there is to draw."""

    table: PublicState
    seat: Viewer
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    aim: Aim | None = None
    theft: Theft | None = None
    moment: Moment | None = None
    lifts: bool = False
    """Whether what a diamond brings stands where it came off."""
    sentence: str = ""
    """What is still said of the moment before, once it is over."""

    def name(self, seat: Seat) -> str:
        return _("You") if seat == self.seat else self.names[seat]


def draw(canvas: Canvas, sight: Sight) -> None:
    scale = _scaled(canvas, len(sight.names))
    width = min(canvas.width, scale.board_width + 1 + 60)
    left = (canvas.width - width) // 2
    upper = max(scale.board_height, min(UPPER, canvas.height - 1 - len(sight.names)))
    needed = upper + 2 + len(sight.names)
    top = max(0, min(1, canvas.height - needed), (canvas.height - needed) // 2)
    lying = Gems(sight.table, sight.aim, sight.moment, lifts=sight.lifts)
    gems.draw(canvas, lying, left, top + (upper - scale.board_height) // 2, scale)
    x = left + scale.board_width + 1
    side = Rect(x, top, left + width - 1 - x, upper)
    if sight.theft is not None:
        listed = min(len(sight.theft.choices) + 2, side.height - (8 if canvas.roomy else 0))
        _draw_theft(canvas, sight, sight.theft, Rect(x, top, side.width, listed))
        rest = Rect(x, top + listed + 1, side.width, side.height - listed - 1)
    else:
        below = _draw_card(canvas, sight, side)
        rest = Rect(x, below, side.width, top + side.height - below)
    if canvas.roomy:
        canvas.talk = rest
    else:
        _draw_news(canvas, sight, rest)
    y = top + upper
    y += canvas.height - y > len(sight.names) + 1
    _draw_players(canvas, sight, Rect(left + 1, y, width - 2, canvas.height - y))


def _scaled(canvas: Canvas, seats: int) -> Scale:
    for scale in (LARGE, CLOSE, SMALL):
        high = canvas.height >= scale.board_height + 1 + seats
        if high and canvas.width >= scale.board_width + 1 + SIDE:
            return scale
    return FLAT


# Beside the board


def _draw_card(canvas: Canvas, sight: Sight, area: Rect) -> int:
    """The open card, whose it is, and what is still to come; gives the first row below."""
    table = sight.table
    if table.card is not None:
        theft = table.card == THEFT
        name = _("THEFT") if theft else f"$ {table.card}"
        _draw_face(canvas, table.card, name, area.x, area.y)
        mine = table.turn == sight.seat
        other = _("for {name}").format(name=sight.names[table.turn])
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


def _draw_theft(canvas: Canvas, sight: Sight, theft: Theft, area: Rect) -> None:
    """A numbered list, scrolled around the choice."""
    canvas.put(area.x, area.y, _("THEFT"), Ink.BAD)
    entries = [
        _("{number}  {value} from {name}").format(
            number=number if number < 10 else " ", value=value, name=sight.names[victim]
        )
        for number, (value, victim) in enumerate(theft.choices, start=1)
    ]
    entries.append(_("0  rob nobody"))
    room = area.height - 1
    first = max(0, min(theft.at - room // 2, len(entries) - room))
    for offset, entry in enumerate(entries[first : first + room]):
        pointed, y = first + offset == theft.at, area.y + 1 + offset
        canvas.place(Rect(area.x, y, area.width, 1), -1 - first - offset)
        if pointed:
            canvas.fill(Rect(area.x, y, area.width, 1), "cursor")
            canvas.put(area.x, y, canvas.sign(signs.TURN), Ink.CURSOR)
        paint = Ink.CURSOR if pointed else Ink.PLAIN
        canvas.put(area.x + 2, y, fitted(entry, area.width - 2), paint)


def _draw_news(canvas: Canvas, sight: Sight, area: Rect) -> None:
    moment = sight.moment
    sentence = moment.sentence if moment else sight.sentence
    lines = wrapped(sentence, area.width)
    paint = Ink.STRONG if moment else Ink.PLAIN
    for offset, line in enumerate(lines[: max(0, area.height)]):
        canvas.put(area.x, area.y + offset, line, paint)


# Players


def _draw_players(canvas: Canvas, sight: Sight, area: Rect) -> None:
    """A head with what the signs mean, then one or two rows a player."""
    table, y = sight.table, area.y
    rings = area.x + 2 + NAME + DOLLARS + 3
    stone, hole = canvas.sign(signs.STONE), canvas.sign(signs.HOLE)
    canvas.put(area.x + 2, y, _("Players"), Ink.FAINT)
    canvas.right(area.x + 2 + NAME + DOLLARS, y, _("dollars"), Ink.FAINT)
    words = _("rings by their thousands: {stone} set, {hole} empty")
    canvas.put(rings, y, words.format(stone=stone, hole=hole), Ink.FAINT)
    room = area.x + area.width - rings
    long = any(len(_flowed(_groups(canvas, hand, counted=False), room)) > 1 for hand in table.hands)
    rows = 2 if long and area.height > 2 * len(table.hands) else 1
    for seat, hand in enumerate(table.hands):
        y = area.y + 1 + seat * rows
        now = seat == table.turn and table.phase is not TurnPhase.OVER
        if now:
            canvas.fill(Rect(area.x - 1, y, area.width + 2, 1), "row")
            canvas.put(area.x, y, canvas.sign(signs.TURN), Ink.KEY)
        paint = Ink.STRONG if now or seat == sight.seat else Ink.PLAIN
        after = canvas.put(area.x + 2, y, fitted(sight.name(seat), NAME), paint)
        note = sight.notes[seat] if sight.notes else ""
        if note and cells_of(note) < area.x + 2 + NAME - after:
            canvas.put(after + 1, y, note, Ink.FAINT)
        score = f"{hand.score(table.options):,}".replace(",", " ")
        canvas.right(
            area.x + 2 + NAME + DOLLARS, y, score, Paint("gold.t", marks="b" if now else "")
        )
        _draw_rings(canvas, hand, Rect(rings, y, area.x + area.width - rings, rows))


class Group(Struct, frozen=True):
    """The rings of one value, set ones and empty ones."""

    value: int
    stones: str
    holes: str

    @property
    def width(self) -> int:
        return len(str(self.value)) + len(self.stones) + len(self.holes)


def _draw_rings(canvas: Canvas, hand: Hand, area: Rect) -> None:
    lines = _flowed(_groups(canvas, hand, counted=False), area.width)
    if len(lines) > area.height:
        lines = _flowed(_groups(canvas, hand, counted=True), area.width)
    for offset, line in enumerate(lines[: area.height]):
        x, y = area.x, area.y + offset
        for group in line:
            x = canvas.put(x, y, str(group.value), Ink.PLAIN if group.stones else Ink.FAINT)
            x = canvas.put(x, y, group.stones, Paint("ice.t"))
            x = canvas.put(x, y, group.holes, Ink.FAINT) + 2


def _groups(canvas: Canvas, hand: Hand, *, counted: bool) -> Iterator[Group]:
    """The dearest first; each ring by a sign, or how many there are of each."""
    filled, empty = Counter(hand.filled), Counter(hand.empty)
    stone, hole = canvas.sign(signs.STONE), canvas.sign(signs.HOLE)
    for value in reversed(VALUES):
        stones, holes = filled[value], empty[value]
        if not stones and not holes:
            continue
        thousands = value // 1000
        if counted:
            yield Group(
                thousands, f"{stone}{stones}" if stones else "", f"{hole}{holes}" if holes else ""
            )
        else:
            yield Group(thousands, stone * stones, hole * holes)


def _flowed(groups: Iterator[Group], width: int) -> Sequence[Sequence[Group]]:
    lines: list[list[Group]] = [[]]
    room = width
    for group in groups:
        if lines[-1] and group.width > room:
            lines.append([])
            room = width
        lines[-1].append(group)
        room -= group.width + 2
    return lines
