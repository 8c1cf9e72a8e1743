"""A bot that plays like a child: short everyday words, chosen at random."""

from diadem.chance import Chance
from diadem.game import Bot
from diadem.games.diamino.bots.burden import lighten, size_in
from diadem.games.diamino.bots.choices import Candidate, Chooser, Outline, outlines
from diadem.games.diamino.bots.everyday import known_at
from diadem.games.diamino.bots.memory import Memory
from diadem.games.diamino.bots.situation import Situation
from diadem.games.diamino.bots.verdicts import judged
from diadem.games.diamino.findings import Findings
from diadem.games.diamino.table import (
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
from diadem.games.diamino.tiles import sorted_hand

COMES_TO_MIND = 4
"""Of how many places the best is taken."""
SPELT_OUT = 3
"""Where no everyday word fits, anybody finds words of so few letters."""


class Easy(Bot[Move, DiaminoEvent, PublicState, Hand]):
    heavy = True

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self._memory = Memory()

    def see(self, event: DiaminoEvent) -> None:
        self._memory.see(event)

    def choose(self, view: TableView) -> Move:
        now = Situation(view)
        match now.table.phase:
            case TurnPhase.JUDGE:
                return judged(now)
            case TurnPhase.GIVE:
                return Give(self._dearest(now, now.table.owed))
            case _:
                return self._lay(now) or self._otherwise(now)

    def _lay(self, now: Situation) -> Lay | None:
        found = now.finder.find(now.table.board, now.hand, now.table.terms)
        everyday = self._some(now, found.among(known_at(now.table.options)))
        if everyday:
            return Lay(everyday.play)
        short = [here for here in found.found if len(here.slot.squares) <= SPELT_OUT]
        spelt = self._some(now, found.only(short))
        return Lay(spelt.play) if spelt else None

    def _some(self, now: Situation, findings: Findings) -> Candidate | None:
        """A play in the best of some places: one that goes out if it is there."""
        board, held = now.table.board, len(now.hand)
        chooser = Chooser(board, now.hand, now.finder.index, self.chance)
        places = self.chance.shuffled(outlines(board, findings))

        def liking(place: Outline) -> tuple[bool, int]:
            covered = 3 * place.reds - 2 * place.greens
            return place.goes_out(held, now.table.terms), len(place.squares) + covered

        lasts = [place for place in places if place.goes_out(held, now.table.terms)]
        for place in sorted((*lasts, *places[:COMES_TO_MIND]), key=liking, reverse=True):
            for choice in chooser.narrowed(place, [[]]):
                if not self._memory.refuses(choice.play):
                    return choice
        return None

    def _otherwise(self, now: Situation) -> Move:
        if not now.may_exchange:
            return Pass()
        return Exchange(self._dearest(now, min(now.table.reserve, (len(now.hand) + 1) // 2)))

    def _dearest(self, now: Situation, count: int) -> str:
        heaviness = size_in(now.table.options.language)
        return sorted_hand(lighten(now.hand, count, heaviness))
