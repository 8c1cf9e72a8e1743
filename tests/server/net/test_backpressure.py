"""When a transport is read: not for a moment after a pause, nor while it is held."""

import pytest

from diadem_server.net.backpressure import MOST_KEPT, PAUSE_SECONDS, Backpressure
from tests.server import Time
from tests.server.net.wired import Wire, turns


@pytest.fixture
async def wire() -> Wire:
    return Wire(has_half_close=True)


async def test_a_pause_ends_by_itself(wire: Wire, clock: Time) -> None:
    backpressure = Backpressure(wire)
    backpressure.pause()
    clock.goes_on(PAUSE_SECONDS / 2)
    backpressure.pause()  # which makes it no longer
    await turns()
    assert wire.is_paused
    clock.goes_on(PAUSE_SECONDS / 2)
    await turns()
    assert not wire.is_paused


async def test_what_is_held_is_read_once_it_is_released_and_no_pause_is_left(
    wire: Wire, clock: Time
) -> None:
    backpressure = Backpressure(wire)
    backpressure.hold()
    backpressure.keep(MOST_KEPT)
    backpressure.pause()
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    assert wire.is_paused
    backpressure.pause()
    backpressure.release()
    assert wire.is_paused
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    assert not wire.is_paused


async def test_what_is_held_is_read_until_there_is_as_much_as_can_be_kept(wire: Wire) -> None:
    """Control frames are none of that."""
    backpressure = Backpressure(wire)
    for _ in range(2):
        backpressure.hold()
        assert not wire.is_paused
        backpressure.keep(MOST_KEPT - 1)
        assert not wire.is_paused
        backpressure.keep(1)
        assert wire.is_paused
        backpressure.release()
        assert not wire.is_paused


async def test_a_transport_that_is_closing_is_left_alone(wire: Wire, clock: Time) -> None:
    backpressure = Backpressure(wire)
    backpressure.pause()
    wire.close()
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    backpressure.hold()
    backpressure.release()
    assert wire.is_paused


async def test_of_a_transport_that_is_gone_nothing_is_asked(wire: Wire, clock: Time) -> None:
    backpressure = Backpressure(wire)
    backpressure.pause()
    backpressure.stop()
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    assert wire.is_paused
