"""A puzzle for each day: a position from a game among bots, in which one move is clearly better than the others.

All of it follows from the day and the language of the words, so everybody who plays by the same rules gets the same one,
without a server.
"""

import copy
from collections.abc import Generator, Iterator, Sequence
from datetime import date
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from diadem_shared.advice import Evaluation, Unit
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.game import AnyAdviser, AnyGame, PuzzleSource, Seat, View
from diadem_shared.games import GAMES
from diadem_shared.match import Match
from diadem_shared.playout import Step, play_out
from diadem_shared.refusals import RefusalError

MOST_COMPARED = 8
LEAST_CHOICE = 3
"""Moves to choose from; of two every second guess is right."""
CLEARLY = {Unit.CHANCE: 0.04, Unit.POINTS: 4.0, Unit.TILES: 1.5, Unit.DOLLARS: 500.0}
"""By how much the solution is better than what is no solution."""
AS_GOOD = {Unit.CHANCE: 0.005, Unit.POINTS: 0.75, Unit.TILES: 0.2, Unit.DOLLARS: 1.0}
"""What is worse by no more than that solves it, too."""
MOST_SOLUTIONS = 2
OBVIOUS_TO = 2
"""So many of the weakest levels do not find the solution; the strongest one may."""
TAKE_TURNS = ("diamoniak", "diamino-bonus", "piratatak", "diamino-rummy", "diadingo")
"""The games of the first puzzles, day by day. No game is added here: that would change the puzzles of all days."""
MOST_MATCHES = 1_000
"""In which a puzzle is looked for. Of the games there are, one is found within some ten."""


class Puzzle(Struct, frozen=True):
    setup: Setup
    secret: bytes
    steps: tuple[Step, ...]
    """What led to the position."""
    seat: Seat
    """Whose move is asked for."""
    best: tuple[Evaluation[Any], ...]
    """The best moves that are known, best first."""
    adviser: AnyAdviser
    """Who has seen what that seat has seen."""

    @property
    def solutions(self) -> list[Any]:
        """The moves that are as good as the best."""
        return [each.move for each in self.best if Attempt(each, self.best[0]).solves]

    @property
    def match(self) -> Match:
        return self.steps[-1].match

    @property
    def view(self) -> View[Any, Any]:
        return self.match.game.view(self.match.state, self.seat)


class Attempt(Struct, frozen=True):
    """A move that somebody has tried."""

    made: Evaluation[Any]
    best: Evaluation[Any]
    """The best one, which may be the same."""

    @property
    def solves(self) -> bool:
        return self.best.value - self.made.value <= AS_GOOD[self.best.unit]


class NoPuzzleError(Exception):
    """No game has a puzzle, or none was found in so many matches."""


def games_with_puzzles() -> list[str]:
    """Those that take turns, and then those that came later, in the order of their first days."""
    later = [(source.since, name) for name, source in _later_sources()]
    return [*TAKE_TURNS, *(name for _since, name in sorted(later))]


def _later_sources() -> Iterator[tuple[str, PuzzleSource]]:
    for name in GAMES:
        if name not in TAKE_TURNS and (source := GAMES[name].puzzle):
            yield name, source


def game_of_day(day: date) -> str:
    """Some days, drawn by chance from its first one on, belong to a game that came later: one of so many as there were games
    with it. So a game that is added changes no other day."""
    chosen = TAKE_TURNS[day.toordinal() % len(TAKE_TURNS)]
    since = {name: source.since for name, source in _later_sources()}
    for number, name in enumerate(games_with_puzzles()[len(TAKE_TURNS) :], len(TAKE_TURNS) + 1):
        if day >= since[name] and Chance(day.isoformat().encode(), name).below(number) == 0:
            chosen = name
    return chosen


def puzzle_of(day: date, language: str) -> Generator[int, None, Puzzle]:
    """Look for the puzzle of this day; yields how many positions it has looked at. `language` is one that words can be in."""
    game = GAMES[game_of_day(day)]
    return (yield from find_puzzle(game, f"{day.isoformat()} {language}", language))


def find_puzzle(game: AnyGame, label: str, language: str) -> Generator[int, None, Puzzle]:
    """The first that comes up in matches that follow from the label; raises NoPuzzleError if there is none in MOST_MATCHES."""
    source = game.puzzle
    if source is None:
        raise NoPuzzleError(game.name)
    options = dict(source.options)
    if "language" in game.options_type.__struct_fields__:
        options["language"] = language
    setup = Setup(game.name, options)
    looked_at = 0
    for attempt in range(MOST_MATCHES):
        said = f"diadem puzzle {label} {attempt}"
        secret = blake2b(said.encode(), digest_size=32).digest()
        for puzzle in _positions(game, setup, source, secret):
            looked_at += 1
            yield looked_at
            if is_puzzle(puzzle.best) and not _is_obvious(puzzle):
                return puzzle
    raise NoPuzzleError(game.name)


def try_out(puzzle: Puzzle, notation: str) -> Attempt | None:
    """What a move comes to; None if nobody can say what it is worth. Raises RefusalError if it is not allowed there."""
    game = puzzle.match.game
    move = game.parse(notation)
    if refusal := game.explain(puzzle.view, move):
        raise RefusalError(refusal)
    weighed = copy.deepcopy(puzzle.adviser).evaluate(puzzle.view, MOST_COMPARED, move)
    made = next((each for each in weighed if each.move == move), None)
    return None if made is None else Attempt(made, weighed[0])


def is_puzzle(best: Sequence[Evaluation[Any]]) -> bool:
    """Whether one or two of these moves, best first, are clearly better than all others."""
    if len(best) < LEAST_CHOICE:
        return False
    first = best[0]
    solutions = sum(Attempt(each, first).solves for each in best)
    if solutions > min(MOST_SOLUTIONS, len(best) // 2):
        return False
    return first.value - best[solutions].value >= CLEARLY[first.unit]


def _is_obvious(puzzle: Puzzle) -> bool:
    """Whether somebody finds it who does not think."""
    game, solutions = puzzle.match.game, puzzle.solutions
    *weaker, _strongest = game.bots.values()
    levels = weaker[:OBVIOUS_TO]
    chance = Chance(puzzle.secret, "obvious")
    return any(level(chance).choose(puzzle.view) in solutions for level in levels)


def _positions(
    game: AnyGame, setup: Setup, source: PuzzleSource, secret: bytes
) -> Iterator[Puzzle]:
    """Those of a match among bots in which somebody is to move, weighed by who may know what that seat knows."""
    levels = (source.level,) * source.seats
    advisers = [game.adviser(Chance(secret, f"adviser {seat}")) for seat in range(source.seats)]
    steps: list[Step] = []
    for step in play_out(setup, levels, secret):
        steps.append(step)
        for seat, adviser in enumerate(advisers):
            for happening in step.told:
                if adviser is not None:
                    adviser.see(happening.told(seat))
        if not step.match.actors:
            continue
        seat = step.match.actors[0]
        adviser, view = advisers[seat], game.view(step.match.state, seat)
        if adviser is not None and source.suits(view):
            knows = copy.deepcopy(adviser)
            best = tuple(copy.deepcopy(knows).evaluate(view, MOST_COMPARED))
            yield Puzzle(setup, secret, tuple(steps), seat, best, knows)
