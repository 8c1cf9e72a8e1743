"""The schema, the corpus and the decoders say the same of every frame."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgpack
import msgspec
import pytest
from jsonschema import Draft202012Validator

from diadem_shared import frames, protocol
from diadem_shared.description import refusal_lines
from diadem_shared.entries import Entry
from diadem_shared.frames import from_json
from diadem_shared.games import GAMES
from diadem_shared.protocol import BadFrame, FromClient, FromServer, read_command, read_message
from diadem_shared.protocol.json_frames import as_json
from diadem_shared.schema import schema
from tests.cases import cases
from tests.rig.later_server import later
from tests.sample_game import Numbers
from tools.protocol_tables import SCHEMA, corpus, written_schema


def names(line: dict[str, Any]) -> str:
    return f"{line['from']} {line['json']['type']}"


LINES: list[dict[str, Any]] = [json.loads(each) for each in corpus.FRAMES.read_text().splitlines()]
REFUSED: list[dict[str, Any]] = [
    json.loads(each) for each in corpus.REFUSED.read_text().splitlines()
]
FROM_SERVER = [line for line in LINES if line["from"] == "server"]
ONE_OF_EACH = {names(line): line for line in FROM_SERVER}
"""A line of each type: to hold one against the schema takes 100 times as long as to read it."""
WHOLE = json.loads(SCHEMA.read_text())
NODE = shutil.which("node")


@cache
def of(definition: str) -> Draft202012Validator:
    return Draft202012Validator(WHOLE | {"anyOf": [{"$ref": f"#/$defs/{definition}"}]})


def as_plain(value: Any) -> Any:
    """As JSON has it."""
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case dict():
            return {key: as_plain(each) for key, each in value.items()}
        case list():
            return [as_plain(each) for each in value]
        case _:
            return value


# What is written down is what the code says


def test_the_schema_is_that_of_the_code() -> None:
    """If not: python -m tools.protocol_tables"""
    assert SCHEMA.read_text() == written_schema()


def test_the_corpus_is_that_of_the_code() -> None:
    """If not: python -m tools.protocol_tables"""
    assert corpus.FRAMES.read_text().splitlines() == list(corpus.lines())
    assert corpus.REFUSED.read_text().splitlines() == list(corpus.refused_lines())


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(WHOLE)


def test_a_game_is_in_the_schema_once_it_is_in_the_registry() -> None:
    game = Numbers()
    defs = schema({game.name: game})["$defs"]
    assert {"numbers.view", "numbers.event", "numbers.move", "numbers.options"} <= defs.keys()


def test_validators_of_other_languages_take_it() -> None:
    """They know the keywords of the standard alone, and name classes by titles."""
    titles = [each["title"] for each in WHOLE["$defs"].values() if "title" in each]
    as_classes = ["".join(filter(str.isalnum, each.lower())) for each in (*titles, *WHOLE["$defs"])]
    assert len({*as_classes}) == len(WHOLE["$defs"])
    assert len({*titles}) == len(titles)
    assert '"discriminator"' not in SCHEMA.read_text()


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_each_pattern_is_one_of_javascript() -> None:
    """With the flag by which validators read it."""
    found = {each["pattern"] for each in _maps_in(WHOLE) if isinstance(each.get("pattern"), str)}
    script = f"for (const each of {json.dumps(sorted(found))}) new RegExp(each, 'u')"
    subprocess.run([str(NODE), "-e", script], check=True)  # noqa: S603


def _maps_in(value: Any) -> Iterator[dict[str, Any]]:
    match value:
        case dict():
            yield value
            for each in value.values():
                yield from _maps_in(each)
        case list():
            for each in value:
                yield from _maps_in(each)
        case _:
            pass


def _reachable(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The definitions that one holds, by name."""
    left, met = [name], {name}
    while left:
        name = left.pop()
        yield name, WHOLE["$defs"][name]
        for each in _maps_in(WHOLE["$defs"][name]):
            held = str(each.get("$ref", "")).removeprefix("#/$defs/")
            if held and held not in met:
                met.add(held)
                left.append(held)


def test_what_a_client_sends_is_closed_and_what_a_server_sends_is_open() -> None:
    sent, told = dict(_reachable("from_client")), dict(_reachable("from_server"))
    for name, each in sent.items():
        assert name == "hello" or "properties" not in each or not each["additionalProperties"]
    for name, each in told.items():
        assert each.get("additionalProperties") is not False, name
    assert {"Setup", "TurnClock", "diadingo.options"} <= sent.keys() - told.keys()
    assert {"agreed.Setup", "agreed.TurnClock", "agreed.diadingo.options"} <= told.keys()


def test_messages_entries_and_events_have_the_names_that_they_have_on_the_wire() -> None:
    for kind in (*get_args(FromClient), *get_args(FromServer)):
        assert kind.__struct_config__.tag in WHOLE["$defs"]
    assert {"entry.sat", "event.match_over", "castles.drew", "diamino.laid"} <= WHOLE[
        "$defs"
    ].keys()


# Nothing is left out


def test_every_message_is_in_the_corpus() -> None:
    for sender, union in (("client", FromClient), ("server", FromServer)):
        found = {line["json"]["type"] for line in LINES if line["from"] == sender}
        assert found == {kind.__struct_config__.tag for kind in get_args(union)}


def _events() -> Iterator[str]:
    for line in LINES:
        for happened in line["json"].get("happened", ()):
            yield happened["event"]["type"]


def test_every_event_and_entry_is_in_the_corpus() -> None:
    unions = [Entry, *(game.event_type for game in GAMES.values())]
    tags = {kind.__struct_config__.tag for union in unions for kind in get_args(union)}
    assert tags - {"moved"} <= set(_events())


