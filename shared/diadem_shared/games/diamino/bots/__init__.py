"""Artificial players for Diamino. docs/bots.md says how they think."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from diadem_shared.chance import Chance
from diadem_shared.game import Bot
from diadem_shared.games.diamino.bots.easy import EASY, Homely
from diadem_shared.games.diamino.bots.master import Master
from diadem_shared.games.diamino.bots.player import NORMAL, STRONG, DiaminoBot
from diadem_shared.games.diamino.bots.zombie import Zombie
from diadem_shared.games.diamino.table import DiaminoEvent, Hand, Move, PublicState, TableView
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.mixed_bot import MixedBot

Mind: TypeAlias = Callable[[Chance], Bot[Move, DiaminoEvent, PublicState, Hand]]

_easy = partial(Homely, eye=EASY)
_normal = partial(DiaminoBot, habits=NORMAL)
_strong = partial(DiaminoBot, habits=STRONG)


class Between(MixedBot[Move, DiaminoEvent, PublicState, Hand]):
    """Now as one bot and now as another. Levels are as far apart in both rule sets only if each has a mixture of its own."""

    def __init__(
        self, chance: Chance, *, weaker: Mind, stronger: Mind, rummy: int, bonus: int
    ) -> None:
        """`rummy`, `bonus`: in so many of 100 moves it plays as the stronger one."""
        super().__init__(chance, weaker, stronger, 0)
        self._percents = {RuleSet.RUMMY: rummy, RuleSet.BONUS: bonus}

    def percent_of(self, view: TableView) -> int:
        return self._percents[view.public.rules]


_counting = partial(Between, weaker=_easy, stronger=_normal)


BOTS: dict[str, Mind] = {
    "zombie": Zombie,
    "easy": _easy,
    "light": partial(_counting, rummy=5, bonus=5),
    "mild": partial(_counting, rummy=11, bonus=11),
    "fair": partial(_counting, rummy=22, bonus=20),
    "even": partial(_counting, rummy=38, bonus=36),
    "firm": partial(_counting, rummy=58, bonus=52),
    "keen": partial(_counting, rummy=81, bonus=75),
    "normal": _normal,
    "sharp": partial(Between, weaker=_normal, stronger=_strong, rummy=39, bonus=55),
    "strong": _strong,
    "master": Master,
}
