"""What the board bench runs in its terminal: the Diamino pane in the middle of a game."""

import sys
from typing import ClassVar

from diadem.chance import Chance
from diadem.entries import Started
from tests.client.panes.host import Desk, Host

TURNS = 6


class Shown(Host):
    BINDINGS: ClassVar = [("ctrl+l", "repaint", "Repaint"), ("ctrl+q", "quit", "Quit")]

    def action_repaint(self) -> None:
        self.screen.refresh()


def half_way() -> Desk:
    desk = Desk("diamino-rummy", seats=2, seed="amber")
    desk.enter(Started())
    chooser = Chance(b"board", "moves")
    for _ in range(TURNS):
        seat = desk.match.actors[0]
        desk.play(seat, desk.match.game.any_move(desk.view(seat), chooser))
    return desk


if __name__ == "__main__":
    app = Shown(half_way(), bots=False)
    app.theme = sys.argv[1]
    app.run()