def test_every_refusal_is_in_the_corpus() -> None:
    found = {line["json"]["why"]["code"] for line in LINES if line["json"]["type"] == "refused"}
    assert found == {line.code for line in refusal_lines(GAMES.values())}


def test_every_kind_of_move_of_every_game_is_in_the_corpus() -> None:
    views = [line["json"] for line in LINES if line["json"]["type"] == "view"]
    assert {view["public"]["setup"]["game"] for view in views} == set(GAMES)
    played = {line["json"]["move"].split()[0] for line in LINES if line["json"]["type"] == "play"}
    forms = {
        form.split()[0]
        for game in GAMES.values()
        for form in WHOLE["$defs"][f"{game.name}.move"]["examples"]
    }
    assert forms <= played


# All agree


@cases("line", LINES, ids=names)
def test_both_encodings_the_decoders_and_the_schema_agree(line: dict[str, Any]) -> None:
    packed = bytes.fromhex(line["msgpack"])
    assert as_plain(msgpack.unpackb(packed)) == line["json"]
    of(f"from_{line['from']}").validate(line["json"])
    written = json.dumps(line["json"])
    if line["from"] == "client":
        assert read_command(packed) == read_command(from_json(written))
    else:
        assert as_plain(
            msgspec.to_builtins(read_message(packed), builtin_types=(bytes,))
        ) == msgspec.to_builtins(msgspec.json.decode(written, type=FromServer))


@cases("line", REFUSED, ids=lambda line: json.dumps(line["json"])[:60])
def test_what_a_server_refuses_the_schema_refuses(line: dict[str, Any]) -> None:
    with pytest.raises(BadFrame) as refused:
        read_command(bytes.fromhex(line["msgpack"]))
    assert refused.value.refusal.code == line["code"]
    assert refused.value.refusal.about.get("field", "") == line["field"]
    assert from_json(json.dumps(line["json"])) == bytes.fromhex(line["msgpack"])
    assert not of("from_client").is_valid(line["json"])


@cases("name", GAMES)
def test_the_schema_knows_what_is_no_move_of_a_game(name: str) -> None:
    move = of(f"{name}.move")
    assert not any(map(move.is_valid, ("", "castle", "draw draw", "take C44", "pass now", 3)))


def test_what_is_told_of_a_refusal_has_its_type() -> None:
    assert not of("Refusal").is_valid({"code": "too_fast", "about": {"seconds": "soon"}})
    assert of("Refusal").is_valid({"code": "not_heard_of_yet", "about": {"by": "Ana"}})


@cases("line", LINES, ids=names)
def test_what_is_written_as_json_part_by_part_is_the_same(line: dict[str, Any]) -> None:
    frame = bytes.fromhex(line["msgpack"])
    assert as_json(frame) == frames.as_json(frame)


# What may be added later


@cases("wrong", [{"type": "tried", "seat": "Ana"}, {"type": "sat"}, {"name": "none"}, 7])
def test_what_is_known_has_the_types_of_the_schema(wrong: Any) -> None:
    """However open that is."""
    view: Any = next(
        line["json"]
        for line in FROM_SERVER
        if line["json"]["type"] == "view" and line["json"]["public"]["setup"]["game"] == "diadingo"
    )
    assert of("from_server").is_valid(view | {"happened": []})
    assert not of("from_server").is_valid(view | {"happened": [{"entry": 1, "event": wrong}]})


def test_what_is_no_message_is_refused_by_the_schema() -> None:
    for wrong in (7, {}, {"type": 7}, {"type": "welcome"}, {"type": "said", "name": 1}):
        assert not of("from_server").is_valid(wrong)


@cases("line", FROM_SERVER, ids=names)
def test_a_field_that_is_not_known_is_ignored_in_whatever_a_server_says(
    line: dict[str, Any],
) -> None:
    with_more = _with_more(msgpack.unpackb(bytes.fromhex(line["msgpack"])))
    known = read_message(bytes.fromhex(line["msgpack"]))
    read = read_message(msgpack.packb(with_more))
    assert type(read) is type(known)
    compared = {"id", "name", "token", "table", "entry", "seat", "number", "why", "text"}
    for name in compared & {*known.__struct_fields__}:
        assert getattr(read, name) == getattr(known, name)
    if line is ONE_OF_EACH[names(line)]:
        for each in later(json.loads(json.dumps(line["json"]))):
            of("from_server").validate(as_plain(each))


def _with_more(value: Any) -> Any:
    """Each message, and each part of one, has a field that nobody knows."""
    match value:
        case {"type": _} | {"name": _, "bot": _} | {"entry": _, "event": _}:
            return {**{key: _with_more(each) for key, each in value.items()}, "later": [1]}
        case dict():
            return {key: _with_more(each) for key, each in value.items()}
        case list():
            return [_with_more(each) for each in value]
        case _:
            return value


@cases("kind", get_args(FromClient), ids=lambda kind: kind.__name__)
def test_a_field_that_is_not_known_is_refused_in_commands_and_ignored_in_a_hello(
    kind: Any,
) -> None:
    """A server that does not know a field must not do as if it had heeded it."""
    line = next(each for each in LINES if each["json"]["type"] == kind.__struct_config__.tag)
    later = msgpack.packb({**msgpack.unpackb(bytes.fromhex(line["msgpack"])), "later": 1})
    if kind is protocol.Hello:
        assert read_command(later) == read_command(bytes.fromhex(line["msgpack"]))
        return
    with pytest.raises(BadFrame) as refused:
        read_command(later)
    assert refused.value.refusal.about["field"] == "later"
