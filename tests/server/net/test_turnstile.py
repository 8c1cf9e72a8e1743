"""Whatever comes in crowds is done one at a time."""

import asyncio
from contextlib import suppress

import pytest

from diadem_server.net.turnstile import Turnstile
from tests.server import Time

PAUSE = 3600.0


async def test_one_is_done_a_turn() -> None:
    turnstile, done = Turnstile(0), list[str]()
    for name in "abc":
        turnstile.wait(lambda name=name: done.append(name))  # type: ignore[misc]
    for count in range(4):
        assert len(done) == count
        await asyncio.sleep(0)
    assert done == ["a", "b", "c"]


async def test_there_is_a_pause_before_each(monkeypatch: pytest.MonkeyPatch) -> None:
    turnstile, time = Turnstile(PAUSE), Time(asyncio.get_running_loop(), monkeypatch)
    done = list[str]()
    turnstile.wait(lambda: done.append("a"))
    turnstile.wait(lambda: done.append("b"))
    for so_far in ([], ["a"], ["a", "b"]):
        assert done == so_far
        time.goes_on(PAUSE)
        for _ in range(3):
            await asyncio.sleep(0)


async def test_what_fails_keeps_nobody_up() -> None:
    turnstile, troubles = Turnstile(0), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, trouble: troubles.append(trouble))
    turnstile.wait(lambda: 1 / 0)
    await turnstile.passed()
    assert len(troubles) == 1


async def test_who_waits_no_longer_keeps_nobody_up() -> None:
    turnstile = Turnstile(0)
    impatient = asyncio.create_task(turnstile.passed())
    await asyncio.sleep(0)
    impatient.cancel()
    with suppress(asyncio.CancelledError):
        await impatient
    await turnstile.passed()
    assert impatient.cancelled()
