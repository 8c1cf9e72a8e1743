"""Bots that play as people at home do: everyday words, in the places where they happen to look."""

from collections.abc import Mapping

from msgspec import Struct

from diadem_shared.advice import Decision, Reason
from diadem_shared.chance import Chance
from diadem_shared.game import ReasonedBot
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate, Chooser, Outline, outlines
from diadem_shared.games.diamino.bots.hand_weight import lighten, size_in
from diadem_shared.games.diamino.bots.memory import Memory
from diadem_shared.games.diamino.bots.vocabulary import known_at
from diadem_shared.games.diamino.bots.word_check import judged
from diadem_shared.games.diamino.findings import Findings
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import (
    DiaminoEvent,
    Exchange,
    Give,
    Hand,
    Lay,
    Move,
    Pass,
    PublicState,
    TableView,
    TurnPhase,
)
from diadem_shared.games.diamino.tiles import sorted_hand


class Eye(Struct, frozen=True):
    """What a level sees."""

    places: int
    """Of how many places the best is taken."""
    longest: int
    """Letters of the longest word that comes to mind."""
    spelt_out: int
    """Where no everyday word fits, any word of so few letters is found."""
    minds_fields: bool
    """Whether red and green fields count for it."""


EASY = Eye(places=1, longest=4, spelt_out=2, minds_fields=False)


class Homely(ReasonedBot[Move, DiaminoEvent, PublicState, Hand]):
    heavy = True

    def __init__(self, chance: Chance, eye: Eye) -> None:
        super().__init__(chance)
        self._eye = eye
        self._memory = Memory()

    def see(self, event: DiaminoEvent) -> None:
        self._memory.see(event)

    def decide(self, view: TableView) -> Decision[Move]:
        now = Situation(view)
        match now.table.phase:
            case TurnPhase.JUDGE:
                return judged(now)
            case TurnPhase.GIVE:
                return self._giving(Give(self._dearest(now, now.table.owed)))
            case _:
                return self._lay(now) or self._otherwise(now)

    def _lay(self, now: Situation) -> Decision[Move] | None:
        found = now.finder.find(now.table.board, now.hand, now.table.terms)
        everyday = self._some(now, found.among(self.known(now)))
        if everyday:
            reason = Reason(DiaminoReason.COMES_TO_MIND, {"word": everyday.word})
            return Decision(Lay(everyday.play), (reason,))
        short = [here for here in found.found if len(here.slot.squares) <= self._eye.spelt_out]
        spelt = self._some(now, found.only(short))
        if spelt is None:
            return None
        return Decision(Lay(spelt.play), (Reason(DiaminoReason.SPELT_OUT, {"word": spelt.word}),))

    def known(self, now: Situation) -> Mapping[int, int]:
        """By length, one bit for each word that comes to mind."""
        words = known_at(now.table.options)
        return {length: bits for length, bits in words.items() if length <= self._eye.longest}

    def _some(self, now: Situation, findings: Findings) -> Candidate | None:
        """A play in the best of some places: one that goes out if it is there."""
        board, held = now.table.board, len(now.hand)
        chooser = Chooser(board, now.hand, now.finder.index, self.chance)
        places = self.chance.shuffled(outlines(board, findings))

        def liking(place: Outline) -> tuple[bool, int]:
            covered = 3 * place.reds - 2 * place.greens if self._eye.minds_fields else 0
            return place.goes_out(held, now.table.terms), len(place.squares) + covered

        lasts = [place for place in places if place.goes_out(held, now.table.terms)]
        for place in sorted((*lasts, *places[: self._eye.places]), key=liking, reverse=True):
            for choice in chooser.narrowed(place, [[]]):
                if not self._memory.refuses(choice.play):
                    return choice
        return None

    def _otherwise(self, now: Situation) -> Decision[Move]:
        unseen = Reason(DiaminoReason.NO_WORD_SEEN)
        if not now.may_exchange:
            return Decision(Pass(), (unseen,))
        count = min(now.table.reserve, (len(now.hand) + 1) // 2)
        return Decision(Exchange(self._dearest(now, count)), (unseen,))

    def _giving(self, give: Give) -> Decision[Move]:
        return Decision(give, (Reason(DiaminoReason.GIVES_UP, {"tiles": give.tiles}),))

    def _dearest(self, now: Situation, count: int) -> str:
        heaviness = size_in(now.table.options.language)
        return sorted_hand(lighten(now.hand, count, heaviness))
