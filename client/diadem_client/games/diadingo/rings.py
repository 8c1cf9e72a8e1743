"""The rings of a player of Diadingo, the dearest first, set ones and empty ones."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.wording.values import grouped
from diadem_shared.games.diadingo.board import THEFT, VALUES, Card, Value
from diadem_shared.games.diadingo.table import Hand

THOUSAND = 1000


def card_name(card: Card) -> str:
    return _("THEFT") if card == THEFT else f"$ {grouped(int(card))}"


class Group(Struct, frozen=True):
    """The rings of one value, set ones and empty ones."""

    value: int
    """In thousands."""
    stones: str
    holes: str

    @property
    def width(self) -> int:
        return len(str(self.value)) + len(self.stones) + len(self.holes)


def draw(canvas: Canvas, hand: Hand, area: Rect, fresh: Collection[Value] = ()) -> None:
    """Each by a sign; where there is no room, how many there are of each. Values that are no more as they were
    are marked."""
    gap, lines = 2, flowed(groups(canvas, hand, counted=False), area.width)
    for narrower in (2, 1):
        if len(lines) > area.height:
            gap = narrower
            lines = flowed(groups(canvas, hand, counted=True), area.width, gap)
    for offset, line in enumerate(lines[: area.height]):
        x, y = area.x, area.y + offset
        for group in line:
            if group.value * THOUSAND in fresh:
                canvas.put(x - 1, y, canvas.sign(signs.FRESH), Ink.FRESH)
            x = canvas.put(x, y, str(group.value), Ink.PLAIN if group.stones else Ink.FAINT)
            x = canvas.put(x, y, group.stones, Paint("ice.t"))
            x = canvas.put(x, y, group.holes, Ink.FAINT) + gap


def is_long(canvas: Canvas, hand: Hand, width: int) -> bool:
    """Whether one row is too short for a sign a ring."""
    return len(flowed(groups(canvas, hand, counted=False), width)) > 1


def groups(canvas: Canvas, hand: Hand, *, counted: bool) -> Iterator[Group]:
    """The dearest first; each ring by a sign, or how many there are of each."""
    filled, empty = Counter(hand.filled), Counter(hand.empty)
    stone, hole = canvas.sign(signs.STONE), canvas.sign(signs.HOLE)
    for value in reversed(VALUES):
        stones, holes = filled[value], empty[value]
        if not stones and not holes:
            continue
        thousands = value // THOUSAND
        if counted:
            yield Group(
                thousands, f"{stone}{stones}" if stones else "", f"{hole}{holes}" if holes else ""
            )
        else:
            yield Group(thousands, stone * stones, hole * holes)


def flowed(groups: Iterator[Group], width: int, gap: int = 2) -> Sequence[Sequence[Group]]:
    lines: list[list[Group]] = [[]]
    room = width
    for group in groups:
        if lines[-1] and group.width > room:
            lines.append([])
            room = width
        lines[-1].append(group)
        room -= group.width + gap
    return lines
