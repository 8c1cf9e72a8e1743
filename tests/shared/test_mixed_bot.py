"""Levels between two bots: each move is the one's or the other's."""

import copy

import pytest

from diadem_shared.chance import Chance
from diadem_shared.game import View
from diadem_shared.games import GAMES
from diadem_shared.mixed_bot import MixedBot
from tests.cases import cases
from tests.sample_game import Answered, Guess, NumberBot, NumberView, PublicState

MOVES = 2_000
HEARD = Answered(1, 5, "higher")
VIEW: NumberView = View(0, PublicState(1, 9, (0, 0), 0, over=False), None)

BEFORE = {
    "diamoniak": {"zombie", "easy", "bold", "strong"},
    "piratatak": {"zombie", "easy", "bold", "strong"},
    "diadingo": {"zombie", "forgetful", "human", "perfect"},
    "diamino-rummy": {"zombie", "easy", "fair", "normal", "strong"},
    "diamino-bonus": {"zombie", "easy", "fair", "normal", "strong"},
}
"""Levels that are written in journals of the first months."""


class Low(NumberBot):
    heard = 0

    def see(self, event: Answered) -> None:
        self.heard += 1

    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.low)


class High(Low):
    heavy = True
    slow = True

    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.high)


class Told(Low):
    def choose(self, view: NumberView) -> Guess:
        return Guess(self.heard)


def mixed(percent: int, seed: bytes = b"seed") -> NumberBot:
    return MixedBot(Chance(seed), Low, High, percent)


def moves(bot: NumberBot, count: int = MOVES) -> list[int]:
    """Each chosen by a copy, as a bot that thinks for long does."""
    chosen = []
    for _ in range(count):
        chosen.append(copy.deepcopy(bot).choose(VIEW).number)
        bot.see(HEARD)
    return chosen


@cases("percent", [0, 4, 50, 88, 100])
def test_so_many_of_its_moves_are_the_stronger_ones(percent: int) -> None:
    share = moves(mixed(percent)).count(VIEW.public.high) / MOVES
    assert share == pytest.approx(percent / 100, abs=0.04)


def test_the_same_seed_makes_the_same_moves() -> None:
    assert moves(mixed(50), 50) == moves(mixed(50), 50) != moves(mixed(50, b"other"), 50)


def test_it_does_not_change_its_mind_over_a_move() -> None:
    bot = mixed(50)
    assert len({bot.choose(VIEW).number for _ in range(20)}) == 1


def test_it_is_heavy_if_one_of_the_two_is() -> None:
    assert mixed(50).heavy
    assert mixed(50).slow
    assert not MixedBot(Chance(b"seed"), Low, Low, 50).heavy


def test_both_hear_what_happens() -> None:
    for percent in (0, 100):
        bot = MixedBot(Chance(b"seed"), Told, Told, percent)
        bot.see(HEARD)
        assert bot.choose(VIEW).number == 1


@cases("game", BEFORE)
def test_a_level_of_a_journal_does_not_go_away(game: str) -> None:
    assert {*GAMES[game].bots} >= BEFORE[game]
