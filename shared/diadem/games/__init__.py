"""The registry: the one list of games."""

from diadem.game import AnyGame
from diadem.games.castles import DIAMONIAK, PIRATATAK, Castles
from diadem.games.diadingo import Diadingo
from diadem.games.diamino import Diamino, RuleSet

GAMES: dict[str, AnyGame] = {
    game.name: game
    for game in (
        Castles(DIAMONIAK),
        Castles(PIRATATAK),
        Diadingo(),
        Diamino(RuleSet.RUMMY),
        Diamino(RuleSet.BONUS),
    )
}
