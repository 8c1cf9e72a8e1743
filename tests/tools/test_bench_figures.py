"""What `make bench` makes of its measurements."""

from tools.bench._figures import Slice, Spread, ratio, spread, tally, turns


def slice_of(moves: int, seconds: float, processor: float = 1.0) -> Slice:
    return Slice(moves, seconds, processor, [seconds / moves] * moves)


def test_a_slice_is_told_by_its_moves() -> None:
    taken = slice_of(moves=200, seconds=0.5, processor=0.25)
    assert taken.rate == 400
    assert taken.cost == 0.00125


def test_every_round_measures_all_and_orders_differ() -> None:
    rounds = turns(["a", "b", "c"], 20)
    assert all(sorted(each) == ["a", "b", "c"] for each in rounds)
    assert len({tuple(each) for each in rounds}) == 6
    assert rounds == turns(["a", "b", "c"], 20)


def test_ratios_are_of_one_round_so_that_a_machine_that_slows_down_changes_none() -> None:
    ours, theirs = [100.0, 50.0, 10.0], [200.0, 100.0, 20.0]
    assert ratio(ours, theirs) == Spread(0.5, 0.5, 0.5)


def test_a_spread_is_the_median_and_the_middle_half() -> None:
    assert spread([1, 100, 3, 2, 4]) == Spread(3, 2, 4)
    assert spread([7]) == Spread(7, 7, 7)
    assert str(spread([0.5, 0.25, 0.75])) == "0.50 (0.38 to 0.62)"


def test_a_tally_has_the_quantiles_of_all_latencies_and_medians_of_the_rest() -> None:
    times = [each / 1000 for each in range(101)]
    slices = [Slice(10, 1.0, 2.5, times[:50]), Slice(20, 1.0, 5.0, times[50:])]
    told = tally(slices)
    assert (told.rate, told.cost) == (15, 0.25)
    assert (told.p50, told.p99) == (0.05, 0.099)
