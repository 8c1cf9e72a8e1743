"""Artificial players for Diamino. docs/bots.md says how they think."""

from collections.abc import Callable
from functools import partial

from diadem.chance import Chance
from diadem.game import Bot
from diadem.games.diamino.bots.easy import EASY, FAIR, Homely
from diadem.games.diamino.bots.player import NORMAL, STRONG, DiaminoBot
from diadem.games.diamino.bots.zombie import Zombie
from diadem.games.diamino.table import DiaminoEvent, Hand, Move, PublicState

BOTS: dict[str, Callable[[Chance], Bot[Move, DiaminoEvent, PublicState, Hand]]] = {
    "zombie": Zombie,
    "easy": partial(Homely, eye=EASY),
    "fair": partial(Homely, eye=FAIR),
    "normal": partial(DiaminoBot, habits=NORMAL),
    "strong": partial(DiaminoBot, habits=STRONG),
}
