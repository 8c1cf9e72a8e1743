"""Which look an application has now, for what is drawn in cells."""

from typing import Any

from textual.app import App

from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Look, Theme
from diadem_client.ui.themes import LOOKS


def look_of(app: App[Any]) -> Look:
    if app.no_color:
        return Look(Theme.DARK, ColorDepth.NONE)
    if look := LOOKS.get(app.current_theme.name):
        return look
    theme = Theme.DARK if app.current_theme.dark else Theme.LIGHT
    return Look(theme, ColorDepth.SIXTEEN if app.native_ansi_color else ColorDepth.PALETTE)
