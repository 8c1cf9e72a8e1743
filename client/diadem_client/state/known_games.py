"""The games that can be chosen, looked at and played: those whose rules are known here, and those of a server."""

from functools import lru_cache
from typing import Any

import msgspec

from diadem_shared.described_game import DescribedGame, untold, usable
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.lenient import convert_known
from diadem_shared.protocol import Described, Description, GameLine

MOST = 50
"""Games that a server may describe."""


class ServerGames:
    def __init__(self) -> None:
        self._lines: dict[str, GameLine] = {}
        """As their server has described them."""
        self._strangers: dict[str, DescribedGame] = {}

    def learn(self, told: Described) -> None:
        """What a server has; it takes the place of what another one had. Of what makes no sense nothing is learned."""
        try:
            description = convert_known(told.description, Description)
        except msgspec.ValidationError:
            return
        self._lines = {line.game: usable(line) for line in description.games[:MOST]}
        self._strangers = {
            name: DescribedGame(line) for name, line in self._lines.items() if name not in GAMES
        }

    def forget(self) -> None:
        """No server has told anything."""
        self._lines, self._strangers = {}, {}

    def names(self) -> list[str]:
        """Of the games that can be chosen, those whose rules are known here first."""
        known = [name for name in GAMES if name in self._lines or not self._lines]
        return [*known, *self._strangers]

    def find(self, name: str) -> AnyGame:
        """A game as far as it is known; of one that nobody has told of, next to nothing."""
        return GAMES.get(name) or self._strangers.get(name) or _undescribed(name)

    def default(self, name: str, option: str) -> Any:
        """Of an option of a game; None where it has none of that name. It takes less than to describe the game."""
        if (line := self._lines.get(name)) is not None:
            return next((each.default for each in line.options if each.name == option), None)
        return getattr(self.find(name).options_type(), option, None)

    def line(self, name: str) -> GameLine:
        """What can be agreed on for a game, as its server describes it; where none has, as it is known here."""
        if (line := self._lines.get(name)) is not None:
            return line
        if name not in GAMES:
            return usable(untold(name))
        from diadem_shared.description import game_line  # noqa: PLC0415, servers describe their games

        return usable(game_line(GAMES[name]))


@lru_cache(maxsize=MOST)
def _undescribed(name: str) -> DescribedGame:
    return DescribedGame(untold(name))


SERVER_GAMES = ServerGames()
"""A client is at one server at a time."""
game_of = SERVER_GAMES.find
line_of = SERVER_GAMES.line
default_of = SERVER_GAMES.default
