"""What is counted is told once, a moment later, in messages of a bounded size."""

import asyncio

import pytest

from diadem_server.limits import limit_sync
from diadem_server.limits.counts import Counts
from diadem_server.limits.limit_sync import Gatherer, Limits
from diadem_server.limits.rate_limits import Buckets

HERE, THERE = "192.0.2.1", "192.0.2.2"

Told = list[tuple[str, dict[str, float], dict[str, int]]]


async def test_what_is_counted_in_a_moment_is_told_at_once() -> None:
    told: Told = []
    buckets, counts = Buckets(1, 10), Counts()
    Gatherer(lambda *each: told.append(each), 0.0).follow(Limits({"a": buckets}, {"b": counts}))
    for _ in range(2):
        buckets.take(HERE)
        counts.add(HERE)
    counts.add(THERE)
    counts.add(THERE, -1)
    assert not told
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert told == [("a", {HERE: 2.0}, {}), ("b", {}, {HERE: 2, THERE: 0})]
    counts.add(HERE)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert told[2:] == [("b", {}, {HERE: 3})]


async def test_a_flood_makes_no_message_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_sync, "MOST_TOLD", 2)
    told: Told = []
    gatherer = Gatherer(lambda *each: told.append(each), 0.0)
    for number in range(5):
        gatherer.use("a", f"192.0.2.{number}", 1)
        gatherer.count("b", f"192.0.2.{number}", number)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    used, *counted = told
    assert used == ("a", {"192.0.2.0": 1, "192.0.2.1": 1}, {})
    assert [len(counts) for _, _, counts in counted] == [2, 2, 1]


async def test_what_is_not_known_here_is_passed_over() -> None:
    counts = Counts()
    Limits({}, {"b": counts}).heard(1, "c", {HERE: 1.0}, {HERE: 1})
    assert not counts.elsewhere
