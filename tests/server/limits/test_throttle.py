"""A growing pause for whoever keeps guessing."""

import pytest

from diadem_server.limits import throttle
from diadem_server.limits.throttle import Throttle
from diadem_shared.refusals import RefusalError

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def throttled(clock: Clock) -> Throttle:
    return Throttle(free=3, longest=10.0, forget=100.0, clock=clock)


def test_some_misses_are_free_and_each_one_more_doubles_the_pause() -> None:
    clock = Clock()
    guesses = throttled(clock)
    pauses = []
    for _ in range(9):
        clock.now += guesses.pause(HERE)
        guesses.missed(HERE)
        pauses.append(guesses.pause(HERE))
    assert pauses[:3] == [0, 0, 0]
    assert pauses[3:7] == pytest.approx([1, 2, 4, 8], rel=0.1)
    assert pauses[-1] == 10
    assert guesses.pause(THERE) == 0


def test_a_pause_ends_and_is_told_in_whole_seconds() -> None:
    clock = Clock()
    guesses = throttled(clock)
    for _ in range(5):
        guesses.missed(HERE)
    clock.now += 0.5
    with pytest.raises(RefusalError) as refused:
        guesses.refuse_if_paused(HERE)
    assert refused.value.refusal.code == "too_fast"
    assert refused.value.refusal.about == {"seconds": 2}
    clock.now += 1.5
    guesses.refuse_if_paused(HERE)


def test_misses_elsewhere_count_as_if_they_had_come_here_one_after_another() -> None:
    clock = Clock()
    here, elsewhere = throttled(clock), throttled(clock)
    for _ in range(4):
        here.missed(HERE)
    elsewhere.missed(HERE)
    elsewhere.use_elsewhere(HERE, 3)
    assert elsewhere.pause(HERE) == here.pause(HERE) == 1
    here.use_elsewhere(HERE, 3)
    assert here.pause(HERE) == pytest.approx(1 + 2 + 4 + 8, rel=0.2)


def test_misses_are_forgotten_with_time() -> None:
    clock = Clock()
    guesses = throttled(clock)
    for _ in range(5):
        guesses.missed(HERE)
    clock.now += 500
    guesses.missed(HERE)
    assert guesses.pause(HERE) == 0


def test_no_more_prefixes_are_remembered_than_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "REMEMBERED", 5)
    guesses = throttled(Clock())
    for number in range(20):
        for _ in range(5):
            guesses.missed(str(number))
    assert [number for number in range(20) if guesses.pause(str(number))] == [*range(15, 20)]
