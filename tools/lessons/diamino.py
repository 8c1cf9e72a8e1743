"""Diamino: everyday words, one across, one down through it, one on a red devil, one with a joker, and no word at all."""

from collections.abc import Callable, Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.games.diamino.lesson import OPTIONS, VOWELS
from diadem_shared.entries import Moved, OptionValue, Sat, Setup, Started
from diadem_shared.games.diamino.bots.vocabulary import everyday_words, known_at
from diadem_shared.games.diamino.notation import notate
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.table import Exchange, Give, Lay, Move, TurnPhase
from diadem_shared.games.diamino.tiles import TILE_SETS, sorted_hand
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.games.diamino.words import finder_of, list_of
from diadem_shared.lesson import Deal, LessonTable
from diadem_shared.match import Match, apply, open_match

ACCEPT, OBJECT, PASS = "accept", "object", "pass"
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


def _word_of(legal: Legal) -> str:
    run = legal.runs[0]
    return run.readings[0].word if run.readings else run.tiles


class Line(Struct, frozen=True):
    """How it went so far."""

    match: Match
    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    words: tuple[Legal, ...] = ()
    named: dict[str, str] = {}


class Search:
    def __init__(self, game: str, language: str, number: int) -> None:
        self._text = f"{game} {language} {number}"
        self._secret = LessonTable(self._text).secret
        self._language = language
        self._tried = 0
        match = open_match(Setup(game, {**OPTIONS, "language": language}))
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
        worst = found.mine[-1 if self._is_bonus else 6].split()[1]
        named = found.named | {"worst": " ".join(worst)}
        for number, legal in enumerate(found.words, start=1):
            named |= {
                f"word{number}": _word_of(legal),
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
            for answered in self._answers(after, stage):
                yield from self._from(answered, stage + 1)

    def _answers(self, line: Line, stage: int) -> Iterator[Line]:
        """What the other does, and what is said to it: a word, what is none and another word instead, and later nothing."""
        if stage == 0:
            for answer in self._plays(line, 1, _is_plain):
                laid = self._with(line, 1, Lay(answer.play))
                yield self._judged(laid, ACCEPT, theirs=_word_of(answer))
        elif stage == 1:
            for answer in self._nonsense(line):
                laid = self._with(line, 1, Lay(answer.play))
                refused = self._judged(laid, OBJECT, nonsense=_word_of(answer))
                for better in self._plays(refused, 1, _is_plain):
                    laid = self._with(refused, 1, Lay(better.play))
                    yield self._judged(laid, ACCEPT, again=_word_of(better))
        else:
            yield self._moved(line, 1, PASS)

    def _nonsense(self, line: Line) -> Iterator[Legal]:
        """Consonants alone, in a row."""
        state, rules = line.match.state, line.match.game
        table, hand = rules.public(state), state.hands[1]
        consonants = [tile for tile in hand if tile.isalpha() and tile not in VOWELS]
        for tiles in list(combinations(consonants, 2))[:BRANCHES]:
            for square in range(len(state.board.letters)):
                play = Play(state.board.layout.name(square), Direction.ACROSS, "".join(tiles))
                shape = judge(state.board, play, hand, table.terms, None)
                if not isinstance(shape, Legal) or len(shape.runs) != 1:
                    continue
                is_bare = VOWELS.isdisjoint(shape.runs[0].tiles) and not (
                    shape.greens or shape.reds
                )
                words = list_of(state.options)
                verdict = judge(state.board, play, hand, table.terms, words)
                if is_bare and not isinstance(verdict, Legal):
                    yield shape
                    break

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
        after = self._moved(line, seat, notate(move))
        if seat == 0 and after.match.state.phase is TurnPhase.JUDGE:
            match, _told = apply(after.match, Moved(1, ACCEPT), self._secret)  # by itself
            after = replace(after, match=match)
        return replace(after, words=(*after.words, legal)) if legal else after

    def _judged(self, line: Line, vote: str, **named: str) -> Line:
        """By the learner."""
        return replace(self._moved(line, 0, vote), named=line.named | named)

    def _moved(self, line: Line, seat: int, text: str) -> Line:
        match, _told = apply(line.match, Moved(seat, text), self._secret)
        if seat == 0:
            return replace(line, match=match, mine=(*line.mine, text))
        return replace(line, match=match, others=(*line.others, text))


def deal(game: str, number: int, language: str) -> Deal | None:
    return Search(game, language, number).deal()
