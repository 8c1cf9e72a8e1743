"""Chance can be repeated with its seed, and only with it."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.chance import Chance


def test_a_seed_means_the_same_numbers_for_ever() -> None:
    """Written down once; a journal of that day must still replay."""
    chance = Chance(b"diadem", "entry 7")
    assert [chance.below(1000) for _ in range(6)] == [128, 340, 456, 108, 950, 413]
    assert Chance(b"diadem").shuffled("abcdefgh") == tuple("fadbgche")


@given(st.binary(), st.text(max_size=9), st.integers(1, 2**32))
def test_numbers_stay_below_their_bound(seed: bytes, label: str, bound: int) -> None:
    chance = Chance(seed, label)
    assert all(0 <= chance.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_without_numbers_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match=str(bound)):
        Chance(b"").below(bound)


@given(st.binary(), st.lists(st.integers()))
def test_shuffling_keeps_every_item(seed: bytes, items: list[int]) -> None:
    assert Counter(Chance(seed).shuffled(items)) == Counter(items)


def test_every_order_is_as_likely() -> None:
    """Six orders, 6,000 shuffles: each within five deviations of a thousand."""
    chance = Chance(b"fair")
    counts = Counter(chance.shuffled("abc") for _ in range(6000))
    assert len(counts) == 6
    assert [count for count in counts.values() if abs(count - 1000) >= 5 * 29] == []


def test_seeds_and_labels_are_kept_apart() -> None:
    streams = [Chance(seed, label) for seed in (b"a", b"b") for label in ("", "1", "2")]
    assert len({tuple(stream.below(2**32) for _ in range(4)) for stream in streams}) == 6
