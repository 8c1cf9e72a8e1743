"""Token buckets: how much may be taken at once, how fast they fill, and how long is to be waited."""

import math

import pytest

from diadem_server.limits import rate_limits
from diadem_server.limits.rate_limits import (
    LONGEST_WAIT,
    Bucket,
    Buckets,
    too_fast,
    whole_seconds,
)
from diadem_shared.refusals import Code


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_so_much_can_be_taken_at_once_and_then_at_a_rate(clock: Clock) -> None:
    bucket = Bucket(2.0, 3, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_it_never_holds_more_than_at_first(clock: Clock) -> None:
    bucket = Bucket(2.0, 3, clock)
    clock.now += 1_000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_what_is_refused_costs_nothing(clock: Clock) -> None:
    bucket = Bucket(1.0, 3, clock)
    assert not bucket.take(4)
    assert bucket.take(3)


def test_who_waits_as_long_as_told_is_not_refused(clock: Clock) -> None:
    bucket = Bucket(4.0, 3, clock)
    bucket.take(3)
    assert bucket.wait(2) == 0.5
    clock.now += bucket.wait(2)
    assert bucket.wait(2) == 0.0
    assert bucket.take(2)


def test_more_than_there_can_be_is_waited_for_until_it_is_full(clock: Clock) -> None:
    bucket = Bucket(1.0, 3, clock)
    bucket.take(3)
    assert bucket.wait(1_000) == 3.0


def test_one_that_never_fills_is_waited_for_without_end(clock: Clock) -> None:
    bucket = Bucket(0.0, 1, clock)
    assert bucket.take()
    assert bucket.wait() == math.inf


def test_a_debt_is_paid_with_time(clock: Clock) -> None:
    bucket = Bucket(2.0, 4, clock)
    assert bucket.spend(4) == 0.0
    assert bucket.spend(6) == 3.0
    clock.now += 1
    assert bucket.spend(0) == 2.0


def test_what_is_taken_elsewhere_is_owed_by_a_burst_at_the_most(clock: Clock) -> None:
    bucket = Bucket(2.0, 4, clock)
    bucket.owe(6)
    assert bucket.wait() == 1.5
    bucket.owe(1_000)
    assert bucket.wait() == 2.5


async def test_each_key_has_a_bucket_of_its_own() -> None:
    buckets = Buckets(0.0, 1)
    assert buckets.take("ana")
    assert not buckets.take("ana")
    assert buckets.take("bob")
    assert buckets.wait("cem") == 0.0


async def test_keys_are_forgotten_the_one_used_least_lately_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "REMEMBERED", 2)
    buckets = Buckets(0.0, 1)
    for key in ("ana", "bob", "ana", "cem"):
        buckets.take(key)
    assert not buckets.take("ana")
    assert buckets.take("bob"), "it was forgotten, and is full again"


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.0, 1), (0.2, 1), (1.2, 2), (math.inf, LONGEST_WAIT)]
)
def test_whoever_is_too_fast_is_told_whole_seconds(seconds: float, told: int) -> None:
    assert whole_seconds(seconds) == told
    refusal = too_fast(seconds)
    assert (refusal.code, refusal.about) == (Code.TOO_FAST, {"seconds": told})
