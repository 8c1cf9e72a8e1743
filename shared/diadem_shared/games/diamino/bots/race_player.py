"""How the master plays Rummy while nobody else is near the end: the best place by who would be out first, looking at what
the others may answer."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum

from msgspec import Struct

from diadem_shared.advice import Decision, Reason
from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.bots import race_model
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate
from diadem_shared.games.diamino.bots.give_back import Gifts
from diadem_shared.games.diamino.bots.going_out import (
    can_go_out,
    finishing,
    most_laid,
    words_with_all,
    worth_of,
)
from diadem_shared.games.diamino.bots.hand_weight import burden, lighten
from diadem_shared.games.diamino.bots.plan import after
from diadem_shared.games.diamino.bots.player import DiaminoBot
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.bots.simulation import FEW_TO_KEEP, Simulation, imagined
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import Lay, Move, State, TableView, TurnPhase
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import without

PLACES = 32
WITHIN = 8.0
"""Of so many places the best play is looked at, as long as it is worth but so many tiles less than the best of all."""
FINISHING = 8
"""Besides so many plays after which the next may be the last."""
FLEXIBLE = 6
SAMPLED = 300
LONGEST = 14
"""And so many, of so many at first sight, that leave at most so many tiles, all of them in many words."""
HANDS = 3
"""Hands that the next player may hold, for a first look at each place."""
LOOKED_AT = 8
"""Of how many plays the answers are looked at."""
A_CUT = 5
"""After so many deals, and again and again, the worse half of them is given up, as long as there are more than two."""
MOVES = 200
"""The most moves made in thought for a decision."""
BURDEN = 0.004
"""By so much a chance to win is less for each tile's burden that is kept: of two alike the lighter hand."""
WITHOUT_PLACE = 0.85
"""What is left of the chance that somebody with few tiles goes out after my next play, if they could not before it. No less:
what they hold here is dealt, and they have chosen what to keep."""


class Runner(Struct):
    """A play, and how it fares."""

    choice: Candidate
    bonus: float
    """For the hand it leaves."""
    chances: list[float]
    """That I am out first: at first sight, and then by what the others may answer."""

    @property
    def worth(self) -> float:
        return fsum(self.chances) / len(self.chances) + self.bonus


