"""Long work lets others work."""

import asyncio
from collections.abc import Generator
from threading import Event

import pytest

from diadem_client.net import slices
from diadem_client.net.slices import in_slices, until_left


def counting(to: int) -> Generator[int, None, str]:
    yield from range(1, to + 1)
    return "all of it"


async def test_others_have_their_turn_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 0.0)
    monkeypatch.setattr(slices, "PAUSE", 0.0)
    turns: list[int] = []
    loop = asyncio.get_running_loop()

    def told(number: int) -> None:
        turns.append(number)
        loop.call_soon(turns.append, -number)

    assert await in_slices(counting(3), told) == "all of it"
    assert turns == [1, -1, 2, -2, 3, -3]


async def test_what_takes_no_time_is_done_at_once() -> None:
    told: list[int] = []
    assert await in_slices(counting(5), told.append) == "all of it"
    assert told == []


def test_what_nobody_waits_for_any_more_is_given_up() -> None:
    left = Event()
    done: list[int] = []

    def told(number: int) -> None:
        done.append(number)
        if number == 2:
            left.set()

    assert until_left(counting(3), left, told) is None
    assert done == [1, 2]
    assert until_left(counting(3), Event()) == "all of it"
