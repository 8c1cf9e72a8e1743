"""A table of Diadingo in characters: the gems, the open card, and everybody's rings."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.diadingo.board import ROWS, SPOTS, THEFT, VALUES, Spot
from diadem.games.diadingo.table import Hand, PublicState, TurnPhase
from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, flowed, wrapped
from diadem_client.games.diadingo.draft import LONGEST, Aim, Theft, place
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext

STONE = ("\u25ca", "<>")
HOLE = ("_", "()")
NAME = 12
TOTAL = 8
SIDE = 32
MOST_PLAYERS = 8


class Moment(Struct, frozen=True):
    """What just happened, and at which spot."""

    sentence: str
    spot: Spot | None = None
    loose: bool = False


class Sight(Struct, frozen=True):
    """Everything there is to draw."""

    table: PublicState
    seat: Viewer
    names: tuple[str, ...]
    aim: Aim | None = None
    theft: Theft | None = None
    moment: Moment | None = None
    sentence: str = ""
    """What is still said of the moment before, once it is over."""

    def name(self, seat: Seat) -> str:
        return _("You") if seat == self.seat else self.names[seat]


class Scale(Struct, frozen=True):
    """How many cells a spot takes."""

    width: int
    height: int


SMALL, TALL, LARGE = Scale(5, 1), Scale(5, 2), Scale(7, 2)


def draw(canvas: Canvas, sight: Sight) -> None:
    scale = _scaled(canvas)
    for spot in SPOTS:
        row, x = place(spot)
        _draw_spot(canvas, sight, spot, (1 + x * scale.width // 2, row * scale.height), scale)
    height = len(ROWS) * scale.height
    beside = LONGEST * scale.width + 3
    area = Rect(beside, 0, canvas.width - beside, height)
    if sight.theft is not None:
        _draw_theft(canvas, sight, sight.theft, area)
    else:
        _draw_card(canvas, sight, area)
    sentence = sight.moment.sentence if sight.moment else sight.sentence
    for offset, line in enumerate(wrapped(sentence, canvas.width - 2)[:2]):
        canvas.put(1, height + 1 + offset, line, Ink.STRONG)
    _draw_players(canvas, sight, Rect(0, height + 3, canvas.width, canvas.height - height - 3))


def _scaled(canvas: Canvas) -> Scale:
    if canvas.height < TALL.height * len(ROWS) + MOST_PLAYERS + 3:
        return SMALL
    return LARGE if canvas.width >= LARGE.width * LONGEST + SIDE else TALL


# The board


def _draw_spot(canvas: Canvas, sight: Sight, spot: Spot, at: tuple[int, int], scale: Scale) -> None:
    x, y = at
    aimed = sight.aim is not None and sight.aim.spot == spot
    canvas.place(Rect(x - 1, y, 6, scale.height), SPOTS.index(spot))
    mark, ink = _became(canvas, sight, spot)
    lines = [spot + mark if mark else " .  "]
    if scale.height == 2 and spot in sight.table.board:
        lines = ["  /\\", spot + ("\\/" if ink is Ink.PLAIN else mark)]
    elif scale.height == 2:
        lines = ["    ", *lines]
    for offset, line in enumerate(lines):
        if aimed:
            canvas.put(x - 1, y + offset, f"[{line}]", Ink.CURSOR)
        else:
            canvas.put(x, y + offset, line, ink)


def _became(canvas: Canvas, sight: Sight, spot: Spot) -> tuple[str, Ink]:
    """A mark for what lies at a spot, or just happened there; none where it is empty."""
    moment = sight.moment
    if moment is not None and moment.spot == spot:
        return ("++", Ink.GOOD) if moment.loose else ("xx", Ink.BAD)
    if spot in sight.table.marked:
        return "##", Ink.FAINT
    if spot not in sight.table.board:
        return "", Ink.FAINT
    return canvas.sign(*STONE), Ink.PLAIN


# Beside the board


def _draw_card(canvas: Canvas, sight: Sight, area: Rect) -> None:
    table = sight.table
    card = table.card
    if card is not None:
        text = _("THEFT") if card == THEFT else f"$ {card}"
        edge = "+" + "-" * 12 + "+"
        for offset, line in enumerate([edge, f"|{text.center(12)}|", edge]):
            canvas.put(area.x, area.y + offset, line, Ink.STRONG)
        other = _("for {name}").format(name=sight.names[table.turn])
        whose = _("for you") if table.turn == sight.seat else other
        canvas.put(area.x + 16, area.y + 1, fitted(whose, area.width - 16))
    rings = ngettext("{count} ring", "{count} rings", table.rings_to_come)
    thefts = ngettext("{count} theft", "{count} thefts", table.thefts_to_come)
    loose = ngettext("{count} loose diamond left", "{count} loose diamonds left", table.loose)
    facts = [
        _("{rings} and {thefts} to come").format(
            rings=rings.format(count=table.rings_to_come),
            thefts=thefts.format(count=table.thefts_to_come),
        ),
        loose.format(count=table.loose),
        _("empty rings count against you") if table.options.scoring == "professional" else "",
    ]
    for offset, fact in enumerate(filter(None, facts)):
        canvas.put(area.x, area.y + 4 + offset, fitted(fact, area.width), Ink.FAINT)


def _draw_theft(canvas: Canvas, sight: Sight, theft: Theft, area: Rect) -> None:
    """A numbered list, scrolled around the choice."""
    canvas.put(area.x, area.y, _("THEFT"), Ink.STRONG)
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
        pointed = first + offset == theft.at
        canvas.place(Rect(area.x, area.y + 1 + offset, area.width, 1), -1 - first - offset)
        line = fitted(("> " if pointed else "  ") + entry, area.width)
        canvas.put(area.x, area.y + 1 + offset, line, Ink.CURSOR if pointed else Ink.PLAIN)


# Players


def _draw_players(canvas: Canvas, sight: Sight, area: Rect) -> None:
    table = sight.table
    lines = max(1, min(2, area.height // len(table.hands)))
    for seat, hand in enumerate(table.hands):
        y = area.y + seat * lines
        now = seat == table.turn and table.phase is not TurnPhase.OVER
        canvas.put(area.x, y, "> " if now else "  ", Ink.STRONG)
        ink = Ink.STRONG if now or seat == sight.seat else Ink.PLAIN
        canvas.put(area.x + 2, y, fitted(sight.name(seat), NAME - 1), ink)
        canvas.put(area.x + 2 + NAME, y, f"{hand.score(table.options):>6}", ink)
        width = area.width - NAME - TOTAL - 4
        for offset, line in enumerate(_rings(canvas, hand, width, lines)):
            canvas.put(area.x + NAME + TOTAL + 3, y + offset, line)


def _rings(canvas: Canvas, hand: Hand, width: int, lines: int) -> Sequence[str]:
    """Each ring of each value, set or empty; counted where there are too many to show."""
    filled, empty = Counter(hand.filled), Counter(hand.empty)
    values = [value for value in VALUES if filled[value] or empty[value]]
    stone, hole = canvas.sign(*STONE), canvas.sign(*HOLE)
    groups = [f"{value} {stone * filled[value]}{hole * empty[value]}" for value in values]
    shown = flowed(groups, width)
    if len(shown) > lines:
        groups = [f"{value} {filled[value]}{stone}{empty[value]}{hole}" for value in values]
        shown = flowed(groups, width)
    return shown[:lines]
