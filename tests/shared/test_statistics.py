"""A player's own statistics are a fold of their results."""

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.highlights import Highlight
from diadem_shared.results import Other, Result
from diadem_shared.statistics import LATELY, MOST_OPPONENTS, Opponent, Statistics


def result(place: int, *others: Other, game: str = "diamoniak", stayed: bool = True) -> Result:
    return Result(game, place, stayed, 0, others)


def of(*results: Result) -> Statistics:
    statistics = Statistics()
    statistics.add(results)
    return statistics


BOB = Other("Bob", None, 2, stayed=True)
ELM = Other("Elm", "easy", 3, stayed=True)


def test_matches_and_streaks() -> None:
    (game,) = of(*map(result, (1, 1, 3, 0, 1))).games
    assert (game.matches, game.won, game.streak, game.longest) == (4, 3, 1, 2)
    assert game.lately == (1, 1, 3, 1)


def test_to_give_up_ends_a_streak() -> None:
    (game,) = of(result(1), result(2, stayed=False)).games
    assert (game.given_up, game.streak, game.longest) == (1, 0, 1)


def test_opponents_by_name_and_bots_by_level() -> None:
    oak = Other("Oak", "easy", 1, stayed=True)
    (game,) = of(result(1, BOB, ELM), result(2, oak)).games
    assert game.opponents == (Opponent("", "easy", 2, 1), Opponent("Bob", None, 1, 1))


def test_the_best_of_each_kind_is_kept_whether_more_or_less_is_better() -> None:
    found = [
        (Highlight("castle", 9, "blue"), Highlight("drawn", 3)),
        (Highlight("castle", 7, "pink"), Highlight("drawn", 2), Highlight("unheard", 1)),
        (Highlight("castle", 7, "green"),),
    ]
    results = [Result("diamoniak", 1, stayed=True, points=0, highlights=each) for each in found]
    (game,) = of(*results).games
    assert game.highlights == (Highlight("castle", 7, "pink"), Highlight("drawn", 3))


def test_games_in_their_order_unknown_ones_last_and_undecided_ones_not_at_all() -> None:
    games = ("chess", "diamino-bonus", "diamoniak", "diadingo")
    statistics = of(*(result(game != "diadingo", game=game) for game in games))
    assert [each.game for each in statistics.games] == ["diamoniak", "diamino-bonus", "chess"]


@given(st.lists(st.integers(0, 4), max_size=80))
def test_whatever_was_played_the_numbers_go_together(places: list[int]) -> None:
    opponents = [Other(f"Bob {number}", None, 2, stayed=True) for number in range(len(places))]
    for game in of(*map(result, places, opponents)).games:
        assert (
            0
            <= game.streak
            <= game.longest
            <= game.won
            <= game.matches
            == len([place for place in places if place])
        )
        assert len(game.lately) == min(game.matches, LATELY)
        assert len(game.opponents) == min(game.matches, MOST_OPPONENTS)
