"""How an ink looks: in the colours of a theme, or in the sixteen of the terminal."""

from rich.style import Style
from textual.app import App

from diadem_client.board.canvas import Ink

ATTRIBUTES = {
    Ink.STRONG: Style(bold=True),
    Ink.FAINT: Style(dim=True),
    Ink.CURSOR: Style(reverse=True, bold=True),
    Ink.DRAFT: Style(bold=True, underline=True),
    Ink.FRESH: Style(bold=True, underline=True),
    Ink.GOOD: Style(bold=True),
    Ink.BAD: Style(bold=True),
}
"""All that is left without colours, and enough."""

HUES = (Ink.DRAFT, Ink.GOOD, Ink.BAD, Ink.BLUE, Ink.YELLOW, Ink.PINK, Ink.GREEN, Ink.RED)
TERMINAL = ("cyan", "green", "red", "blue", "yellow", "magenta", "green", "red")
DARK = ("#5fd7ff", "#5fd75f", "#ff5f5f", "#6fa8ff", "#ffd75f", "#ff87d7", "#5fd75f", "#ff5f5f")
LIGHT = ("#005f87", "#005f00", "#af0000", "#0000d7", "#875f00", "#af0087", "#005f00", "#af0000")


def _palette(colours: tuple[str, ...]) -> dict[Ink, Style]:
    hues = {ink: Style(color=colour) for ink, colour in zip(HUES, colours, strict=True)}
    return {ink: ATTRIBUTES.get(ink, Style()) + hues.get(ink, Style()) for ink in Ink}


SIXTEEN, ON_DARK, ON_LIGHT = _palette(TERMINAL), _palette(DARK), _palette(LIGHT)


def palette_of(app: App[object]) -> dict[Ink, Style]:
    if app.native_ansi_color:
        return SIXTEEN
    return ON_DARK if app.current_theme.dark else ON_LIGHT
