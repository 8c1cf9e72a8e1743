"""Colours by their roles, as five kinds of terminal can show them in four themes.

A role says what a colour is for. Whatever is drawn names roles only; `colour` finds what a terminal is
to be sent for one.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from rich.color import Color
from rich.style import Style

from diadem_client.look.color_depth import ColorDepth

FOLDER = files(__package__) / "palettes"
FIRST_GREY = 232
CUBE = (0, 95, 135, 175, 215, 255)
RICH_GREY_STEP = 10.2
"""Rich has greys of the 256 stand so far from each other when it looks for the nearest."""


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"
    CONTRAST = "contrast"
    SAFE = "safe"


class Shade(NamedTuple):
    """One role in one theme: a hexadecimal number, one of the 256, and one of the 16 or the terminal's own."""

    true: str
    number: int
    low: int | None


class Look(NamedTuple):
    theme: Theme = Theme.DARK
    tier: ColorDepth = ColorDepth.PALETTE
    accent: str = ""
    """The player's own colour, one of `ACCENTS`; none for that of the theme."""

    @property
    def dark(self) -> bool:
        return self.theme is not Theme.LIGHT


class Paint(NamedTuple):
    """How a character is written: roles of its ink and of its ground, and marks beside colour."""

    ink: str = "text"
    ground: str = ""
    """The one that is there, if none is named."""
    marks: str = ""
    """b for bold, u for underlined."""


@cache
def palette(theme: Theme, accent: str = "") -> Mapping[str, Shade]:
    shades = dict(_base(light=theme is Theme.LIGHT))
    if theme in {Theme.CONTRAST, Theme.SAFE}:
        for role, true, number in _lines(theme):
            shades[role] = Shade(true, int(number), shades[role].low)
    for name, role, *shown in _lines("accents"):
        if name == accent:
            true, number = shown[2:4] if theme is Theme.LIGHT else shown[:2]
            low = shown[5 if theme is Theme.LIGHT else 4]
            shades[role] = Shade(true, int(number), int(low))
    return shades


def _base(*, light: bool) -> Iterator[tuple[str, Shade]]:
    for role, true, number, on_light, light_number, low, light_low in _lines("base"):
        shown = (true, number, low)
        if light:
            shown = (
                (true, number, light_low)
                if on_light == "="
                else (on_light, light_number, light_low)
            )
        yield role, Shade(shown[0], int(shown[1]), None if shown[2] == "d" else int(shown[2]))


def _lines(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / f"{name}.txt").read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            yield line.split()


ACCENTS = tuple(dict.fromkeys(name for name, *_ in _lines("accents")))


def hexadecimal(role: str, look: Look) -> str:
    """What a program that thinks in true colours has to say."""
    shade = palette(look.theme, look.accent)[role]
    return shade.true if look.tier is ColorDepth.TRUE else _said_for(shade.number)


@cache
def _said_for(number: int) -> str:
    """The true colour that Rich turns into this one of the 256; its greys lie beside those of terminals."""
    if number >= FIRST_GREY:
        level = round((number - FIRST_GREY + 1) * RICH_GREY_STEP)
        return f"#{level:02x}{level:02x}{level:02x}"
    return "#{:02x}{:02x}{:02x}".format(*rgb_of(number))


def rgb_of(number: int) -> tuple[int, int, int]:
    """One of the 256 as terminals show it."""
    if number >= FIRST_GREY:
        level = 8 + 10 * (number - FIRST_GREY)
        return level, level, level
    number -= 16
    return CUBE[number // 36], CUBE[number // 6 % 6], CUBE[number % 6]


@lru_cache(2048)
def style_of(paint: Paint, look: Look) -> Style:
    bold, underline = "b" in paint.marks, "u" in paint.marks
    if look.tier is ColorDepth.NONE:
        reverse = paint.ground in REVERSED
        return Style(
            bold=bold or None,
            underline=underline or paint.ground in UNDERLINED or None,
            reverse=reverse or None,
            dim=(paint.ink in DIMMED and not bold and not reverse) or None,
        )
    ink, ground = _colour(paint.ink, look), _colour(paint.ground or "bg", look)
    return Style(color=ink, bgcolor=ground, bold=bold or None, underline=underline or None)


REVERSED = frozenset({"cursor", "pill"})
UNDERLINED = frozenset({"draft", "draft.edge"})
DIMMED = frozenset({"faint", "dot", "line", "hole"})
"""What is left of colours where there are none."""


def _colour(role: str, look: Look) -> Color:
    if look.tier is ColorDepth.SIXTEEN:
        low = palette(look.theme, look.accent)[role].low
        return Color.default() if low is None else Color.from_ansi(low)
    return Color.parse(hexadecimal(role, look))


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """As the guidelines for accessible content reckon it: 1 for equal ones, 21 for black on white."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: tuple[int, int, int]) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (each / 255 for each in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
