"""Whatever comes in crowds is done one at a time, and in between the loop goes round."""

import asyncio
from contextlib import suppress

from diadem_server.turnstile import Turnstile


async def test_one_is_done_a_turn() -> None:
    turnstile, done = Turnstile(), list[str]()
    for name in "abc":
        turnstile.wait(lambda name=name: done.append(name))  # type: ignore[misc]
    for count in range(4):
        assert len(done) == count
        await asyncio.sleep(0)
    assert done == ["a", "b", "c"]


async def test_what_is_short_goes_first() -> None:
    turnstile, done = Turnstile(), list[str]()
    turnstile.wait(lambda: done.append("long"))
    turnstile.wait(lambda: done.append("short"), is_short=True)
    await turnstile.passed()
    assert done == ["short", "long"]


async def test_what_fails_keeps_nobody_up() -> None:
    turnstile, troubles = Turnstile(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, trouble: troubles.append(trouble))
    turnstile.wait(lambda: 1 / 0)
    await turnstile.passed()
    assert len(troubles) == 1


async def test_who_waits_no_longer_keeps_nobody_up() -> None:
    turnstile = Turnstile()
    impatient = asyncio.create_task(turnstile.passed())
    await asyncio.sleep(0)
    impatient.cancel()
    with suppress(asyncio.CancelledError):
        await impatient
    await turnstile.passed()
    assert impatient.cancelled()
