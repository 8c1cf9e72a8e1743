"""What is read and written without the library means the same as with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from diadem_server.net.framing import Messages, head, short_message, size_from_client
from tests.server.net.wired import from_client

SIZES = (0, 1, 124, 125, 126, 127, 65_535, 65_536, 100_000)


def test_heads_are_those_that_the_library_writes() -> None:
    heads = {size: Frame(Opcode.BINARY, bytes(size)).serialize(mask=False) for size in SIZES}
    assert {size for size in SIZES if head(size) + bytes(size) != heads[size]} == set()


@given(st.binary(max_size=125))
def test_a_short_message_is_read_whatever_its_mask(payload: bytes) -> None:
    assert short_message(from_client(payload)) == payload


@given(st.binary(max_size=300), st.sampled_from(Opcode), st.booleans(), st.booleans())
def test_all_else_is_left_to_the_library(
    payload: bytes,
    opcode: Opcode,
    fin: bool,  # noqa: FBT001
    rsv1: bool,  # noqa: FBT001
) -> None:
    payload = payload[:125] if opcode >= Opcode.CLOSE else payload
    sent = Frame(opcode, payload, fin or opcode >= Opcode.CLOSE).serialize(mask=True)
    sent = bytes([sent[0] | (rsv1 << 6)]) + sent[1:]
    is_short = opcode is Opcode.BINARY and fin and not rsv1 and len(payload) <= 125
    assert short_message(sent) == (payload if is_short else None)
    assert short_message(sent[:-1]) is None
    assert short_message(sent + b"\x82") is None
    assert short_message(sent + sent) is None


@given(st.binary(max_size=8))
def test_any_bytes_are_a_message_or_none(data: bytes) -> None:
    message = short_message(data)
    assert message is None or len(message) == len(data) - 6


def test_an_unmasked_frame_is_no_message() -> None:
    assert short_message(Frame(Opcode.BINARY, b"0123456789").serialize(mask=False)) is None


def test_what_frames_take_is_known() -> None:
    taken = {size: len(from_client(bytes(size))) for size in SIZES}
    assert {size: size_from_client(Frame(Opcode.BINARY, bytes(size))) for size in SIZES} == taken


def test_fragments_are_put_together() -> None:
    messages = Messages()
    assert messages.add(Frame(Opcode.BINARY, b"one", fin=False)) is None
    assert messages.has_begun
    assert messages.add(Frame(Opcode.PONG, b"?")) is None
    assert messages.add(Frame(Opcode.CONT, b"", fin=False)) is None
    assert messages.add(Frame(Opcode.CONT, b"two")) == b"onetwo"
    assert not messages.has_begun
    assert messages.add(Frame(Opcode.BINARY, b"three")) == b"three"


def test_text_may_be_cut_within_a_letter() -> None:
    messages = Messages()
    letter = "é".encode()
    assert messages.add(Frame(Opcode.TEXT, letter[:1], fin=False)) is None
    assert messages.add(Frame(Opcode.CONT, letter[1:])) == "é"
    with pytest.raises(UnicodeDecodeError):
        messages.add(Frame(Opcode.TEXT, letter[:1]))
