"""Everybody gets the same puzzle of a day, and it has a solution that is not just found by chance."""

from datetime import date, timedelta

import pytest

from diadem_shared import puzzles
from diadem_shared.advice import Evaluation, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Adviser, PuzzleSource
from diadem_shared.games import GAMES
from diadem_shared.games.castles.table import Draw, Stop
from diadem_shared.match import apply, open_match
from diadem_shared.puzzles import (
    TAKE_TURNS,
    NoPuzzleError,
    Puzzle,
    find_puzzle,
    game_of_day,
    games_with_puzzles,
    is_puzzle,
    puzzle_of,
    try_out,
)
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.sample_game import Answered, Guess, Halver, NumberBot, Numbers, NumberView, PublicState
from tests.shared.through import through

# Days whose puzzles are found soon, one of each game.
DAYS = [
    *(date(2026, 11, day) for day in (15, 27)),
    *(date(2026, 12, day) for day in (14, 16, 23)),
]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            day,
            marks=[pytest.mark.slow] if game_of_day(day) == "diamino-bonus" else [],
            id=game_of_day(day),
        )
        for day in DAYS
    ],
)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    return through(puzzle_of(request.param, "en"))


def test_it_is_the_same_for_everybody(puzzle: Puzzle) -> None:
    day = next(day for day in DAYS if game_of_day(day) == puzzle.setup.game)
    again = through(puzzle_of(day, "en"))
    assert (again.steps, again.seat, again.best) == (puzzle.steps, puzzle.seat, puzzle.best)


def test_the_position_is_of_a_real_game(puzzle: Puzzle) -> None:
    match = open_match(puzzle.setup)
    for step in puzzle.steps:
        match, _ = apply(match, step.entry, puzzle.secret)
    assert match == puzzle.match
    assert puzzle.seat in match.actors


def test_the_best_move_solves_it_and_another_does_not(puzzle: Puzzle) -> None:
    first, last = puzzle.best[0], puzzle.best[-1]
    solved = try_out(puzzle, puzzle.match.game.notate(first.move))
    assert solved
    assert solved.solves
    missed = try_out(puzzle, puzzle.match.game.notate(last.move))
    assert missed
    assert not missed.solves
    assert missed.best.move == first.move


def test_trying_leaves_the_puzzle_as_it_is(puzzle: Puzzle) -> None:
    attempts = [try_out(puzzle, puzzle.match.game.notate(puzzle.best[-1].move)) for _ in range(2)]
    assert attempts[0] == attempts[1]


def test_every_allowed_move_can_be_tried(puzzle: Puzzle) -> None:
    game, view = puzzle.match.game, puzzle.view
    chance = Chance(b"any")
    for _ in range(4):
        attempt = try_out(puzzle, game.notate(game.any_move(view, chance)))
        assert attempt
        assert attempt.made.value <= attempt.best.value


def test_what_the_rules_forbid_is_refused(puzzle: Puzzle) -> None:
    forbidden = {"diadingo": "take A1", "diamino-bonus": "keep", "diamino-rummy": "keep"}
    with pytest.raises(RefusalError):
        try_out(puzzle, forbidden.get(puzzle.setup.game, "stop"))
    with pytest.raises(RefusalError):
        try_out(puzzle, "nonsense")


def test_the_games_take_turns() -> None:
    days = [date(2027, 1, 1) + timedelta(days) for days in range(len(TAKE_TURNS))]
    assert sorted(map(game_of_day, days)) == sorted(TAKE_TURNS)


@cases("game", games_with_puzzles())
def test_a_game_with_puzzles_has_an_adviser_and_a_first_day(game: str) -> None:
    source = GAMES[game].puzzle
    assert source is not None
    assert GAMES[game].adviser(Chance(b"")) is not None
    assert source.level in GAMES[game].bots
    assert (source.since == date.max) == (game in TAKE_TURNS)


def test_a_game_that_is_added_takes_some_days_and_changes_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin, first = date(2027, 1, 1), date(2027, 3, 1)
    days = [begin + timedelta(days) for days in range(400)]
    before = dict(zip(days, map(game_of_day, days), strict=True))
    added = Numbers()
    added.puzzle = PuzzleSource("halver", 2, since=first)
    monkeypatch.setitem(GAMES, added.name, added)
    changed = {day for day in days if game_of_day(day) != before[day]}
    assert {game_of_day(day) for day in changed} == {added.name}
    assert min(changed) >= first
    assert 400 / 12 < len(changed) < 400 / 3


class Best(Adviser[Guess, Answered, PublicState, None]):
    """Finds the lowest number best, by far."""

    def evaluate(
        self, view: NumberView, most: int, also: Guess | None = None
    ) -> list[Evaluation[Guess]]:
        numbers = range(view.public.low, view.public.high + 1)
        return [
            Evaluation(Guess(each), 1 / (each + 1 - numbers[0]), Unit.CHANCE) for each in numbers
        ]


def sampled(strongest: type[NumberBot] | type[Best]) -> Numbers:
    game = Numbers()
    game.bots = {"zombie": Halver, "best": strongest}
    game.puzzle = PuzzleSource("best", 2)
    return game


def test_a_puzzle_is_found_for_a_game_with_one_real_level(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sampled(Best)
    monkeypatch.setitem(GAMES, game.name, game)
    assert through(find_puzzle(game, "2027-01-01 en", "en")).solutions == [Guess(1)]


def test_the_search_ends_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "MOST_MATCHES", 3)
    game = sampled(Halver)
    monkeypatch.setitem(GAMES, game.name, game)
    with pytest.raises(NoPuzzleError):
        through(find_puzzle(game, "2027-01-01 en", "en"))
    with pytest.raises(NoPuzzleError):
        through(find_puzzle(Numbers(), "2027-01-01 en", "en"))


def test_words_are_of_the_language_that_is_asked_for(puzzle: Puzzle) -> None:
    has_words = puzzle.setup.game.startswith("diamino")
    assert puzzle.setup.options.get("language") == ("en" if has_words else None)


def weighed(*values: float) -> list[Evaluation[Draw | Stop]]:
    return [Evaluation(Draw(), value, Unit.CHANCE) for value in values]


@cases(
    ("values", "is_one"),
    [
        ((0.6, 0.5, 0.4), True),
        ((0.6, 0.5), False),
        ((0.6, 0.59, 0.4), False),
        ((0.6, 0.598, 0.4, 0.3), True),
        ((0.6, 0.6, 0.6, 0.3, 0.2, 0.1), False),
        ((), False),
    ],
)
def test_one_or_two_moves_are_clearly_better(values: tuple[float, ...], *, is_one: bool) -> None:
    assert is_puzzle(weighed(*values)) is is_one
