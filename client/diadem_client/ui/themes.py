"""The looks as themes of Textual: what a screen's CSS calls a colour is the role of it."""

from itertools import product, starmap

from textual.app import App
from textual.theme import Theme as TextualTheme

from diadem_client.i18n import N_
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import ACCENTS, Look, Theme, hexadecimal, palette
from diadem_client.settings import Settings

ROLES = {
    "bar": "bar",
    "row": "row",
    "line": "line",
    "faint": "faint",
    "dot": "dot",
    "pill": "pill",
    "on-accent": "on_accent",
    "good": "good",
    "bad": "bad",
    "block-cursor-background": "row",
    "block-cursor-foreground": "text",
    "block-cursor-blurred-background": "row",
    "block-cursor-blurred-foreground": "text",
    "block-hover-background": "bar",
    "input-cursor-background": "cursor",
    "input-cursor-foreground": "on_cursor",
    "border": "line",
    "border-blurred": "line",
    "scrollbar": "line",
    "scrollbar-hover": "line",
    "scrollbar-active": "accent",
    "scrollbar-background": "bg",
    "scrollbar-background-hover": "bg",
    "scrollbar-background-active": "bg",
    "scrollbar-corner-color": "bg",
    "ansi-background": "bg",
    "ansi-foreground": "text",
}
"""Variables of the CSS, and the role that each is."""
MARKED = {
    "block-cursor-background": "cursor",
    "block-cursor-foreground": "on_cursor",
    "block-cursor-blurred-background": "cursor",
    "block-cursor-blurred-foreground": "on_cursor",
}
"""Of the sixteen colours none is a tint of the ground: what is marked is turned round instead."""
LOW = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def _said(role: str, look: Look) -> str:
    if look.tier in {ColorDepth.TRUE, ColorDepth.PALETTE}:
        return hexadecimal(role, look)
    low = palette(look.theme, look.accent)[role].low
    if low is None:
        return "ansi_default"
    return f"ansi_{'bright_' * (low >= len(LOW))}{LOW[low % len(LOW)]}"


def name_of(look: Look) -> str:
    return "-".join(filter(None, ("diadem", look.theme, look.tier, look.accent)))


def theme_of(look: Look) -> TextualTheme:
    accent, text, ground = (_said(role, look) for role in ("accent", "text", "bg"))
    return TextualTheme(
        name=name_of(look),
        primary=accent,
        secondary=accent,
        accent=accent,
        warning=accent,
        error=_said("bad", look),
        success=_said("good", look),
        foreground=text,
        background=ground,
        surface=ground,
        panel=_said("bar", look),
        boost=_said("bar", look),
        dark=look.dark,
        ansi=look.tier in {ColorDepth.SIXTEEN, ColorDepth.NONE},
        variables=variables_of(look) | {"block-cursor-text-style": "bold"},
    )


def variables_of(look: Look) -> dict[str, str]:
    roles = ROLES | MARKED if look.tier is ColorDepth.SIXTEEN else ROLES
    return {variable: _said(role, look) for variable, role in roles.items()}


def apply(app: App[None], look: Look) -> None:
    name = name_of(look)
    if name not in app.available_themes:
        app.register_theme(theme_of(look))
    app.theme = name


DEFAULTS = variables_of(Look())
"""For the CSS of the moment before a theme is put on."""
LOOKS = {name_of(look): look for look in starmap(Look, product(Theme, ColorDepth, ("", *ACCENTS)))}

CSS = """
Screen { background: $background; color: $foreground; }
ModalScreen { background: transparent; }
MakeScreen, TooSmallScreen { background: $background; }
KeyHints { background: $bar; }
SearchIcon { display: none; }
Input { background: $bar; color: $foreground; }
Input:focus { background: $row; }
Input:ansi { text-style: underline; }
Input > .input--placeholder { color: $faint; }
CommandPalette > Vertical { background: $background; }
CommandPalette CommandInput { background: $bar; }
CommandPalette CommandInput > .input--placeholder { color: $faint; }
CommandPalette Horizontal { border: blank; border-bottom: none; }
CommandPalette CommandList { border-bottom: blank; }
CommandPalette > .command-palette--help-text { text-style: not bold; }
OptionList { background: $background; color: $foreground; }
OptionList:focus, Input:focus { background-tint: $background 0%; }
Choice:focus { color: $accent; background: $row; text-style: bold; }
Choice:ansi:focus { color: $foreground; text-style: reverse; }
FixedText#title { height: 1; background: $bar; padding: 0 1; }
OptionList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
Input:nocolor > .input--cursor { text-style: reverse not dim; }
Input:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse not dim; }
"""

THEMES: dict[str, Theme] = {
    "dark": Theme.DARK,
    "light": Theme.LIGHT,
    "contrast": Theme.CONTRAST,
    "safe": Theme.SAFE,
    "terminal": Theme.DARK,
}
NAMES: dict[str, str] = {
    "dark": N_("dark"),
    "light": N_("light"),
    "contrast": N_("high contrast"),
    "safe": N_("safe for the colour-blind"),
}
ACCENT_NAMES: dict[str, str] = {"": N_("amber"), "blue": N_("blue"), "violet": N_("violet")}
TIERS: dict[str, str] = {
    "": N_("automatic"),
    ColorDepth.TRUE.value: N_("all (truecolour)"),
    ColorDepth.PALETTE.value: N_("256"),
    ColorDepth.SIXTEEN.value: N_("the terminal's 16"),
    ColorDepth.NONE.value: N_("none"),
}


def look_for(settings: Settings, tier: ColorDepth) -> Look:
    """By the settings, on a terminal of a tier; what it cannot show, no setting brings about."""
    if tier is ColorDepth.NONE:
        return Look(Theme.DARK, tier)
    wanted = ColorDepth(settings.colours) if settings.colours in set(ColorDepth) else tier
    if settings.theme == "terminal":
        wanted = ColorDepth.SIXTEEN
    fewest = max(wanted, tier, key=list(ColorDepth).index)
    return Look(
        THEMES.get(settings.theme, Theme.DARK),
        min(fewest, ColorDepth.SIXTEEN, key=list(ColorDepth).index),
        settings.accent if settings.accent in ACCENTS else "",
    )
