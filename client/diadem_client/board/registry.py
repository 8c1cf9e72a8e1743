"""Which pane draws which game."""

from importlib import import_module

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import GamePane
from diadem_client.board.typed import LinePane

PANES: dict[str, str] = {
    "diamoniak": "castles:CastlesPane",
    "piratatak": "castles:ShipsPane",
    "diamino-rummy": "diamino:DiaminoPane",
    "diamino-bonus": "diamino:DiaminoPane",
    "diadingo": "diadingo:DiadingoPane",
}
"""By module and name: who plays one game needs none of the others in memory."""


def pane_for(game: str, *, typed: bool = False) -> GamePane:
    """The game's own pane; for a game that has none, or if wanted, the one where moves are typed."""
    if game not in PANES:
        return LinePane()
    module, _colon, name = PANES[game].partition(":")
    kind: type[DrawnPane] = getattr(import_module(f"diadem_client.games.{module}.pane"), name)
    return LinePane(kind.sketch) if typed else kind()