class Racer:
    def __init__(
        self, view: TableView, strong: DiaminoBot, choices: Sequence[tuple[float, Candidate]]
    ) -> None:
        """`choices`: many plays with what each is worth by itself, best first."""
        self._view = view
        self._now = Situation(view)
        self._strong = strong
        self._choices = choices
        self._simulation = Simulation(RuleSet.RUMMY, self._now.seat)
        self._gifts = Gifts(self._now)

    def decide(self, seed: bytes) -> Decision[Move]:
        """The same deals for each play, so that what is luck is luck for all of them."""
        runners, deal = self._runners(seed), 0
        while len(runners) > 1 and self._simulation.moves < MOVES:
            state = imagined(self._now, Chance(seed, f"deal {deal}"))
            for runner in runners:
                chance = Chance(seed, f"answer {deal}")
                likely = self._after_answers(state, runner.choice, chance)
                runner.chances = [*runner.chances, likely] if deal else [likely]
            runners.sort(key=lambda each: each.worth, reverse=True)
            deal += 1
            if deal % A_CUT == 0:
                runners = runners[: max(2, (len(runners) + 1) // 2)]
        best = runners[0]
        told = self._strong.looked_at(self._view, best.choice)
        percent = round(100 * fsum(best.chances) / len(best.chances))
        return Decision(
            told.move, (*told.reasons, Reason(DiaminoReason.PLAYED_ON, {"percent": percent}))
        )

    def _runners(self, seed: bytes) -> list[Runner]:
        """The best at first sight: what the next player could lay then, and what I could lay after that."""
        now, size = self._now, self._now.table.sizes[self._now.others[0]]
        deals = (imagined(now, Chance(seed, f"hand {nth}")) for nth in range(HANDS))
        hands = [state.hands[now.others[0]] for state in deals]
        runners = []
        for likely, choice in self._considered():
            there, reserve, kept, held = self._left_by(choice)
            terms = Terms(RuleSet.RUMMY, reserve)
            mine_laid, *laid = most_laid(there, [kept, *hands], terms, now.finder)
            others = [race_model.course(size, float(many >= size), many) for many in laid]
            mine = race_model.course(held, likely, min(mine_laid, held))
            chances = [race_model.wins(mine, [other], to_move=False) for other in others]
            bonus = -BURDEN * burden(kept, now.table.options.language)
            runners.append(Runner(choice, bonus, chances))
        return sorted(runners, key=lambda each: each.worth, reverse=True)[:LOOKED_AT]

    def _considered(self) -> Iterator[tuple[float, Candidate]]:
        """The best play of each of the best places, and such that may be the last but one, with how likely that is."""
        now, choices = self._now, self._choices
        found = finishing(now.table.board, now.hand, now.table.terms, now.finder.index, choices)
        finishes = {each.choice.play: each for each in found}
        best = sorted(finishes.values(), key=worth_of, reverse=True)
        plays = [
            *_one_a_place(choices),
            *(each.choice for each in best[:FINISHING]),
            *self._most_words(),
        ]
        for choice in {each.play: each for each in plays}.values():
            finish = finishes.get(choice.play)
            yield finish.likely if finish else 0.0, choice

    def _most_words(self) -> Sequence[Candidate]:
        """Of the best plays those that leave a hand of which all is in many words."""
        index = self._now.finder.index
        found = []
        for worth, choice in self._choices[:SAMPLED]:
            left, given = choice.left, choice.cover.reds
            if len(left) - given <= LONGEST and not choice.cover.greens and given <= 1:
                hands = {without(left, tile) for tile in left} if given else {left}
                if words := max(words_with_all(hand, index) for hand in hands):
                    found.append((words, worth, choice))
        found.sort(key=lambda each: each[:2], reverse=True)
        return [choice for _, _, choice in found[:FLEXIBLE]]

    def _left_by(self, choice: Candidate) -> tuple[Board, int, str, int]:
        """The board, the reserve, what is kept of my hand, and how many tiles that is with those drawn."""
        now, cover, left = self._now, choice.cover, choice.left
        drawn = now.table.terms.draws(len(left), cover.greens)
        given = min(cover.reds, len(left) + drawn)
        reserve = now.table.reserve - drawn + given
        kept = without(left, lighten(left, min(given, len(left)), self._burden))
        there = after(now.table.board, cover, choice.play)
        return there, reserve, kept, len(left) + drawn - given

    def _burden(self, hand: str) -> float:
        return burden(hand, self._now.table.options.language)

    def _after_answers(self, state: State, choice: Candidate, chance: Chance) -> float:
        """How likely I am out first, once the others have answered a play quickly."""
        me = self._now.seat
        laid = self._simulation.after(state, Lay(choice.play), chance)
        state = self._gifts.after(self._simulation, laid, chance)
        player = Quick(RuleSet.RUMMY, chance)
        while state.phase is not TurnPhase.OVER and state.turn != me:
            state = self._simulation.after(state, player.move(state), chance)
        if state.phase is TurnPhase.OVER:
            return float(not state.hands[me])
        held, terms = len(state.hands[me]), Terms(RuleSet.RUMMY, len(state.reserve))
        (most,) = most_laid(state.board, [state.hands[me]], terms, self._now.finder)
        mine = race_model.course(held, float(most >= held), most)
        return race_model.wins(
            mine, [self._course_of(seat, state) for seat in self._now.others], to_move=True
        )

    def _course_of(self, seat: Seat, state: State) -> Sequence[float]:
        hand = state.hands[seat]
        out = race_model.likely_out(len(hand))
        if len(hand) <= FEW_TO_KEEP:
            terms = Terms(RuleSet.RUMMY, len(state.reserve))
            if not can_go_out(state.board, hand, terms, self._now.finder):
                out *= WITHOUT_PLACE
        return race_model.course(len(hand), out, race_model.usually_laid(len(hand)))


def _one_a_place(choices: Iterable[tuple[float, Candidate]]) -> Iterator[Candidate]:
    """The best of each place, best first."""
    seen: set[tuple[int, ...]] = set()
    best = None
    for worth, choice in choices:
        best = worth if best is None else best
        if len(seen) == PLACES or worth < best - WITHIN:
            return
        if choice.cover.squares not in seen:
            seen.add(choice.cover.squares)
            yield choice
