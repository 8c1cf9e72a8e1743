"""Diamino: everyday words alone, one across, one down through it, one on a red devil, one with a joker."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from diadem.entries import Moved, OptionValue, Sat, Setup, Started
from diadem.games.diamino.bots.everyday import everyday_words, known_at
from diadem.games.diamino.notation import notate
from diadem.games.diamino.placing import judge
from diadem.games.diamino.play import Direction
from diadem.games.diamino.table import Exchange, Give, Lay, Move, TurnPhase
from diadem.games.diamino.tiles import TILE_SETS, sorted_hand
from diadem.games.diamino.verdict import Legal
from diadem.games.diamino.words import finder_of, list_of
from diadem.lesson import LessonTable
from diadem.match import Match, apply, open_match
from diadem_client.state.coach import Deal

BRANCHES = 3
"""Plays that are tried in one position."""
MOST_TRIED = 60
EXCHANGED = 3


class Wanted(Struct, frozen=True):
    """What a play of the lesson has to be."""

    name: str
    suits: Callable[[Legal], bool]


def _is_plain(legal: Legal) -> bool:
    return not legal.greens and not legal.reds and legal.play.tiles.isupper()


def _goes_down(legal: Legal) -> bool:
    return legal.play.direction is Direction.DOWN and len(legal.runs) == 1


OPENING = Wanted(
    "opening",
    lambda it: _is_plain(it) and len(it.play.tiles) == 4 and it.play.direction == "across",
)
CROSSING = Wanted("crossing", lambda it: _is_plain(it) and _goes_down(it) and _crosses(it))
ON_RED = Wanted(
    "red", lambda it: bool(it.reds) and not it.greens and it.play.tiles.isupper() and _goes_down(it)
)
JOKER = Wanted(
    "joker",
    lambda it: not it.greens and not it.reds and not it.play.tiles.isupper() and _goes_down(it),
)
STAGES = (OPENING, CROSSING, ON_RED, JOKER)


def _crosses(legal: Legal) -> bool:
    return len(legal.runs[0].tiles) > len(legal.play.tiles) and len(legal.play.tiles) > 1


class Line(Struct, frozen=True):
    """How it went so far."""

    match: Match
    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    words: tuple[Legal, ...] = ()


class Search:
    def __init__(self, game: str, language: str, number: int) -> None:
        self._text = f"{game} {language} {number}"
        self._secret = LessonTable(self._text).secret
        self._language = language
        self._tried = 0
        match = open_match(Setup(game, {"language": language}))
        for entry in (Sat("Ana"), Sat("Bea", "easy"), Started()):
            match, _told = apply(match, entry, self._secret)
        self._begun = Line(match)

    def deal(self) -> Deal | None:
        state = self._begun.match.state
        if state.turn or "*" not in state.hands[0]:
            return None
        found = next(self._from(self._begun, 0), None)
        if found is None:
            return None
        named = {"worst": " ".join(found.mine[-1 if self._is_bonus else 3].split()[1])}
        for number, legal in enumerate(found.words, start=1):
            run = legal.runs[0]
            named |= {
                f"word{number}": run.readings[0].word,
                f"field{number}": legal.play.start,
                f"tiles{number}": legal.play.tiles.upper(),
            }
        named["joker"] = next(each for each in found.words[-1].play.tiles if each.islower()).upper()
        options: dict[str, OptionValue] = {"language": self._language}
        return Deal(LessonTable(self._text, found.others), found.mine, named, options)

    @property
    def _is_bonus(self) -> bool:
        return self._begun.match.game.name == "diamino-bonus"

    def _from(self, line: Line, stage: int) -> Iterator[Line]:
        state = line.match.state
        if stage == len(STAGES):
            tiles = self._worst(state.hands[0])[:EXCHANGED]
            yield self._with(line, 0, Exchange(sorted_hand(tiles)))
            return
        for legal in self._plays(line, 0, STAGES[stage].suits, joker=STAGES[stage] is JOKER):
            after = self._with(line, 0, Lay(legal.play), legal)
            if after.match.state.phase is TurnPhase.GIVE:
                after = self._with(after, 0, Give(self._worst(after.match.state.hands[0])[0]))
            if stage == len(STAGES) - 1 and not self._is_bonus:
                yield after
                continue
            for answer in self._plays(after, 1, _is_plain):
                yield from self._from(self._with(after, 1, Lay(answer.play)), stage + 1)

    def _plays(
        self, line: Line, seat: int, suits: Callable[[Legal], bool], *, joker: bool = False
    ) -> list[Legal]:
        self._tried += 1
        if self._tried > MOST_TRIED:
            return []
        state, rules = line.match.state, line.match.game
        hand = state.hands[seat] if joker else state.hands[seat].replace("*", "")
        table, words = rules.public(state), {*everyday_words(self._language)}
        known = known_at(state.options)
        findings = finder_of(state.options).find(state.board, hand, table.terms)
        found: list[Legal] = []
        for play in findings.among({length: bits for length, bits in known.items() if length > 2}):
            verdict = judge(
                state.board, play, state.hands[seat], table.terms, list_of(state.options)
            )
            if not isinstance(verdict, Legal) or not suits(verdict):
                continue
            if all(
                len(run.readings) == 1 and run.readings[0].way != "up" for run in verdict.runs
            ) and all(run.readings[0].word in words for run in verdict.runs):
                found.append(verdict)
            if len(found) == BRANCHES * 2:
                break
        return sorted(found, key=lambda each: abs(len(each.play.tiles) - 3))[:BRANCHES]

    def _worst(self, hand: str) -> str:
        value = TILE_SETS[self._language].value
        return "".join(sorted(hand.replace("*", ""), key=value, reverse=True))

    def _with(self, line: Line, seat: int, move: Move, legal: Legal | None = None) -> Line:
        text = notate(move)
        match, _told = apply(line.match, Moved(seat, text), self._secret)
        return Line(
            match,
            (*line.mine, text) if seat == 0 else line.mine,
            (*line.others, text) if seat else line.others,
            (*line.words, legal) if legal else line.words,
        )


def deal(game: str, number: int, language: str) -> Deal | None:
    return Search(game, language, number).deal()
