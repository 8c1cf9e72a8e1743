"""Play in a game's pane against bots, without a server: `make pane GAME=diadingo`, or `python -m tools.pane --help`.

It is what the tests of the panes use, Host(Desk(...)): each move is applied at once, and one that the rules refuse ends the
program with its traceback. What is logged goes to the client's log file. Ctrl+Q quits.
"""

import argparse
import logging
import os
from secrets import token_hex

from diadem_client.look.color_depth import tier_of
from diadem_client.settings import Settings, log_file
from diadem_client.ui import themes
from diadem_shared.games import GAMES
from tests.client.board.host import Desk, Host


class PaneHost(Host):
    """A host in the colours of the client."""

    CSS = f"{themes.CSS}\n{Host.CSS}"

    def __init__(self, desk: Desk, *, ascii_only: bool) -> None:
        super().__init__(desk)
        self._ascii_only = ascii_only

    def on_load(self) -> None:
        """The first moment in which a pane can look at the colours of its app."""
        self.pane.ascii_only = self._ascii_only

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.pane", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seats", type=int, help="how many play (default: the fewest)")
    parser.add_argument(
        "--seat", type=int, default=0, help="which one is yours (default: 0, the first)"
    )
    parser.add_argument(
        "--seed", default="", help="deals the same round again (default: a new one)"
    )
    parser.add_argument("--level", default="", help="of the bots (default: the strongest)")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII alone")
    parser.add_argument("--theme", choices=themes.THEMES, default="dark")
    given = parser.parse_args()
    game = GAMES[given.game]
    seats = given.seats or game.seats[0]
    if seats not in game.seats or given.seat not in range(seats):
        parser.error(f"{given.game} is played by {game.seats[0]} to {game.seats[-1]}")
    if given.level and given.level not in game.bots:
        parser.error(f"the bots of {given.game} are {', '.join(game.bots)}")
    seed = given.seed or token_hex(4)
    desk = Desk(given.game, seats=seats, seed=seed, seat=given.seat, level=given.level)
    host = PaneHost(desk, ascii_only=given.ascii)
    themes.apply(host, themes.look_for(Settings(theme=given.theme), tier_of(os.environ)))
    log_file().parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(filename=log_file(), level=logging.INFO)
    host.run()
    print(f"the same again: --seed {seed}")


if __name__ == "__main__":
    main()
