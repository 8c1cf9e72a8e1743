"""docs/protocol.md tells the truth: every example can be sent, and nothing is left out."""

import base64
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import msgpack
from jsonschema import Draft202012Validator
from msgspec.structs import fields
from websockets.frames import CloseCode

import diadem_server
from diadem_shared.entries import Entry
from diadem_shared.games import GAMES
from diadem_shared.protocol import (
    FEATURES,
    FromClient,
    FromServer,
    TablePublic,
    pack,
    read_command,
    read_message,
)
from diadem_shared.refusals import Code
from tools.protocol_tables import PAGE, SCHEMA, renewed
from tools.protocol_tables.examples import EXAMPLES
from tools.protocol_tables.limits import CLOSE_CODES

TEXT = PAGE.read_text()
EXAMPLE = re.compile(r"```json\n(?P<map>.*?)```\n\n```hex\n(?P<bytes>.*?)```", re.DOTALL)
SHOWN = [(each["map"], bytes.fromhex(each["bytes"])) for each in EXAMPLE.finditer(TEXT)]
COMMANDS: Sequence[Any] = get_args(FromClient)
MESSAGES: Sequence[Any] = get_args(FromServer)


CONVERSATION = re.findall(r"```jsonl\n(.*?)```", TEXT.partition("\n## 1. ")[0], re.DOTALL)
"""The frames of the opening, by turns the client's and the server's."""


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


def _in_base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def test_an_example_is_the_same_as_a_map_and_as_bytes_and_can_be_read() -> None:
    commands = {kind.__struct_config__.tag for kind in COMMANDS}
    wrong = []
    for shown, frame in SHOWN:
        found = msgpack.unpackb(frame)
        message = read_command(frame) if found["type"] in commands else read_message(frame)
        as_shown = json.loads(json.dumps(found, default=_in_base64)) == json.loads(shown)
        if not as_shown or pack(message) != frame:
            wrong.append(shown)
    assert not wrong, "\n".join(wrong)


def test_the_conversation_is_what_both_sides_say() -> None:
    """From the hello to a finished move, each frame by the schema of the side that sends it."""
    schema = json.loads(SCHEMA.read_text())
    kinds = []
    for turn, frames in enumerate(CONVERSATION):
        sides = [{"$ref": "#/$defs/from_server" if turn % 2 else "#/$defs/from_client"}]
        validator = Draft202012Validator(schema | {"anyOf": sides})
        for message in map(json.loads, frames.splitlines()):
            assert validator.is_valid(message), message
            kinds.append(message["type"])
    assert kinds[:2] == ["hello", "welcome"]
    assert kinds[-3:] == ["play", "accepted", "view"]


def test_every_message_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == {*COMMANDS, *MESSAGES}
    assert len(SHOWN) == len(EXAMPLES)


def test_every_field_is_told() -> None:
    """Of every message, and of a table."""
    titles = [(kind.__struct_config__.tag, kind) for kind in (*COMMANDS, *MESSAGES)]
    missing = {
        f"{title}.{field.encode_name}"
        for title, kind in [*titles, ("TablePublic", TablePublic)]
        for field in fields(kind)
        if f"| `{field.encode_name}` |" not in section(title)
    }
    assert missing == set()


def test_every_game_is_told() -> None:
    missing = {name for game in GAMES.values() for name in _missing_of(game)}
    assert missing == set()


def _missing_of(game: Any) -> Iterator[str]:
    """Names of a game that its section does not have."""
    heading = next(
        line for line in TEXT.splitlines() if f"`{game.name}`" in line and line[0] == "#"
    )
    text = section(heading.strip("# `"))
    rows = [kind.__struct_config__.tag for kind in get_args(game.event_type)]
    for holder in (game.options_type, game.public_type, game.private_type):
        rows += [field.name for field in fields(holder)] if holder is not type(None) else []
    yield from (f"{game.name}: {name}" for name in rows if f"| `{name}` |" not in text)
    yield from (f"{game.name}: {level}" for level in game.bots if f"`{level}`" not in text)


def test_every_entry_and_every_code_is_told() -> None:
    entries = {f"| `{kind.__struct_config__.tag}` |" for kind in get_args(Entry)}
    codes = set(Code).union(*(game.refusals for game in GAMES.values()))
    told = entries | {f"`{code}`" for code in codes}
    assert {each for each in told if each not in TEXT} == set()


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
    assert {feature for feature in FEATURES if f"| `{feature}` |" not in TEXT} == set()
