"""Artificial players for Diadingo. docs/games/diadingo.md says how they think."""

from collections.abc import Callable
from functools import partial

from diadem.chance import Chance
from diadem.game import Bot
from diadem.games.diadingo.board import Spot
from diadem.games.diadingo.outlook import Outlook
from diadem.games.diadingo.rules import after_theft
from diadem.games.diadingo.table import (
    Decline,
    DiadingoEvent,
    Move,
    Opened,
    PublicState,
    Steal,
    TableView,
    Take,
    Tried,
    TurnPhase,
    robberies,
)


class Zombie(Bot[Move, DiadingoEvent, PublicState, None]):
    """The stand-in for a player who is away: remembers nothing, and steals the dearest diamond."""

    def choose(self, view: TableView) -> Move:
        table = view.public
        if table.phase is TurnPhase.STEAL:
            value, victim = max(robberies(table.hands, table.turn))
            return Steal(value, victim)
        return Take(self.chance.pick([spot for spot in table.board if spot not in table.marked]))


class DiadingoBot(Bot[Move, DiadingoEvent, PublicState, None]):
    """Remembers where tries failed, as well as its level lets it, and weighs every theft."""

    def __init__(self, chance: Chance, *, forgets: int) -> None:
        """`forgets`: in percent, how likely each remembered spot is lost with each further try."""
        super().__init__(chance)
        self._forgets = forgets
        self._fixed: list[Spot] = []

    def see(self, event: DiadingoEvent) -> None:
        match event:
            case Opened():
                self._fixed = []
            case Tried(spot=spot, loose=loose):
                self._fixed = [
                    known for known in self._fixed if known != spot and not self._lapses()
                ]
                if not loose:
                    self._fixed.append(spot)
            case _:
                pass

    def choose(self, view: TableView) -> Move:
        table = view.public
        fixed = {*self._fixed, *table.marked}
        if table.phase is TurnPhase.STEAL:
            return weigh_theft(table, len(fixed))
        return Take(self.chance.pick([spot for spot in table.board if spot not in fixed]))

    def _lapses(self) -> bool:
        return self.chance.below(100) < self._forgets


class Careless(DiadingoBot):
    """Remembers as well as its level lets it, and steals without thinking of what it brings."""

    def __init__(self, chance: Chance, *, forgets: int, rings: int) -> None:
        """`rings`: of so many that catch its eye it steals the smallest."""
        super().__init__(chance, forgets=forgets)
        self._rings = rings

    def choose(self, view: TableView) -> Move:
        table = view.public
        if table.phase is not TurnPhase.STEAL:
            return super().choose(view)
        rings = tuple(robberies(table.hands, table.turn))
        value, victim = min(self.chance.pick(rings) for _ in range(self._rings))
        return Steal(value, victim)


def weigh_theft(table: PublicState, remembered: int) -> Steal | Decline:
    """The theft, or declining, that makes winning likeliest: the robbed player plays next, who declines plays on."""
    outlook, thief = Outlook(table, remembered), table.turn
    best: Steal | Decline = Decline()
    likeliest = outlook.of_winning(thief, table.hands, following=thief)
    for value, victim in robberies(table.hands, thief):
        hands = after_theft(table.hands, thief, value, victim)
        chance = outlook.of_winning(thief, hands, following=victim)
        if chance > likeliest:
            best, likeliest = Steal(value, victim), chance
    return best


BOTS: dict[str, Callable[[Chance], Bot[Move, DiadingoEvent, PublicState, None]]] = {
    "zombie": Zombie,
    "naive": partial(Careless, forgets=100, rings=4),
    "forgetful": partial(Careless, forgets=30, rings=1),
    "human": partial(DiadingoBot, forgets=8),
    "perfect": partial(DiadingoBot, forgets=0),
}
