"""What is read of a frame, and what is said of one that is wrong."""

from typing import Any

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diadem_shared.frames import BadFrame, BadValue, FrameReader, from_json
from diadem_shared.protocol import MAX_FRAME, FromClient, Play, pack, read_command
from diadem_shared.refusals import Code
from tests.cases import cases

plain = FrameReader[FromClient](FromClient, MAX_FRAME)
"""Reads every frame in the way in which the other reads those that are wrong."""

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=70)
    | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
commands = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["play", "hello", "make", "check", "say", "ping", "ready", "x"]) | values,
        "id": st.integers(0, 2**53) | values,
        "move": st.text(max_size=650) | values,
        "name": st.text(max_size=70) | values,
        "text": st.text(max_size=510) | values,
        "ready": st.booleans() | values,
        "draft": st.dictionaries(st.text(max_size=5), st.text(max_size=2), max_size=3) | values,
        "setup": st.fixed_dictionaries({"game": st.text()}, optional={"rounds": values}) | values,
        "more": values,
    },
)  # fmt: skip


def outcome(read: FrameReader[FromClient], frame: bytes | str) -> Any:
    try:
        return read(frame)
    except BadFrame as bad:
        return type(bad), bad.id, bad.refusal


@given(commands | values)
@example({"type": "play", "id": 1, "move": "draw"})
def test_what_is_right_is_read_and_what_is_wrong_is_named_alike_either_way(found: Any) -> None:
    frame = msgpack.packb(found)
    assert repr(outcome(read_command, frame)) == repr(outcome(plain, frame))


@given(st.binary(max_size=40), st.integers(0, 60))
def test_no_bytes_are_read_in_two_ways(noise: bytes, at: int) -> None:
    frame = pack(Play(70_000, "draw 12 34"))
    spoilt = frame[:at] + noise + frame[at + len(noise) :]
    assert repr(outcome(read_command, spoilt)) == repr(outcome(plain, spoilt))


@cases(
    "frame", ["draw", bytes(MAX_FRAME + 1), b"", b"\xc1", b"\x91" * 2_000, b"\xdf\xff\xff\xff\xff"]
)
def test_what_is_no_message_is_refused_without_an_id(frame: bytes | str) -> None:
    with pytest.raises(BadFrame) as raised:
        read_command(frame)
    assert (raised.value.id, raised.value.refusal.code) == (0, Code.BAD_FRAME)


@cases(
    ("text", "place"),
    [
        ('{"type": "ping", "id" 1}', "(byte 22)"),
        ('{"type": "ping"} {}', "(byte 18)"),
        ('{"type": "ping", "id": 1', "truncated"),
        ('{"type": "ping", "id": ' + "9" * 400 + "}", "2**64"),
    ],
)
def test_what_is_no_json_is_told_with_the_place(text: str, place: str) -> None:
    with pytest.raises(BadFrame) as raised:
        read_command(from_json(text))
    assert str(raised.value).startswith("no JSON: ")
    assert place in str(raised.value)


def test_text_is_not_repeated_where_it_is_no_message() -> None:
    with pytest.raises(BadFrame) as raised:
        read_command("secret")
    assert "secret" not in str(raised.value)


def test_a_value_that_may_not_be_names_command_and_field() -> None:
    with pytest.raises(BadValue) as raised:
        read_command(msgpack.packb({"type": "play", "id": 7, "move": "x" * 601}))
    assert raised.value.id == 7
    assert raised.value.refusal.about["field"] == "move"
