"""What a server sends is sanitized and bounded before it is used."""

from typing import Any

import msgpack
import pytest

from diadem_client.net.sanitize import (
    MAX_DEPTH,
    MAX_FRAME_BYTES,
    MAX_TEXT,
    MAX_VALUES,
    read_sanitized,
)
from diadem_shared.protocol import BadFrame, Gone, Said, TableView, Welcome, pack
from diadem_shared.refusals import Code, Refusal

STEERS = "a\x1b]0;title\x07b\u202ec\x9b2Jd"
WELCOME = Welcome("Ana", "token", "Home", "0.1.0", None)


def view(game: Any) -> bytes:
    return pack(TableView("K7F3", 1, 1, 0, game, None, []))


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_harmless_stays_as_it_was() -> None:
    for message in (WELCOME, Said("Bob", 1, "hello"), Gone("K7F3", Refusal(Code.REMOVED))):
        assert read_sanitized(pack(message)) == message


def test_no_text_steers_a_terminal_however_deep_it_lies() -> None:
    said = read_sanitized(pack(Said(STEERS, None, STEERS)))
    seen = read_sanitized(view({STEERS: [{"names": (STEERS,)}]}))
    assert isinstance(said, Said)
    assert isinstance(seen, TableView)
    ((key, (inner,)),) = seen.public.items()
    for text in (said.name, said.text, key, *inner["names"]):
        assert text.isprintable()
        assert text.startswith("a")


def test_a_text_is_cut() -> None:
    said = read_sanitized(pack(Said("Bob", None, "x" * (MAX_TEXT + 1))))
    assert isinstance(said, Said)
    assert said.text == "x" * MAX_TEXT


def test_a_board_keeps_its_lines_and_nothing_else_does() -> None:
    rows = "S..\n.R\x1b."
    seen = read_sanitized(view({"board": rows, "name": rows}))
    assert isinstance(seen, TableView)
    assert seen.public["board"].split("\n")[0] == "S.."
    assert "\x1b" not in seen.public["board"]
    assert "\n" not in seen.public["name"]


def test_values_too_deep_or_too_many_are_no_message() -> None:
    read_sanitized(view(nested(MAX_DEPTH // 2)))
    with pytest.raises(BadFrame):
        read_sanitized(view(nested(MAX_DEPTH)))
    with pytest.raises(BadFrame):
        read_sanitized(view([0] * MAX_VALUES))


def test_a_frame_too_large_is_not_even_read() -> None:
    with pytest.raises(BadFrame, match="too large"):
        read_sanitized(b"\xc1" * (MAX_FRAME_BYTES + 1))


def test_a_value_of_a_kind_that_nobody_sends_is_no_message() -> None:
    frame = msgpack.unpackb(view(0)) | {"public": msgpack.ExtType(5, b"x")}
    with pytest.raises(BadFrame):
        read_sanitized(msgpack.packb(frame))


@pytest.mark.parametrize("field", ["name", "token"])
def test_names_and_tokens_that_are_kept_are_short(field: str) -> None:
    frame = msgpack.unpackb(pack(WELCOME)) | {field: "x" * 1_000}
    with pytest.raises(BadFrame, match="too long"):
        read_sanitized(msgpack.packb(frame))
