"""docs/protocol.md tells the truth: every example can be sent, and nothing is left out."""

import json
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, get_args

import msgpack
import pytest
from msgspec.structs import fields
from websockets.frames import CloseCode

import diadem_server
from diadem.entries import Entry
from diadem.games import GAMES
from diadem.protocol import (
    FEATURES,
    FromClient,
    FromServer,
    TablePublic,
    pack,
    read_command,
    read_message,
)
from diadem.refusals import Code
from tools.protocol_tables import PAGE, renewed
from tools.protocol_tables.examples import EXAMPLES
from tools.protocol_tables.limits import CLOSE_CODES

TEXT = PAGE.read_text()
EXAMPLE = re.compile(r"```json\n(?P<map>.*?)```\n\n```hex\n(?P<bytes>.*?)```", re.DOTALL)
SHOWN = [(each["map"], bytes.fromhex(each["bytes"])) for each in EXAMPLE.finditer(TEXT)]
COMMANDS: Sequence[Any] = get_args(FromClient)
MESSAGES: Sequence[Any] = get_args(FromServer)


def section(title: str) -> str:
    """What stands below a heading, up to the next of its rank or higher."""
    found = re.search(
        rf"^(#+) `?{re.escape(title)}`?\n(.*?)(?=^#{{1,3}} |\Z)", TEXT, re.MULTILINE | re.DOTALL
    )
    assert found, title
    return found[2]


def test_the_tables_are_those_of_the_code() -> None:
    """If not: python -m tools.protocol_tables"""
    assert renewed(TEXT) == TEXT


@pytest.mark.parametrize(("shown", "frame"), SHOWN, ids=[each[0][:40] for each in SHOWN])
def test_an_example_is_the_same_as_a_map_and_as_bytes_and_can_be_read(
    shown: str, frame: bytes
) -> None:
    found = msgpack.unpackb(frame)
    assert json.loads(json.dumps(found, default=bytes.hex)) == json.loads(shown)
    asked = found["type"] in {kind.__struct_config__.tag for kind in COMMANDS}
    message = read_command(frame) if asked else read_message(frame)
    assert pack(message) == frame


def test_every_message_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == {*COMMANDS, *MESSAGES}
    assert len(SHOWN) == len(EXAMPLES)


@pytest.mark.parametrize("kind", [*COMMANDS, *MESSAGES], ids=lambda kind: kind.__name__)
def test_every_field_of_every_message_is_told(kind: Any) -> None:
    text = section(kind.__struct_config__.tag)
    for field in fields(kind):
        assert f"| `{field.encode_name}` |" in text


def test_every_field_of_a_table_is_told() -> None:
    assert all(f"| `{field.name}` |" in section("TablePublic") for field in fields(TablePublic))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_is_told(game: Any) -> None:
    heading = next(
        line for line in TEXT.splitlines() if f"`{game.name}`" in line and line[0] == "#"
    )
    text = section(heading.strip("# `"))
    for kind, place in product(get_args(game.event_type), [text]):
        assert f"| `{kind.__struct_config__.tag}` |" in place
    for holder in (game.options_type, game.public_type, game.private_type):
        names = [field.name for field in fields(holder)] if holder is not type(None) else []
        assert all(f"| `{name}` |" in text for name in names)
    assert all(f"`{level}`" in text for level in game.bots)


def test_every_entry_and_every_code_is_told() -> None:
    assert all(f"| `{kind.__struct_config__.tag}` |" in TEXT for kind in get_args(Entry))
    codes = set(Code).union(*(game.refusals for game in GAMES.values()))
    assert all(f"`{code}`" in TEXT for code in codes)


def test_every_code_by_which_the_server_closes_is_told() -> None:
    root = Path(diadem_server.__path__[0])
    sources = [
        path.read_text()
        for part in ("", "net", "lobby", "cluster")
        for path in (root / part).glob("*.py")
    ]
    named = {
        CloseCode[name] for text in sources for name in re.findall(r"CloseCode\.([A-Z_]+)", text)
    }
    of_the_library = {
        CloseCode.NORMAL_CLOSURE,
        CloseCode.PROTOCOL_ERROR,
        CloseCode.ABNORMAL_CLOSURE,
    }
    assert len(named) > 5
    assert CLOSE_CODES.keys() == named | of_the_library


def test_every_feature_is_told() -> None:
    assert all(f"| `{feature}` |" in TEXT for feature in FEATURES)
