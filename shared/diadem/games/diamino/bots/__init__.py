"""Artificial players for Diamino. docs/bots.md says how they think."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from diadem.chance import Chance
from diadem.game import Bot
from diadem.games.diamino.bots.easy import EASY, Homely
from diadem.games.diamino.bots.master import Master
from diadem.games.diamino.bots.player import NORMAL, STRONG, DiaminoBot
from diadem.games.diamino.bots.zombie import Zombie
from diadem.games.diamino.table import DiaminoEvent, Hand, Move, PublicState
from diadem.mixed_bot import MixedBot

Mind: TypeAlias = Bot[Move, DiaminoEvent, PublicState, Hand]

_easy = partial(Homely, eye=EASY)
_normal = partial(DiaminoBot, habits=NORMAL)
_strong = partial(DiaminoBot, habits=STRONG)


def _counting(percent: int) -> Callable[[Chance], Mind]:
    """Between easy and normal."""
    return partial(MixedBot, weaker=_easy, stronger=_normal, percent=percent)


BOTS: dict[str, Callable[[Chance], Mind]] = {
    "zombie": Zombie,
    "easy": _easy,
    "light": _counting(5),
    "mild": _counting(11),
    "fair": _counting(20),
    "even": _counting(36),
    "firm": _counting(52),
    "keen": _counting(75),
    "normal": _normal,
    "sharp": partial(MixedBot, weaker=_normal, stronger=_strong, percent=40),
    "strong": _strong,
    "master": Master,
}
