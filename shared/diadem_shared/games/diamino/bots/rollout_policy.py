"""A player that takes a millisecond for a move, so that whole rounds can be played out in thought: it lays in the place
that promises most, one word, and looks no further."""

from collections.abc import Iterator
from itertools import islice

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.board import EMPTY, FieldKind
from diadem_shared.games.diamino.bots.choices import Candidate, Chooser, cover_of, outline_of
from diadem_shared.games.diamino.bots.going_out import can_go_out
from diadem_shared.games.diamino.bots.hand_weight import burden, burden_in, lighten, weights
from diadem_shared.games.diamino.rules import GREEN_POINTS, RED_POINTS
from diadem_shared.games.diamino.slots import Slot
from diadem_shared.games.diamino.table import Exchange, Give, Lay, Move, Pass, State, TurnPhase
from diadem_shared.games.diamino.terms import BONUS_HAND, RuleSet, Terms
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand
from diadem_shared.games.diamino.words import finder_of

PLACES = 2
"""How many places it makes a word for."""
OUT = 1000.0
OUT_ON_BLACK = 1500.0
MOST_LAID = 15
"""Tiles that one play can lay: who holds more cannot go out."""
FEW_TILES = 7
"""Jokers are searched with at once in a hand of so few; in others only where nothing fits without them."""
A_RED, A_GREEN = 1.3, -1.05
"""Rummy: tiles that a field is worth."""
MOST_GIVEN = 3
"""Tiles that may be left and still go back for reds, which ends a round of Rummy."""
A_TILE, A_TILE_CLOSING, A_TILE_LATE = 0.3, 1.5, 2.5
"""Bonus: points that a laid tile is worth, while there is a reserve, while it runs out, and after."""
A_LETTER = 1.5
"""Points it brings where words score."""
NOT_WORTH_IT = -3.0
"""Points that a place has to bring while tiles can be exchanged instead."""


class Quick:
    """What this player does in a state of which it is shown all."""

    def __init__(self, rules: RuleSet, chance: Chance) -> None:
        self._rules = rules
        self._chance = chance

    def move(self, state: State) -> Move:
        if state.phase is TurnPhase.GIVE:
            hand = state.hands[state.turn]
            worst = lighten(hand, state.owed, burden_in(state.options.language))
            return Give(sorted_hand(worst))
        best = max(
            self.plays(state, PLACES),
            key=lambda each: each[0] - burden(each[1].left, state.options.language),
            default=None,
        )
        return Lay(best[1].play) if best else self.instead(state)

    def plays(self, state: State, places: int) -> Iterator[tuple[float, Candidate]]:
        """One in each of the most promising places, with what those promise."""
        hand = state.hands[state.turn]
        letters = hand.replace(JOKER, "")
        tried = [hand] if len(hand) <= FEW_TILES or letters == hand else [letters, hand]
        if len(tried) > 1 and self._may_go_out(state):
            tried = [hand]
        for tiles in tried:
            plays = list(self._with(state, tiles, places))
            if plays:
                yield from plays
                return

    def _may_go_out(self, state: State) -> bool:
        """With jokers, which is not found without them."""
        hand, terms = state.hands[state.turn], Terms(self._rules, len(state.reserve))
        if len(hand) > MOST_LAID or self._rules is not RuleSet.RUMMY:
            return False
        return can_go_out(state.board, hand, terms, finder_of(state.options))

    def _with(self, state: State, tiles: str, places: int) -> Iterator[tuple[float, Candidate]]:
        hand, terms = state.hands[state.turn], Terms(self._rules, len(state.reserve))
        promise = _Promise(state, terms, len(hand))
        finder = finder_of(state.options)
        chooser = Chooser(state.board, hand, finder.index, self._chance)
        orders = chooser.orders(weights(state.options.language).__getitem__, 1)
        for found in islice(finder.best_first(state.board, tiles, terms, promise.of), places):
            worth = promise.of(found.slot)
            if terms.rules is RuleSet.BONUS and terms.reserve and worth < NOT_WORTH_IT:
                return
            for choice in islice(chooser.narrowed(outline_of(state.board, found), orders), 1):
                # A hand searched without its jokers does not empty the real one.
                if not choice.cover.black or choice.cover.empties(len(hand)):
                    yield worth, choice
            if worth >= OUT:
                return

    def instead(self, state: State) -> Move:
        hand, reserve = state.hands[state.turn], len(state.reserve)
        if not reserve or state.refused:
            return Pass()
        count = min(reserve, max(1, len(hand) // 2))
        return Exchange(sorted_hand(lighten(hand, count, burden_in(state.options.language))))


class _Promise:
    """What places are worth, before a word is known."""

    def __init__(self, state: State, terms: Terms, held: int) -> None:
        self._terms = terms
        self._held = held
        self._board = state.board
        a_tile, red, green = 1.0, A_RED, A_GREEN if terms.reserve else 0.0
        if terms.rules is RuleSet.BONUS:
            red, green = RED_POINTS, -GREEN_POINTS
            closing = A_TILE_CLOSING if terms.reserve <= BONUS_HAND else A_TILE
            a_tile = closing if terms.reserve else A_TILE_LATE
            a_tile += A_LETTER * state.options.words_score
        more: dict[str, float] = {FieldKind.RED: a_tile + red, FieldKind.GREEN: a_tile + green}
        self._worths = [
            more.get(field, a_tile) if letter == EMPTY else 0.0
            for field, letter in zip(state.board.layout.fields, state.board.letters, strict=True)
        ]

    def of(self, slot: Slot) -> float:
        squares = slot.squares
        worth = sum(self._worths[squares.start : squares.stop : squares.step])
        left = self._held - len(squares) + len(slot.letters)
        return worth + self._of_going_out(squares) if left <= MOST_GIVEN else worth

    def _of_going_out(self, squares: range) -> float:
        cover = cover_of(self._board, [at for at in squares if self._board.letters[at] == EMPTY])
        if not cover.goes_out(self._held, self._terms):
            return 0.0
        return OUT_ON_BLACK if cover.black else OUT
