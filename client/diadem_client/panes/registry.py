"""Which pane draws which game."""

from importlib import import_module
from typing import cast

from diadem_client.panes.line import LinePane
from diadem_client.panes.pane import GamePane

PANES: dict[str, str] = {
    "diamoniak": "castles:CastlesPane",
    "piratatak": "castles:ShipsPane",
    "diamino-rummy": "diamino:DiaminoPane",
    "diamino-bonus": "diamino:DiaminoPane",
    "diadingo": "diadingo:DiadingoPane",
}
"""By module and name: who plays one game needs none of the others in memory."""


def pane_for(game: str) -> GamePane:
    """The game's own pane; for a game that has none, the one where moves are typed."""
    if game not in PANES:
        return LinePane()
    module, _colon, name = PANES[game].partition(":")
    kind = getattr(import_module(f"diadem_client.panes.{module}"), name)
    return cast("GamePane", kind())
