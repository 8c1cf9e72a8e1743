"""What is kept of a finished match: places, who has left, and what is worth remembering."""

import pytest

from diadem_shared.chance import Chance
from diadem_shared.entries import (
    Adjudicated,
    Entry,
    Moved,
    Resigned,
    Returned,
    Sat,
    Setup,
    Started,
    TakenOver,
)
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, apply, open_match
from diadem_shared.results import Result, Summary
from tests.sample_game import Numbers

SEED = bytes(32)
ANA, BOB, CEM = Sat("Ana"), Sat("Bob"), Sat("Cem")


class Course:
    """A match of guessing numbers, in which the opener guesses all by halves, and the result by seat."""

    def __init__(self, *sitters: Sat, rounds: int = 1) -> None:
        self.match = open_match(Setup(Numbers.name, rounds=rounds))
        self.summary = Summary(self.match.setup)
        self.do(*sitters, Started())

    def do(self, *entries: Entry) -> None:
        for entry in entries:
            self.match, told = apply(self.match, entry, SEED)
            self.summary.follow(entry, told)

    def move(self) -> None:
        public = self.match.state
        self.do(Moved(self.match.actors[0], f"guess {(public.low + public.high) // 2}"))

    def play(self) -> Match:
        while self.match.phase is Phase.PLAYING:
            self.move()
        return self.match

    @property
    def results(self) -> tuple[Result | None, ...]:
        return self.summary.results(self.match)

    @property
    def places(self) -> list[int | None]:
        return [result.place if result else None for result in self.results]


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, Numbers.name, Numbers())


def winner(course: Course) -> int:
    return course.play().totals.winners[0]


def test_each_player_has_a_result_and_no_bot() -> None:
    course = Course(ANA, Sat("Halma", "halver"), BOB)
    won = winner(course)
    ana, bot, bob = course.results
    assert bot is None
    assert ana is not None
    assert bob is not None
    assert {ana.stayed, bob.stayed} == {True}
    assert [other.name for other in ana.others] == ["Halma", "Bob"]
    assert [other.bot for other in bob.others] == [None, "halver"]
    assert (course.places[won] or 1) == 1
    assert ana.points == course.match.totals.scores[0]


def test_a_tie_is_shared_and_the_next_place_left_out() -> None:
    course = Course(ANA, BOB, CEM)
    won = winner(course)
    assert sorted(place or 0 for place in course.places) == [1, 2, 2]
    assert course.places[won] == 1


def test_who_has_left_is_behind_all_who_stayed_even_if_their_bot_has_won() -> None:
    won = winner(Course(ANA, BOB))
    course = Course(ANA, BOB)
    course.do(TakenOver(won, "halver"))
    assert winner(course) == won
    assert course.places[won] == 2
    assert course.places[1 - won] == 1
    result = course.results[won]
    assert result is not None
    assert not result.stayed


@pytest.mark.parametrize(("returns", "stays"), [(1, True), (4, False)])
def test_who_comes_back_has_stayed_if_they_made_half_of_their_moves(
    returns: int, *, stays: bool
) -> None:
    course = Course(ANA, BOB, rounds=5)
    course.do(Resigned(0))
    for number in range(1, 6):
        course.play()
        if number == returns:
            course.do(Returned(0))
        if number < 5:
            course.do(Started())
    ana, _ = course.results
    assert ana is not None
    assert ana.stayed == stays


def test_a_match_that_was_ended_is_decided_only_against_who_has_left() -> None:
    course = Course(ANA, BOB, CEM, rounds=2)
    course.do(Resigned(1), Adjudicated())
    assert course.places == [0, 3, 0]
    course = Course(ANA, BOB)
    course.do(Adjudicated())
    assert course.places == [0, 0]


def test_nobody_wins_by_being_alone_in_having_left() -> None:
    course = Course(ANA, BOB)
    course.do(Resigned(0), Resigned(1))
    course.play()
    assert course.places == [2, 2]


def test_a_match_that_never_began_has_no_results() -> None:
    match = open_match(Setup(Numbers.name))
    assert Summary(match.setup).results(match) == ()


@pytest.mark.parametrize("lesson", [True, False])
def test_nothing_of_a_lesson_is_counted(*, lesson: bool) -> None:
    """Everybody could know how it is dealt."""
    setup = Setup("diadingo", private=True, spectators=False, lesson=lesson)
    match, summary, chance = open_match(setup), Summary(setup), Chance(SEED)
    entries: list[Entry] = [ANA, Sat("Bob", "naive"), Started()]
    while match.phase is not Phase.OVER:
        if not entries:
            (seat,) = match.actors
            move = match.game.any_move(match.game.view(match.state, seat), chance)
            entries.append(Moved(seat, match.game.notate(move)))
        match, told = apply(match, entry := entries.pop(0), SEED)
        summary.follow(entry, told)
    assert [result is None for result in summary.results(match)] == [lesson, True]
