"""Glicko-2 does what its paper says."""

from diadem_shared.glicko import UNKNOWN, Game, Rating, rated, rested

ANA = Rating(1500, 200, 0.06)


def test_the_worked_example_of_the_paper() -> None:
    games = [
        Game(Rating(1400, 30), 1),
        Game(Rating(1550, 100), 0),
        Game(Rating(1700, 300), 0),
    ]
    after = rated(ANA, games)
    assert round(after.mark, 1) == 1464.1  # the paper has 1464.06, from rounded steps
    assert round(after.deviation, 2) == 151.52
    assert abs(after.volatility - 0.05999) < 0.00001


def test_two_games_of_half_weight_are_one() -> None:
    game = Game(Rating(1700, 80), 1)
    halves = [Game(game.opponent, game.score, 0.5)] * 2
    one, two = rated(ANA, [game]), rated(ANA, halves)
    assert abs(one.mark - two.mark) < 1e-6
    assert abs(one.deviation - two.deviation) < 1e-6


def test_who_rests_keeps_the_mark_and_is_less_sure_of_it() -> None:
    year = rested(ANA, 52)
    assert (year.mark, year.volatility) == (1500, 0.06)
    assert 200 < year.deviation < UNKNOWN
    assert rested(ANA, 0).deviation == 200
    assert rested(ANA, 10_000).deviation == UNKNOWN


def test_a_great_surprise_makes_a_rating_more_volatile() -> None:
    upset = rated(Rating(1500, 50), [Game(Rating(2800, 30), 1)] * 3)
    assert upset.volatility > 0.06
    assert upset.mark > 1500
