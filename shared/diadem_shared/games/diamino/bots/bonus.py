"""What to want in Bonus: points, and the round's end when they are enough."""

from collections.abc import Callable, Iterator
from math import fsum

from diadem_shared.advice import Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate, Outline
from diadem_shared.games.diamino.bots.plan import Plan, Prospect, after
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.rules import GREEN_POINTS, RED_POINTS
from diadem_shared.games.diamino.scoring import FINISH, FINISH_ON_BLACK
from diadem_shared.games.diamino.terms import BONUS_HAND, RuleSet, Terms
from diadem_shared.games.diamino.verdict import Legal

WIN = 1000.0
LOST_BY_ENDING = 30.0
"""Going out while others lead only settles that they do."""
SAFE_LEAD = 10
"""Out of reach of what is not known of the others' hands."""
A_TILE = 1.0
HAND_MATTERS = 1.0
"""Points that a unit of burden costs while there is a reserve to draw better tiles from."""
TURNOVER = 0.1
"""Points that a tile is worth for bringing the end nearer."""
ENDING_TILE = 2.5
"""Points that a unit of burden costs once nothing is drawn any more."""
NEXT_TURN = 1.5
OUT_NEXT = 15.0
STILL_OPEN = 0.65
IMAGINED = 2
"""How many hands of the next player are imagined."""
WORTH_A_WORD = 5
"""Points that the next player may get, below which nothing is said of it."""
ALWAYS_WORTH = 0.8
"""How much of what the next player could take counts against leaving it open."""


