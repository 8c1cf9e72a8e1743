"""Which pane draws which game."""

from importlib import import_module

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import GamePane
from diadem_client.board.typed import LinePane
from diadem_client.games import GAMES


def pane_for(game: str, *, typed: bool = False) -> GamePane:
    """The game's own pane; for a game that has none, or if wanted, the one where moves are typed."""
    entered = GAMES.get(game)
    if entered is None or entered.pane is None:
        return LinePane()
    kind: type[DrawnPane] = getattr(import_module(f"{entered.package}.pane"), entered.pane)
    return LinePane(kind.sketch) if typed else kind()
