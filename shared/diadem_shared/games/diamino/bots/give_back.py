"""Rummy: what is given back for reds, with the next play in mind."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.going_out import lines_to_go_out, words_with_all
from diadem_shared.games.diamino.bots.hand_weight import burden
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.bots.simulation import Simulation
from diadem_shared.games.diamino.table import Give, State, TurnPhase
from diadem_shared.games.diamino.terms import Terms
from diadem_shared.games.diamino.tiles import sorted_hand, without

MOST = 2
"""Of more tiles there are too many choices, and it rarely happens."""
LOOKED_AT = 80
"""Of so many gifts, the heaviest, it is looked at what they leave."""


class Gifts:
    """Those of one seat, each looked for once."""

    def __init__(self, now: Situation) -> None:
        self._now = now
        self._found: dict[tuple[Board, str], Give | None] = {}

    def best(self, board: Board, hand: str, owed: int, reserve: int) -> Give | None:
        """What leaves a hand that can be laid at once, in as many rows and columns as can be, or else one that is whole in as
        many words as can be; None if nothing does."""
        key = board, hand
        if key not in self._found:
            self._found[key] = self._best(board, hand, owed, reserve)
        return self._found[key]

    def after(self, simulation: Simulation, state: State, chance: Chance) -> State:
        """The state of the table once this seat has given back what it may, right after its own play."""
        if state.phase is not TurnPhase.GIVE:
            return state
        hand = state.hands[state.turn]
        best = self.best(state.board, hand, state.owed, len(state.reserve))
        return simulation.after(state, best or Quick(simulation.rules, chance).move(state), chance)

    def _best(self, board: Board, hand: str, owed: int, reserve: int) -> Give | None:
        if owed > MOST or owed >= len(hand):
            return None
        later = Terms(self._now.table.rules, reserve + owed)
        kept = {without(hand, gift): gift for gift in self._heaviest(hand, owed)}
        index, best, most = self._now.finder.index, None, 0
        for left, lines in lines_to_go_out(board, kept, len(hand) - owed, later, index):
            if lines > most:
                best, most = Give(sorted_hand(kept[left])), lines
        return best or self._most_words(kept)

    def _most_words(self, kept: Mapping[str, str]) -> Give | None:
        index = self._now.finder.index
        words = {left: words_with_all(left, index) for left in kept}
        left = max(kept, key=words.__getitem__)
        return Give(sorted_hand(kept[left])) if words[left] else None

    def _heaviest(self, hand: str, owed: int) -> Iterator[str]:
        language = self._now.table.options.language
        gifts = {"".join(given) for given in combinations(hand, owed)}
        yield from sorted(gifts, key=lambda gift: (burden(without(hand, gift), language), gift))[
            :LOOKED_AT
        ]