class Bonus(Plan):
    unit = Unit.POINTS

    def __init__(self, now: Situation, heaviness: Callable[[str], float]) -> None:
        super().__init__(now, heaviness)
        self._next_hands: list[str] = []

    def promise(self, outline: Outline, held: int, terms: Terms) -> float:
        points = RED_POINTS * outline.reds - GREEN_POINTS * outline.greens
        laid = len(outline.squares)
        if outline.goes_out(held, terms):
            return points + (FINISH_ON_BLACK if outline.black else FINISH)
        if self._words_score:
            laid *= 2
        return points + laid * (TURNOVER if terms.reserve else ENDING_TILE)

    def worth(self, choice: Candidate) -> float:
        cover = choice.cover
        points = RED_POINTS * cover.reds - GREEN_POINTS * cover.greens
        if self._words_score:
            points += self.now.tiles.value(choice.word)
        if cover.goes_out(len(self.now.hand), self.terms):
            return points + self._of_going_out(points, on_black=cover.black)
        if self._closing:
            drawn = self.terms.draws(len(choice.left), cover.greens)
            return points - ENDING_TILE * (self.heaviness(choice.left) + A_TILE * drawn)
        turned = TURNOVER * len(cover.squares)
        return points + turned - HAND_MATTERS * self._awkwardness(choice.left)

    def gains(self, choice: Candidate) -> Iterator[Reason]:
        cover = choice.cover
        points = RED_POINTS * cover.reds
        if self._words_score:
            points += self._words_value(choice)
        yield Reason(DiaminoReason.SCORES, {"points": points})
        if cover.greens:
            others = GREEN_POINTS * cover.greens
            yield Reason(DiaminoReason.OTHERS_SCORE, {"points": others})

    def prospect(self, choice: Candidate, chance: Chance) -> Prospect:
        cover = choice.cover
        if cover.goes_out(len(self.now.hand), self.terms):
            return Prospect()
        added = 0.0
        if self._words_score:
            added += self._words_value(choice) - self.now.tiles.value(choice.word)
        board = after(self.now.table.board, cover, choice.play)
        drawn = self.terms.draws(len(choice.left), cover.greens)
        terms = Terms(RuleSet.BONUS, self.terms.reserve - drawn)
        held = ENDING_TILE * len(choice.left) if self.is_late else 0
        taken = [self._best_of(hand, board, terms, held) for hand in self._imagined(chance)]
        likely = fsum(taken) / len(taken)
        added -= ALWAYS_WORTH * likely / len(self.now.others)
        reasons: list[Reason] = []
        if not drawn and not terms.reserve:
            own = self._of_own_next_turn(board, choice.left, terms)
            added += own.value
            reasons += own.reasons
        if likely >= WORTH_A_WORD:
            reasons.append(Reason(DiaminoReason.NEXT_MAY_GET, {"points": round(likely)}))
        return Prospect(added, tuple(reasons))

    def worth_of_exchanging(self, kept: str, fresh: int) -> float:
        if self._closing:
            return -ENDING_TILE * (self.heaviness(kept) + A_TILE * fresh)
        return -HAND_MATTERS * self._awkwardness(kept)

    def standing(self, seat: Seat) -> float:
        """M-32."""
        points = self.now.table.points[seat]
        if seat == self.now.seat:
            return points - self.now.tiles.value(self.now.hand)
        return points - self.now.value_held(seat)

    def _imagined(self, chance: Chance) -> list[str]:
        """Hands of whoever plays next, the same for each play that is weighed."""
        if not self._next_hands:
            self._next_hands = self.now.imagine_hands(self.now.others[0], IMAGINED, chance)
        return self._next_hands

    def _best_of(self, hand: str, board: Board, terms: Terms, held: float) -> float:
        """What the best reply brings, which costs what is `held` here if it ends the round."""
        best = 0.0
        for reply in self.follow_ups(board, hand, terms):
            ends = reply.goes_out(len(hand), terms)
            best = max(best, self.promise(reply, len(hand), terms) + held * ends)
        return best

    @property
    def is_late(self) -> bool:
        return not self.terms.reserve

    @property
    def settled(self) -> bool:
        """By what the others' hands likely weigh, the lead is safe."""
        return self._closing and self.margin > SAFE_LEAD

    @property
    def _closing(self) -> bool:
        """The next turns will empty the reserve: from now on who holds fewer tiles is ahead."""
        return self.terms.reserve <= BONUS_HAND

    @property
    def _words_score(self) -> bool:
        return self.now.table.options.words_score

    def _words_value(self, choice: Candidate) -> int:
        """M-26, exactly: every word formed, jokers for nothing."""
        table = self.now.table
        verdict = judge(table.board, choice.play, self.now.hand, self.terms, None)
        return verdict.words_value(self.now.tiles) if isinstance(verdict, Legal) else 0

    def _awkwardness(self, kept: str) -> float:
        """How much worse these tiles are than as many of those that nobody knows yet."""
        return self.heaviness(kept) - A_TILE * len(kept)

    def _of_going_out(self, points: float, *, on_black: bool) -> float:
        """M-29, M-30, M-33: whoever goes out need not have won."""
        table, me = self.now.table, self.now.seat
        bonus = (FINISH_ON_BLACK if on_black else FINISH) + sum(
            self.now.value_held(seat) for seat in self.now.others
        )
        lead = table.points[me] + points + bonus - max(map(self.standing, self.now.others))
        return bonus + (WIN if lead > 0 else -LOST_BY_ENDING)

    def _of_own_next_turn(self, board: Board, hand: str, terms: Terms) -> Prospect:
        held = len(hand)
        follow_ups = self.follow_ups(board, hand, terms)
        laid = max((len(outline.squares) for outline in follow_ups), default=0)
        lasts = sum(outline.goes_out(held, terms) for outline in follow_ups)
        value = NEXT_TURN * laid + OUT_NEXT * (1 - (1 - STILL_OPEN) ** lasts)
        if lasts:
            return Prospect(value, (Reason(DiaminoReason.MAY_GO_OUT_NEXT, {"places": lasts}),))
        return Prospect(value, (Reason(DiaminoReason.MAY_LAY_NEXT, {"tiles": laid}),))
