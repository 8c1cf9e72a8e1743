"""Which pane draws which game."""

from collections.abc import Callable

from diadem_client.panes.castles import CastlesPane, ShipsPane
from diadem_client.panes.diadingo import DiadingoPane
from diadem_client.panes.diamino import DiaminoPane
from diadem_client.panes.line import LinePane
from diadem_client.panes.pane import GamePane

PANES: dict[str, Callable[[], GamePane]] = {
    "diamoniak": CastlesPane,
    "piratatak": ShipsPane,
    "diamino-rummy": DiaminoPane,
    "diamino-bonus": DiaminoPane,
    "diadingo": DiadingoPane,
}


def pane_for(game: str) -> GamePane:
    """The game's own pane; for a game that has none, the one where moves are typed."""
    return PANES.get(game, LinePane)()
