"""What to want in Rummy: an empty hand before the others have one."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from diadem_shared.advice import Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.bots.choices import Candidate, Outline
from diadem_shared.games.diamino.bots.plan import Plan, Prospect, after
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import without

WIN = 1000.0
WIN_DOUBLED = 1500.0
A_TILE = 1.05
"""The burden of a tile that nobody knows yet."""
A_RED = 1.3
"""Giving back the worst tile is worth more than laying any."""
NEXT_TURN = 0.7
"""How much of what the next turn promises is still there when it comes."""
NEARLY_OUT = 6
"""With so few tiles somebody may go out any time; then dear tiles had better be gone."""
POINT_AT_RISK = 0.1
FEW_TILES = 14
MOST_GIVEN_WITH_CARE = 2
"""Of more tiles there are too many choices, and it rarely happens."""
OUT_NEXT = 4.0
OUT_NEXT_ON_BLACK = 1.0
STILL_OPEN = 0.65
"""How likely a place to go out is still there after the others' turns."""


class Rummy(Plan):
    unit = Unit.TILES

    def promise(self, outline: Outline, held: int, terms: Terms) -> float:
        if outline.goes_out(held, terms):
            return WIN_DOUBLED if outline.black else WIN
        left = held - len(outline.squares)
        drawn = terms.draws(left, outline.greens)
        return len(outline.squares) + A_RED * min(outline.reds, left + drawn) - A_TILE * drawn

    def worth(self, choice: Candidate) -> float:
        cover, held = choice.cover, len(self.now.hand)
        if cover.goes_out(held, self.terms):
            return WIN_DOUBLED if cover.black else WIN
        drawn = self.terms.draws(len(choice.left), cover.greens)
        kept = self._given(choice)
        return -self.heaviness(kept) - self._at_risk(kept) - A_TILE * drawn

    def gains(self, choice: Candidate) -> Iterator[Reason]:
        cover = choice.cover
        yield Reason(DiaminoReason.LAYS, {"tiles": len(cover.squares)})
        if drawn := self.terms.draws(len(choice.left), cover.greens):
            yield Reason(DiaminoReason.DRAWS, {"tiles": drawn})
        if given := min(cover.reds, len(choice.left) + drawn):
            yield Reason(DiaminoReason.GIVES_BACK, {"tiles": given})

    def prospect(self, choice: Candidate, chance: Chance) -> Prospect:
        """How many tiles the next turn could get rid of, and whether it could be the last."""
        cover = choice.cover
        if cover.goes_out(len(self.now.hand), self.terms):
            return Prospect()
        hand = self._given(choice)
        drawn = self.terms.draws(len(choice.left), cover.greens)
        board = after(self.now.table.board, cover, choice.play)
        likely = NEXT_TURN if drawn else 1
        following = self.of_next_turn(board, hand, self.terms.reserve - drawn)
        return following._replace(value=likely * following.value)

    def of_next_turn(self, board: Board, hand: str, reserve: int) -> Prospect:
        terms = Terms(RuleSet.RUMMY, reserve)
        follow_ups = self.follow_ups(board, hand, terms)
        if not follow_ups:
            return Prospect()
        held = len(hand)
        lasts = [outline for outline in follow_ups if outline.goes_out(held, terms)]
        most = max(
            NEXT_TURN * min(held, self.promise(outline, held, terms)) for outline in follow_ups
        )
        out = OUT_NEXT * (1 - (1 - STILL_OPEN) ** len(lasts))
        value = most + out + OUT_NEXT_ON_BLACK * any(outline.black for outline in lasts)
        if lasts:
            reason = Reason(DiaminoReason.MAY_GO_OUT_NEXT, {"places": len(lasts)})
        else:
            laid = max(len(outline.squares) for outline in follow_ups)
            reason = Reason(DiaminoReason.MAY_LAY_NEXT, {"tiles": laid})
        return Prospect(value, (reason,))

    @property
    def is_late(self) -> bool:
        return len(self.now.hand) <= FEW_TILES

    def giving(
        self, owed: int, looks_ahead: int, also: str | None = None
    ) -> Sequence[tuple[float, str]]:
        hand, board = self.now.hand, self.now.table.board
        if not looks_ahead or not 1 <= owed <= MOST_GIVEN_WITH_CARE or owed >= len(hand):
            return super().giving(owed, looks_ahead, also)
        choices = sorted(
            {"".join(given) for given in combinations(hand, owed)},
            key=lambda given: (self.heaviness(without(hand, given)), given),
        )

        def outlook(given: str) -> float:
            kept = without(hand, given)
            following = self.of_next_turn(board, kept, self.terms.reserve + len(given))
            return following.value - self.heaviness(kept)

        nothing = outlook("")
        looked_at = dict.fromkeys((*choices[:looks_ahead], *([also] if also else [])))
        weighed = [(outlook(given) - nothing, given) for given in looked_at]
        return sorted(weighed, key=lambda each: each[0], reverse=True)

    def worth_of_exchanging(self, kept: str, fresh: int) -> float:
        return -self.heaviness(kept) - self._at_risk(kept) - A_TILE * fresh

    def standing(self, seat: Seat) -> float:
        """M-24: the lowest hand value ranks first."""
        if seat == self.now.seat:
            return -self.now.tiles.value(self.now.hand)
        return -self.now.value_held(seat)

    def _at_risk(self, hand: str) -> float:
        """M-23: what is held when another goes out is that player's."""
        smallest = min(self.now.table.sizes[seat] for seat in self.now.others)
        return POINT_AT_RISK * self.now.tiles.value(hand) if smallest <= NEARLY_OUT else 0

    def _given(self, choice: Candidate) -> str:
        """What is left once the reds have taken the worst tiles (M-21)."""
        return without(choice.left, self.lighten(choice.left, choice.cover.reds))
