"""What stands on a screen, as text that can be compared: the letters, and how each cell is written."""

from collections import Counter
from collections.abc import Iterator
from string import ascii_letters, digits

from rich.color import Color, ColorSystem, ColorType
from rich.style import Style
from textual.strip import Strip

from diadem_client.look.color_depth import ColorDepth

SYSTEMS = {
    ColorDepth.TRUE: ColorSystem.TRUECOLOR,
    ColorDepth.PALETTE: ColorSystem.EIGHT_BIT,
    ColorDepth.SIXTEEN: ColorSystem.STANDARD,
}
NAMES = ascii_letters + digits + "".join(map(chr, (*range(0x391, 0x3A2), *range(0x410, 0x450))))
MARKS = ("bold", "dim", "italic", "underline", "reverse")
SEEN_ON_BLANKS = {"underline", "reverse"}


def colours(strips: list[Strip], tier: ColorDepth) -> str:
    """A letter for each cell, and what the letters mean, as a terminal of a tier is told.

    The commonest way to write one has none.
    """
    rows = [
        [
            described(segment.style or Style(), tier, blank=character == " ")
            for segment in strip
            for character in segment.text
        ]
        for strip in strips
    ]
    styles = Counter(style for row in rows for style in row)
    (commonest, _count), *_rest = styles.most_common(1)
    names = dict(zip((each for each in styles if each != commonest), NAMES, strict=False))
    names[commonest] = " "
    drawn = ["".join(names[style] for style in row).rstrip() for row in rows]
    legend = [f"{name}  {style}" for style, name in names.items()]
    return "\n".join([*drawn, "", *legend]) + "\n"


def described(style: Style, tier: ColorDepth, *, blank: bool) -> str:
    ground = f"on {named(style.bgcolor, tier)}"
    marks = [mark for mark in MARKS if getattr(style, mark)]
    if blank and SEEN_ON_BLANKS.isdisjoint(marks):
        return ground
    return " ".join([named(style.color, tier), ground, *marks])


def named(colour: Color | None, tier: ColorDepth) -> str:
    if colour is None:
        return "-"
    if tier is ColorDepth.NONE or colour.is_default:
        return "own" if colour.is_default else "?"
    said = colour.downgrade(SYSTEMS[tier])
    if said.type is ColorType.TRUECOLOR:
        return said.get_truecolor().hex
    return str(said.number)


def marks(strips: list[Strip]) -> str:
    """Where colour is not there to tell: what is reversed, bold, underlined or faint."""
    return "\n".join("".join(_marks(strip)).rstrip() for strip in strips) + "\n"


def _marks(strip: Strip) -> Iterator[str]:
    for segment in strip:
        style = segment.style or Style()
        found = (
            (style.reverse and "r")
            or (style.underline and "u")
            or (style.bold and "b")
            or (style.dim and "d")
        )
        yield (found or " ") * segment.cell_length
