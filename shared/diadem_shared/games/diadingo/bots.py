"""Artificial players for Diadingo. docs/games/diadingo.md says how they think."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from diadem_shared.advice import Decision, Evaluation, Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Adviser, Bot, ReasonedBot
from diadem_shared.games.diadingo.board import Spot
from diadem_shared.games.diadingo.outlook import Outlook
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diadingo.rules import after_theft
from diadem_shared.games.diadingo.table import (
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


class Zombie(ReasonedBot[Move, DiadingoEvent, PublicState, None]):
    """The stand-in for a player who is away: remembers nothing, and steals the dearest diamond."""

    def decide(self, view: TableView) -> Decision[Move]:
        table = view.public
        if table.phase is TurnPhase.STEAL:
            value, victim = max(robberies(table.hands, table.turn))
            return Decision(Steal(value, victim), (Reason(DiadingoReason.DEAREST_RING),))
        spot = self.chance.pick([spot for spot in table.board if spot not in table.marked])
        return Decision(Take(spot), (Reason(DiadingoReason.REMEMBERS_NOTHING),))


class DiadingoBot(Adviser[Move, DiadingoEvent, PublicState, None]):
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

    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        table = view.public
        fixed = {*self._fixed, *table.marked}
        if table.phase is TurnPhase.STEAL:
            thefts = weigh_theft(table, len(fixed))
            return [each for place, each in enumerate(thefts) if place < most or each.move == also]
        return self._tries(table, fixed, most, also.spot if isinstance(also, Take) else None)

    def came_of(self, view: TableView, move: Move, events: Sequence[DiadingoEvent]) -> float | None:
        ring, at_stake = _stakes(view.public)
        tried = (event.loose for event in events if isinstance(event, Tried))
        return next((float(ring if loose else -at_stake) for loose in tried), None)

    def _tries(
        self, table: PublicState, fixed: Collection[Spot], most: int, also: Spot | None
    ) -> list[Evaluation[Move]]:
        """Those spots first of which nothing is known: one is as good as the other, so chance picks them."""
        ring, at_stake = _stakes(table)
        untried = [spot for spot in table.board if spot not in fixed]
        proved = [spot for spot in table.board if spot in fixed]
        loose = table.loose / len(untried)
        about = {"loose": table.loose, "spots": len(untried), "percent": round(100 * loose)}
        reasons = [Reason(DiadingoReason.UNTRIED, {**about})]
        if proved:
            reasons.append(Reason(DiadingoReason.AVOIDED, {"spots": proved}))
        if at_stake and loose < 1:
            reasons.append(Reason(DiadingoReason.RING_AT_STAKE, {"value": ring}))
        worth = ring * loose - at_stake * (1 - loose)
        picked = [
            untried.pop(self.chance.below(len(untried))) for _ in range(min(most, len(untried)))
        ]
        avoided = proved[: most - len(picked)]
        if also in untried:
            picked.append(also)
        elif also in proved and also not in avoided:
            avoided.append(also)
        known = (Reason(DiadingoReason.KNOWN_FIXED),)
        return [
            *(Evaluation(Take(spot), worth, Unit.DOLLARS, tuple(reasons)) for spot in picked),
            *(Evaluation(Take(spot), -float(at_stake), Unit.DOLLARS, known) for spot in avoided),
        ]

    def _lapses(self) -> bool:
        return self.chance.below(100) < self._forgets


class Careless(DiadingoBot):
    """Remembers as well as its level lets it, and steals without thinking of what it brings."""

    def __init__(self, chance: Chance, *, forgets: int, rings: int) -> None:
        """`rings`: of so many that catch its eye it steals the smallest."""
        super().__init__(chance, forgets=forgets)
        self._rings = rings

    def decide(self, view: TableView) -> Decision[Move]:
        table = view.public
        if table.phase is not TurnPhase.STEAL:
            return super().decide(view)
        rings = tuple(robberies(table.hands, table.turn))
        value, victim = min(self.chance.pick(rings) for _ in range(self._rings))
        reason = Reason(DiadingoReason.CAUGHT_ITS_EYE, {"rings": self._rings})
        return Decision(Steal(value, victim), (reason,))


def _stakes(table: PublicState) -> tuple[int, int]:
    """What a try may bring, and what it may cost."""
    ring = table.card if isinstance(table.card, int) else 0
    return ring, ring if table.options.scoring == "professional" else 0


def weigh_theft(table: PublicState, remembered: int) -> list[Evaluation[Move]]:
    """Each theft, and declining, by how likely it makes winning: the robbed player plays next, who declines plays on."""
    outlook, thief = Outlook(table, remembered), table.turn
    declining = outlook.of_winning(thief, table.hands, following=thief)
    plays_on = (Reason(DiadingoReason.PLAYS_ON),)
    weighed: list[Evaluation[Move]] = [Evaluation(Decline(), declining, Unit.CHANCE, plays_on)]
    for value, victim in robberies(table.hands, thief):
        hands = after_theft(table.hands, thief, value, victim)
        chance = outlook.of_winning(thief, hands, following=victim)
        reasons = _for_theft(table, Steal(value, victim))
        weighed.append(Evaluation(Steal(value, victim), chance, Unit.CHANCE, reasons))
    return sorted(weighed, key=lambda each: each.value, reverse=True)


def _for_theft(table: PublicState, theft: Steal) -> tuple[Reason, ...]:
    professional = table.options.scoring == "professional"
    gain = theft.value * 2 if professional else theft.value
    reasons = [Reason(DiadingoReason.THEFT_BRINGS, {"gain": gain, "seat": theft.victim})]
    scores = {
        seat: hand.score(table.options)
        for seat, hand in enumerate(table.hands)
        if seat != table.turn
    }
    if len(scores) > 1 and scores[theft.victim] == max(scores.values()):
        reasons.append(Reason(DiadingoReason.ROBS_LEADER, {"seat": theft.victim}))
    reasons.append(Reason(DiadingoReason.ROBBED_IS_NEXT, {"seat": theft.victim}))
    if table.thefts_to_come:
        reasons.append(Reason(DiadingoReason.THEFTS_TO_COME, {"thefts": table.thefts_to_come}))
    return tuple(reasons)


BOTS: dict[str, Callable[[Chance], Bot[Move, DiadingoEvent, PublicState, None]]] = {
    "zombie": Zombie,
    "naive": partial(Careless, forgets=100, rings=4),
    "forgetful": partial(Careless, forgets=30, rings=1),
    "human": partial(DiadingoBot, forgets=8),
    "perfect": partial(DiadingoBot, forgets=0),
}
