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
from diadem.games.diamino.table import DiaminoEvent, Hand, Move, PublicState, TableView
from diadem.games.diamino.terms import RuleSet
from diadem.mixed_bot import MixedBot

Mind: TypeAlias = Bot[Move, DiaminoEvent, PublicState, Hand]

_easy = partial(Homely, eye=EASY)
_normal = partial(DiaminoBot, habits=NORMAL)
_strong = partial(DiaminoBot, habits=STRONG)


SHARP = {RuleSet.RUMMY: 39, RuleSet.BONUS: 55}
"""In so many of 100 moves it plays as the strong one."""


def _counting(percent: int) -> Callable[[Chance], Mind]:
    """Between easy and normal."""
    return partial(MixedBot, weaker=_easy, stronger=_normal, percent=percent)


class Sharp(MixedBot[Move, DiaminoEvent, PublicState, Hand]):
    """Between normal and strong, whose lead is smaller in Rummy: there it takes less of it for even steps."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance, _normal, _strong, 0)

    def percent_of(self, view: TableView) -> int:
        return SHARP[view.public.rules]


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
    "sharp": Sharp,
    "strong": _strong,
    "master": Master,
}
