"""The games that can be chosen, looked at and played: those whose rules are known here, and those of a server."""

import msgspec

from diadem.described_game import DescribedGame, untold
from diadem.game import AnyGame
from diadem.games import GAMES
from diadem.protocol import Described, Description
from diadem.reading import convert_known

MOST = 50
"""Games that a server may describe."""


class ServerGames:
    def __init__(self) -> None:
        self._described: dict[str, DescribedGame] = {}

    def learn(self, told: Described) -> None:
        """What a server has; it takes the place of what another one had. Of what makes no sense nothing is learned."""
        try:
            description = convert_known(told.description, Description)
        except msgspec.ValidationError:
            return
        strangers = [line for line in description.games if line.game not in GAMES]
        self._described = {line.game: DescribedGame(line) for line in strangers[:MOST]}

    def names(self) -> list[str]:
        return [*GAMES, *self._described]

    def find(self, name: str) -> AnyGame:
        """A game as far as it is known; of one that nobody has told of, next to nothing."""
        return GAMES.get(name) or self._described.get(name) or DescribedGame(untold(name))


SERVER_GAMES = ServerGames()
"""A client is at one server at a time."""
game_of = SERVER_GAMES.find
