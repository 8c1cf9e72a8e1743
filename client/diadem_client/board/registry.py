"""Which pane draws which game."""

from importlib import import_module
from typing import TYPE_CHECKING

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import GamePane
from diadem_client.games import GAMES

if TYPE_CHECKING:
    from diadem_client.board.typed import LinePane


def pane_for(game: str, *, typed: bool = False) -> GamePane:
    """The game's own pane; for a game that has none, or if wanted, the one where moves are typed."""
    entered = GAMES.get(game)
    if entered is None or entered.pane is None:
        return _line_pane()()
    kind: type[DrawnPane] = getattr(import_module(f"{entered.package}.pane"), entered.pane)
    return _line_pane()(kind.sketch) if typed else kind()


def _line_pane() -> "type[LinePane]":
    """Loaded when it is wanted, as the panes of the games are."""
    from diadem_client.board.typed import LinePane  # noqa: PLC0415

    return LinePane
