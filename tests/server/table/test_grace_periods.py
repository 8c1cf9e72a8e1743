"""Each player who is away has a grace period of their own."""

import asyncio

import pytest

from diadem_server.table.grace_periods import GracePeriods
from tests.server import Time

ANA, BOB = 1, 2


class Waited:
    def __init__(self) -> None:
        self.expired: list[int] = []
        self.grace = GracePeriods(self.expired.append)


@pytest.fixture
def waited() -> Waited:
    return Waited()


async def turn() -> None:
    """Of the loop, in which timers that are due are called."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_whoever_stays_away_is_told_of_in_time(waited: Waited, time: Time) -> None:
    waited.grace.begin(ANA, 10)
    waited.grace.begin(BOB, 20)
    time.goes_on(9)
    await turn()
    assert waited.expired == []
    time.goes_on(2)
    await turn()
    assert waited.expired == [ANA]
    time.goes_on(10)
    await turn()
    assert waited.expired == [ANA, BOB]


async def test_whoever_comes_back_is_not(waited: Waited, time: Time) -> None:
    waited.grace.begin(ANA, 10)
    waited.grace.end(ANA)
    waited.grace.end(BOB)
    time.goes_on(11)
    await turn()
    assert waited.expired == []
    assert waited.grace.sessions == []


async def test_whoever_goes_again_has_all_of_it_again(waited: Waited, time: Time) -> None:
    waited.grace.begin(ANA, 10)
    time.goes_on(9)
    waited.grace.begin(ANA, 10)
    time.goes_on(9)
    await turn()
    assert waited.expired == []


async def test_one_whose_time_is_up_counts_until_that_was_heeded(
    waited: Waited, time: Time
) -> None:
    waited.grace.begin(ANA, 10)
    time.goes_on(11)
    await turn()
    assert waited.grace.sessions == [ANA]
    waited.grace.end(ANA)
    assert waited.grace.sessions == []


async def test_a_table_that_ends_waits_for_nobody(waited: Waited, time: Time) -> None:
    waited.grace.begin(ANA, 10)
    waited.grace.stop()
    time.goes_on(11)
    await turn()
    assert waited.expired == []
