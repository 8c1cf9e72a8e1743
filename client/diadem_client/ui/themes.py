"""How it looks: dark, light, high contrast, or the sixteen colours of the terminal."""

from textual.theme import Theme

from diadem_client.i18n import N_

HIGH_CONTRAST = Theme(
    name="diadem-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    warning="#ffff00",
    error="#ff8080",
    success="#00ff00",
    accent="#00ffff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
)

CSS = """
Screen { background: $background; }
KeyHints { background: $panel; }
SearchIcon { display: none; }
OptionList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
Input:nocolor > .input--cursor { text-style: reverse; }
"""

THEMES: dict[str, str] = {
    "dark": "textual-dark",
    "light": "textual-light",
    "contrast": HIGH_CONTRAST.name,
    "terminal": "ansi-dark",
}
NAMES: dict[str, str] = {
    "dark": N_("dark"),
    "light": N_("light"),
    "contrast": N_("high contrast"),
    "terminal": N_("16 colours of the terminal"),
}
