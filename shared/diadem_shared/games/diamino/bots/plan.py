"""How a bot values plays: a plan for each rule set."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from diadem_shared.advice import Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate, Cover, Outline, outlines
from diadem_shared.games.diamino.bots.hand_weight import lighten
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.terms import Terms
from diadem_shared.games.diamino.tiles import without

LIGHT, HEAVY = 0.95, 1.1
"""What a tile of a hand weighs on average, where people would call the hand so."""


class Prospect(NamedTuple):
    """What may follow a play."""

    value: float = 0.0
    reasons: tuple[Reason, ...] = ()


class Plan(ABC):
    """Worths are about points in Bonus and tiles in Rummy; only their order matters."""

    unit: Unit

    def __init__(self, now: Situation, heaviness: Callable[[str], float]) -> None:
        self.now = now
        self.heaviness = heaviness
        self.terms = now.table.terms

    @abstractmethod
    def promise(self, outline: Outline, held: int, terms: Terms) -> float:
        """What a slot is worth before its letters are known."""

    @abstractmethod
    def worth(self, choice: Candidate) -> float:
        """What a play is worth by itself."""

    @abstractmethod
    def prospect(self, choice: Candidate, chance: Chance) -> Prospect:
        """What to add for what may follow it, which takes another search to say."""

    @abstractmethod
    def gains(self, choice: Candidate) -> Iterator[Reason]:
        """What a play brings at once."""

    @abstractmethod
    def worth_of_exchanging(self, kept: str, fresh: int) -> float:
        """What it is worth to go on with some tiles and as many fresh ones; none fresh is a pass."""

    @abstractmethod
    def standing(self, seat: Seat) -> float:
        """How a seat would likely rank if the round were blocked now, more being better."""

    @property
    @abstractmethod
    def is_late(self) -> bool:
        """Whether few tiles are held, and none will be drawn unasked."""

    def giving(
        self, owed: int, looks_ahead: int, also: str | None = None
    ) -> Sequence[tuple[float, str]]:
        """What may be given back for reds (M-21), best first, looking at where so many choices lead and `also` these tiles;
        with what each is worth against giving nothing."""
        hand = self.now.hand
        choices = dict.fromkeys((self.lighten(hand, owed), *([also] if also else [])))
        return [
            (self.heaviness(hand) - self.heaviness(without(hand, given)), given)
            for given in choices
        ]

    def reasons(self, choice: Candidate, ahead: Prospect) -> tuple[Reason, ...]:
        cover, word = choice.cover, Reason(DiaminoReason.WORD, {"word": choice.word})
        if cover.goes_out(len(self.now.hand), self.terms):
            black = cover.black
            code = DiaminoReason.GOES_OUT_ON_BLACK if black else DiaminoReason.GOES_OUT
            return (word, Reason(code), *self.gains(choice))
        return (word, *self.gains(choice), *self.kept(choice.left), *ahead.reasons)

    def kept(self, hand: str) -> Iterator[Reason]:
        if hand:
            weight = self.heaviness(hand) / len(hand)
            named = "light" if weight < LIGHT else "heavy" if weight > HEAVY else "even"
            yield Reason(DiaminoReason.KEEPS, {"tiles": hand, "hand": named})

    @property
    def settled(self) -> bool:
        """Whether it is best to let the round end here though more could be laid."""
        return False

    @property
    def margin(self) -> float:
        """By how much this seat would be ahead if the round were blocked now."""
        return self.standing(self.now.seat) - max(map(self.standing, self.now.others))

    def follow_ups(self, board: Board, hand: str, terms: Terms) -> list[Outline]:
        return outlines(board, self.now.finder.find(board, hand, terms))

    def lighten(self, hand: str, count: int) -> str:
        return lighten(hand, count, self.heaviness)


def after(board: Board, cover: Cover, play: Play) -> Board:
    return board.with_tiles(dict(zip(cover.squares, play.tiles, strict=True)))
