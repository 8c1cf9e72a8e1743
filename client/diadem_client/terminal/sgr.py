"""Styles of cells, as the parameters of SGR sequences name them, and the way from one to another."""

from functools import lru_cache
from typing import NamedTuple


class Style(NamedTuple):
    """SGR parameters; "" is the terminal's own colour."""

    ink: str = ""
    ground: str = ""
    marks: tuple[str, ...] = ()
    """Attributes such as bold, in the order in which they were set."""


PLAIN = Style()
WEIGHT_OFF = "22"
TURNED_OFF_BY = {
    "1": WEIGHT_OFF,
    "2": WEIGHT_OFF,
    "3": "23",
    "4": "24",
    "5": "25",
    "7": "27",
    "9": "29",
}
BLOCK = "\u2588"
SEEN_ON_BLANKS = frozenset({"4", "5", "7", "9"})
COLOURS = frozenset("34") | {"9", "10"}
"""Parameters of colours without their last digit."""


def joined(before: str, more: str) -> str:
    """The parameters of a sequence after those before it."""
    if more in {"", "0"}:
        return ""
    return f"{before};{more}" if before else more


@lru_cache(1024)
def read(parameters: str) -> Style:
    """The style that these parameters lead to from the plain one."""
    ink = ground = ""
    marks: dict[str, None] = {}
    numbers = iter(parameters.split(";") if parameters else [])
    for number in numbers:
        if number[:-1] not in COLOURS:
            marks[number] = None
            continue
        colour = number
        if number in {"38", "48"}:
            kind = next(numbers, "")
            more = [next(numbers, "") for _ in range(1 if kind == "5" else 3)]
            colour = ";".join([number, kind, *more])
        if number[:-1] in {"3", "9"}:
            ink = "" if number == "39" else colour
        else:
            ground = "" if number == "49" else colour
    return Style(ink, ground, tuple(marks))


@lru_cache(1024)
def shows_on_blanks(style: Style) -> bool:
    """Whether more of it is seen on a blank than its ground."""
    return not SEEN_ON_BLANKS.isdisjoint(style.marks)


@lru_cache(1024)
def seen(character: str, style: Style) -> tuple[str, Style]:
    """A cell by what is seen of it: a blank has no ink, and a full block hides its ground."""
    if character == " " and not shows_on_blanks(style):
        return " ", Style(ground=style.ground)
    if character == BLOCK and not shows_on_blanks(style):
        return BLOCK, Style(style.ink, marks=style.marks)
    return character, style


@lru_cache(512)
def change(before: Style, after: Style) -> str:
    """The shortest sequence from one style to another."""
    if before == after:
        return ""
    if after == PLAIN:
        return "\x1b[m"
    anew = f"\x1b[{';'.join(filter(None, ['0', *after.marks, after.ink, after.ground]))}m"
    gone = [mark for mark in before.marks if mark not in after.marks]
    if any(mark not in TURNED_OFF_BY for mark in gone):
        return anew
    off = list(dict.fromkeys(TURNED_OFF_BY[mark] for mark in gone))
    weights = {"1", "2"} if WEIGHT_OFF in off else set()
    on = [mark for mark in after.marks if mark in weights or mark not in before.marks]
    if before.ink != after.ink:
        on.append(after.ink or "39")
    if before.ground != after.ground:
        on.append(after.ground or "49")
    return min(f"\x1b[{';'.join(off + on)}m", anew, key=len)
