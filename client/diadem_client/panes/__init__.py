"""The middle of the table screen, one pane a game: what lies there, and what its keys do."""

from diadem_client.panes.castles import CastlesPane
from diadem_client.panes.diadingo import DiadingoPane
from diadem_client.panes.diamino import DiaminoPane
from diadem_client.panes.pane import GamePane

PANES: dict[str, type[GamePane]] = {
    "diamoniak": CastlesPane,
    "piratatak": CastlesPane,
    "diadingo": DiadingoPane,
    "diamino-rummy": DiaminoPane,
    "diamino-bonus": DiaminoPane,
}
"""The one list of panes, by the name of the game."""
