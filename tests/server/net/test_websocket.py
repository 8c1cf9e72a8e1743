"""Which bytes a connection reads and writes, and when: without a network, against websockets' own client."""

from collections.abc import Callable, Iterator
from http import HTTPStatus

import pytest
from websockets.frames import Close, Opcode
from websockets.http11 import Response

from diadem_server.net import websocket
from diadem_server.net.backpressure import PAUSE_SECONDS
from diadem_server.net.http import HttpAnswer
from diadem_server.net.websocket import HANDSHAKE_SECONDS, MESSAGE_READ
from diadem_shared.protocol import MAX_FRAME
from tests.server import Time
from tests.server.net.wired import Wired, closed_with, from_client, turns

LONG = b"long " * 100
TEXTS = [b"one", LONG, b"", b"two", b"x" * 125, b"y" * 126, b"three"]
Pieces = Callable[[bytes], Iterator[bytes]]


def _whole(data: bytes) -> Iterator[bytes]:
    yield data


def _by_bytes(data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        yield data[at : at + 1]


def _by_sevens(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 7):
        yield data[at : at + 7]


# Messages


@pytest.mark.parametrize("cut", [_whole, _by_bytes, _by_sevens])
@pytest.mark.parametrize("compresses", [True, False])
async def test_however_frames_come_they_are_heard_in_order(
    cut: Pieces,
    compresses: bool,  # noqa: FBT001
) -> None:
    wired = Wired(compresses=compresses).open()
    for text in TEXTS:
        wired.client.send_binary(text)
    for piece in cut(b"".join(wired.client.data_to_send())):
        wired.give(piece)
    assert wired.messages == TEXTS


async def test_one_frame_after_the_other_is_heard() -> None:
    wired = Wired().open()
    for text in TEXTS:
        wired.give(from_client(text))
    assert wired.messages == TEXTS


async def test_fragments_are_one_message_and_pings_may_come_between() -> None:
    wired = Wired().open()
    for piece in (
        from_client(b"so", fin=False),
        from_client(b"?", Opcode.PING),
        *[from_client(b"", Opcode.CONT, fin=False)] * 1000,
        from_client(b" be it", Opcode.CONT),
    ):
        wired.give(piece)
    assert wired.messages == [b"so be it"]
    assert wired.frames() == [(Opcode.PONG, b"?")]


async def test_what_looks_like_a_message_in_the_middle_of_another_is_none() -> None:
    wired = Wired().open()
    inner = b"\x82\x88" + bytes(4) + b"smuggled"
    outer = b"\x82" + bytes([0x80 | (4 + len(inner))]) + bytes(4) + b"1234" + inner
    wired.give(outer[:10])
    wired.give(inner)
    assert wired.messages == [b"1234" + inner]


async def test_after_a_length_in_more_bytes_than_it_needs_all_is_heard() -> None:
    wired = Wired().open()
    wired.give(b"\x82\xfe\x00\x02" + bytes(4) + b"ok")
    wired.give(from_client(b"next"))
    wired.give(from_client(b"and")[:4])
    assert wired.messages == [b"ok", b"next"]


async def test_a_message_within_the_fragments_of_another_is_against_the_rules() -> None:
    wired = Wired().open()
    wired.give(from_client(b"1234", fin=False))
    wired.give(from_client(b"between"))
    assert not wired.messages
    assert closed_with(wired) == 1002


async def test_text_is_heard_as_such_and_what_is_none_closes() -> None:
    wired = Wired().open()
    wired.give(from_client("é".encode()[:1], Opcode.TEXT, fin=False))
    wired.give(from_client("é".encode()[1:], Opcode.CONT))
    assert wired.messages == ["é"]
    wired.give(from_client(b"\xff", Opcode.TEXT) + from_client(b"more"))
    assert wired.messages == ["é"]
    assert closed_with(wired) == 1007


@pytest.mark.parametrize("compresses", [True, False])
async def test_too_long_a_message_is_told_and_then_closed(compresses: bool) -> None:  # noqa: FBT001
    wired = Wired(compresses=compresses).open()
    assert wired.heard is not None
    wired.heard.outbox.send(b"an answer before")
    wired.client.send_binary(b"before")
    wired.give(b"".join(wired.client.data_to_send()) + from_client(bytes(MAX_FRAME + 1)))
    assert wired.messages == [b"before"]
    *said, (opcode, close) = wired.frames()
    assert said == [(Opcode.BINARY, b"an answer before"), (Opcode.BINARY, b"too long")]
    assert (opcode, Close.parse(close).code) == (Opcode.CLOSE, 1009)


# The request


async def test_frames_that_come_with_the_request_are_heard_after_it() -> None:
    wired = Wired()
    wired.give(wired.request() + from_client(b"?", Opcode.PING) + from_client(b"early"))
    response, pong = wired.events()
    assert isinstance(response, Response)
    assert response.status_code == 101
    assert pong.opcode is Opcode.PONG  # type: ignore[union-attr]
    assert wired.messages == [b"early"]


async def test_a_request_may_come_by_bytes() -> None:
    wired = Wired()
    for piece in _by_bytes(wired.request()):
        wired.give(piece)
    assert wired.heard is not None


async def test_a_request_that_is_refused_is_answered_and_the_connection_ended() -> None:
    wired = Wired(answer=HttpAnswer(HTTPStatus.SERVICE_UNAVAILABLE, "full\n", {"Retry-After": "7"}))
    wired.give(wired.request() + b"and more")
    written = bytes(wired.wire.written)
    assert written.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nRetry-After: 7\r\n" in written
    assert written.endswith(b"\r\n\r\nfull\n")
    assert wired.wire.has_ended
    assert wired.heard is None


@pytest.mark.parametrize(
    "said", [b"\x16\x03\x01", b"\r\n", b"GET " + b"/" * 20_000, b"GET / HTTP/1.1\r\nx\r\n\r\n"]
)
async def test_what_is_no_request_ends_the_connection(said: bytes) -> None:
    wired = Wired()
    wired.give(said + b"\r\n")
    assert wired.wire.has_ended
    wired.lose()
    assert wired.is_lost


async def test_who_does_not_ask_is_cut_off_in_time(clock: Time) -> None:
    wired = Wired()
    assert not wired.wire.is_aborted
    clock.goes_on(HANDSHAKE_SECONDS - 1)
    await turns()
    wired.give(b"GET / HTTP/1.1\r\n")
    assert not wired.wire.is_aborted
    clock.goes_on(1)
    await turns()
    assert wired.wire.is_aborted


async def test_a_request_without_end_is_cut_off() -> None:
    wired = Wired(most=10)
    wired.give(b"GET / HTTP/1.1\r\nx: " + b"y" * 10 * websocket.BYTES_LIKE_A_FRAME)
    assert wired.wire.is_aborted


# Floods


async def test_after_a_full_read_there_is_a_pause(clock: Time) -> None:
    wired = Wired().open()
    ping = from_client(b"", Opcode.PING)
    wired.give(ping * 3)
    assert not wired.wire.is_paused
    wired.give((ping * MESSAGE_READ)[:MESSAGE_READ])
    assert wired.wire.is_paused
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    assert not wired.wire.is_paused


async def test_a_read_takes_little_and_its_answers_are_one_write() -> None:
    wired = Wired().open()
    before = wired.wire.writes
    size = len(wired.websocket.get_buffer(-1))
    assert size == MESSAGE_READ
    wired.give((from_client(b"", Opcode.PING) * size)[:size])
    assert wired.wire.writes == before + 1


async def test_no_more_is_read_while_the_conversation_is_busy_than_can_be_kept(
    clock: Time,
) -> None:
    wired = Wired().open()
    wired.websocket.backpressure.hold()
    wired.give(from_client(bytes(MESSAGE_READ)))
    assert wired.wire.is_paused
    wired.give(from_client(bytes(MESSAGE_READ)))  # was on its way
    clock.goes_on(PAUSE_SECONDS)
    await turns()
    assert wired.wire.is_paused, "the end of the other pause changes nothing"
    wired.websocket.backpressure.release()
    assert not wired.wire.is_paused


async def test_pings_are_answered_while_the_conversation_is_busy() -> None:
    wired = Wired().open()
    wired.websocket.backpressure.hold()
    for number in range(MESSAGE_READ):
        wired.give(from_client(str(number).encode(), Opcode.PING))
    assert wired.frames() == [(Opcode.PONG, str(each).encode()) for each in range(MESSAGE_READ)]
    assert not wired.wire.is_paused


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.BINARY])
async def test_more_frames_than_may_come_are_a_flood(opcode: Opcode) -> None:
    wired = Wired(most=20).open()
    assert wired.heard is not None
    for _ in range(15):
        wired.give(from_client(b"", opcode))
    before = wired.heard.floods
    wired.give(from_client(b"", opcode) * 10)
    assert (before, wired.heard.floods) == (0, 1)


async def test_more_bytes_than_may_come_are_a_flood() -> None:
    wired = Wired(most=20).open()
    assert wired.heard is not None
    wired.give(from_client(bytes(20 * websocket.BYTES_LIKE_A_FRAME)))
    assert wired.heard.floods


# What goes out


async def test_a_message_of_any_length_arrives() -> None:
    wired = Wired().open()
    messages = [bytes(size) for size in (0, 1, 125, 126, 65_535, 65_536, 100_000)]
    wired.websocket.write(messages)
    assert [data for _, data in wired.frames()] == messages


@pytest.mark.parametrize("longest", [0, websocket.LONGEST_COMPRESSED])
async def test_what_is_not_too_long_is_compressed_where_that_was_agreed(
    monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    monkeypatch.setattr(websocket, "LONGEST_COMPRESSED", longest)
    wired = Wired(compresses=True).open()
    before = len(wired.wire.written)
    wired.websocket.write([LONG, LONG])
    is_shorter = len(wired.wire.written) - before < len(LONG)
    assert is_shorter == (longest > 0)
    assert [data for _, data in wired.frames()] == [LONG, LONG]
