"""How a connection ends: who waits for whom, for how long, and that nothing is left."""

import gc
from collections.abc import Callable
from weakref import ref

import pytest
from websockets.frames import Opcode

from diadem_server.net.backpressure import PAUSE_SECONDS
from diadem_server.net.websocket import (
    CLOSE_SECONDS,
    DISCARD_READ,
    DISCARDS,
    KEEPALIVE_SECONDS,
    WebSocket,
)
from tests.server import Time
from tests.server.net.wired import Wired, closed_with, from_client, turns

# Keepalive


async def test_who_is_silent_is_pinged_and_then_gone(clock: Time) -> None:
    wired = Wired().open()
    clock.goes_on(KEEPALIVE_SECONDS)
    await turns()
    assert wired.frames() == [(Opcode.PING, b"")]
    clock.goes_on(KEEPALIVE_SECONDS)
    await turns()
    assert closed_with(wired) == 1011
    clock.goes_on(CLOSE_SECONDS)
    await turns()
    assert wired.wire.is_aborted


@pytest.mark.parametrize("opcode", [Opcode.PONG, Opcode.BINARY])
async def test_any_sign_of_life_is_one(clock: Time, opcode: Opcode) -> None:
    wired = Wired().open()
    for _ in range(5):
        clock.goes_on(KEEPALIVE_SECONDS)
        await turns()
        assert wired.frames() == [(Opcode.PING, b"")]
        wired.give(from_client(b"", opcode))


async def test_who_is_not_listened_to_is_not_taken_for_gone(clock: Time) -> None:
    wired = Wired().open()
    wired.websocket.backpressure.hold()
    for _ in range(5):
        clock.goes_on(KEEPALIVE_SECONDS)
        await turns()
        assert wired.frames() == [(Opcode.PING, b"")]


# The end


async def test_closing_waits_for_the_other_side(clock: Time) -> None:
    wired = Wired().open()
    assert wired.heard is not None
    wired.heard.outbox.send(b"the last")
    wired.websocket.backpressure.hold()
    wired.websocket.close(1001, "going")
    assert [data for _, data in wired.frames()] == [b"the last", b"\x03\xe9going"]
    assert not wired.wire.is_paused, "its close frame is waited for"
    assert not wired.wire.has_ended
    wired.give(from_client(b"too late") + b"".join(wired.client.data_to_send()))
    assert wired.wire.has_ended
    assert not wired.messages
    wired.websocket.eof_received()
    wired.lose()
    assert wired.heard.is_lost
    assert wired.is_lost
    clock.goes_on(CLOSE_SECONDS)
    await turns()
    assert not wired.wire.is_aborted


@pytest.mark.parametrize("ends", [lambda it: it.close(1001), lambda it: it.fail(1008, "go")])
async def test_nobody_puts_off_the_end_by_sending_on(
    clock: Time, ends: Callable[[WebSocket], None]
) -> None:
    wired = Wired().open()
    ends(wired.websocket)
    for _ in range(5):
        assert not wired.wire.is_aborted
        clock.goes_on(CLOSE_SECONDS / 5)
        wired.give(from_client(b"", Opcode.PING))
        await turns()
    assert wired.wire.is_aborted


async def test_who_closes_is_answered_after_all_that_was_said() -> None:
    wired = Wired().open()
    assert wired.heard is not None
    wired.heard.outbox.send(b"an answer")
    wired.client.send_close(1000, "bye")
    wired.give(from_client(b"the last") + b"".join(wired.client.data_to_send()))
    assert wired.messages == [b"the last"]
    assert wired.frames() == [(Opcode.BINARY, b"an answer"), (Opcode.CLOSE, b"\x03\xe8bye")]
    assert wired.wire.has_ended


async def test_what_a_failed_connection_brings_is_thrown_away_slowly_and_not_for_ever(
    clock: Time,
) -> None:
    wired = Wired().open()
    wired.websocket.fail(1008, "go")
    assert closed_with(wired) == 1008
    assert wired.wire.has_ended
    written = len(wired.wire.written)
    for count in range(DISCARDS):
        assert not wired.wire.is_aborted, count
        wired.give(bytes(DISCARD_READ))
        assert wired.wire.is_paused
        clock.goes_on(PAUSE_SECONDS)
        await turns()
    wired.give(bytes(DISCARD_READ))
    assert wired.wire.is_aborted
    assert len(wired.wire.written) == written
    assert not wired.messages


async def test_a_flood_while_closing_is_thrown_away() -> None:
    wired = Wired(most=50).open()
    wired.websocket.close(1001)
    wired.give(from_client(b"", Opcode.PING) * 100)
    assert wired.heard is not None
    assert not wired.heard.floods
    assert wired.wire.has_ended


@pytest.mark.parametrize("ends", [lambda it: it.close(1001), lambda it: it.fail(1008, "go")])
async def test_of_what_was_aborted_nothing_is_asked(ends: Callable[[WebSocket], None]) -> None:
    """uvloop would raise an exception."""
    wired = Wired().open()
    written = len(wired.wire.written)
    wired.websocket.abort()
    ends(wired.websocket)
    assert len(wired.wire.written) == written
    assert not wired.wire.has_ended
    assert not wired.wire.is_closed


async def test_what_cannot_be_half_closed_is_closed() -> None:
    """As TLS is."""
    wired = Wired(has_half_close=False).open()
    wired.websocket.fail(1008, "go")
    assert wired.wire.is_closed


@pytest.mark.parametrize("loses", [OSError(), None])
async def test_after_it_is_lost_nothing_happens_any_more(
    clock: Time, loses: Exception | None
) -> None:
    wired = Wired().open()
    wired.give(from_client(b"half")[:3])
    wired.websocket.eof_received()
    wired.lose(loses)
    written = len(wired.wire.written)
    wired.websocket.write([b"into the void"])
    wired.websocket.close(1001)
    wired.websocket.fail(1008)
    clock.goes_on(KEEPALIVE_SECONDS)
    await turns()
    assert len(wired.wire.written) == written
    assert not wired.wire.is_aborted


@pytest.mark.parametrize(
    "said",
    [b"", b"\xff\xff", from_client(b"one") + b"\x82"],
    ids=["nothing", "nonsense", "one and a half"],
)
async def test_of_a_connection_that_is_lost_nothing_is_kept(said: bytes) -> None:
    wired = Wired().open()
    wired.give(said)
    wired.lose()
    kept = ref(wired.websocket)
    gc.disable()
    try:
        del wired.websocket, wired.heard
        assert kept() is None
    finally:
        gc.enable()
