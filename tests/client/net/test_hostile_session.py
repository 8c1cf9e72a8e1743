"""A hostile server cannot break a client: its frames are accepted, or the connection is closed with a reason."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diadem_client.net import sanitize
from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.session import (
    ClientSession,
    ProtocolViolation,
    SessionPhase,
    UnknownMessage,
)
from diadem_client.net.transport import UNKNOWN_BURST, Closed
from diadem_client.state.client_state import KEPT_CHAT, KEPT_LINES, MOST_TABLES, ClientState
from diadem_client.wording.refusals import sentence_for
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Gone, LobbyView, Said, TableLine, Welcome, pack
from tests.cases import cases
from tests.client.refused import received
from tests.patience import PATIENCE
from tests.rig.captured_frames import frames_of, views_in
from tests.rig.hostile_server import END, HostileServer, standing, table_of
from tests.rig.mutations import BAD_TEXTS, DEEP, mutated, nested
from tests.thoroughness import times

ENDS = {END.why.code, "not_understood"}


@pytest.fixture(scope="module", params=GAMES)
def frames(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return asyncio.run(frames_of(request.param, tmp_path_factory.mktemp(request.param)))


async def told(said: Sequence[bytes | str], table: str | None = None) -> ClientState:
    """The picture after these frames, or as many as the client read."""
    async with standing(HostileServer(said, table=table)) as hostile:
        session = ClientSession("Ana", version="test", first_id=1)
        client = Client(Address("127.0.0.1", hostile.port), session, lambda _picture: None)
        async with asyncio.timeout(PATIENCE):
            await client.run()
        return client.client_state


def reason(client_state: ClientState) -> str:
    assert isinstance(client_state.link, Closed)
    sentence = sentence_for(client_state.link.why)
    assert sentence
    assert sentence.isprintable()
    return client_state.link.why.code


@pytest.mark.slow
def test_what_was_recorded_has_every_kind_of_message(frames: list[bytes]) -> None:
    kinds = {msgpack.unpackb(frame)["type"] for frame in frames}
    assert kinds >= {"welcome", "accepted", "refused", "lobby", "view", "said", "history"}
    assert kinds >= {"pong", "replays"}


def test_what_was_recorded_is_understood_to_the_end(frames: list[bytes]) -> None:
    """So that what is refused below is refused for what is wrong with it."""
    client_state = asyncio.run(told(frames[1:], table_of(frames)))
    assert reason(client_state) == END.why.code


@pytest.mark.slow
@settings(max_examples=times(60, 600))
@given(seed=st.integers(0, 2**32), count=st.integers(1, 8))
def test_mutated_frames_are_taken_or_end_the_line(
    frames: list[bytes], seed: int, count: int
) -> None:
    chance = Random(seed)
    said = [mutated(chance.choice(frames), chance, frames) for _ in range(count)]
    client_state = asyncio.run(told([views_in(frames)[0], *said], table_of(frames)))
    assert reason(client_state) in ENDS


@pytest.mark.slow
@settings(max_examples=times(100, 1000))
@given(st.lists(st.binary(max_size=200) | st.text(max_size=50), max_size=5))
def test_noise_is_taken_or_ends_the_line(noise: list[bytes | str]) -> None:
    assert reason(asyncio.run(told(noise))) in ENDS


def view(**changed: Any) -> bytes:
    """A view of a table before its start, with something else in it."""
    public: dict[str, Any] = {
        "setup": {"game": "diamoniak"},
        "players": [
            {"name": name, "bot": None, "away": False, "present": True, "ready": False}
            for name in ("Ana", "Bob")
        ],
        "phase": "gathering",
        "maker": 0,
        "actors": [],
        "rounds": [],
        "watchers": 0,
        "left": [],
        "deadline": None,
        "game": None,
    }
    message: dict[str, Any] = {
        "type": "view",
        "table": "K7F3",
        "number": 1,
        "entry": 2,
        "seat": 0,
        "private": None,
        "happened": [],
    }
    message |= {key: value for key, value in changed.items() if key in message}
    public |= {key: value for key, value in changed.items() if key not in message}
    packed: bytes = msgpack.packb(message | {"public": changed.get("public", public)})
    return packed


OUTCOME = {"scores": [1, 0], "tiebreaks": [0, 0]}
REFUSED: dict[str, bytes | str] = {
    "nesting": nested(DEEP),
    "nesting in a view": view(private=msgpack.unpackb(nested(DEEP))),
    "nesting in an event": view(happened=[{"entry": 1, "event": msgpack.unpackb(nested(100))}]),
    "nesting without end": nested(200_000),
    "a text frame": "hello",
    "an empty frame": b"",
    "no msgpack": b"\xc1",
    "no map": msgpack.packb([1, 2]),
    "a message without a type": msgpack.packb({"text": "hello"}),
    "a type that is no text": msgpack.packb({"type": 7}),
    "a known field of another type": view(number="one"),
    "an extension": view(private=msgpack.ExtType(5, b"x")),
    "a time": view(private=msgpack.Timestamp(1, 2)),
    "too many values": view(private=[0] * 200_000),
    "a frame too large": view(private="x" * (sanitize.MAX_FRAME_BYTES + 1)),
    "a frame of 16 MiB": view(private=b"x" * (16 * 1024 * 1024)),
    "a second welcome": pack(Welcome("Bob", "other", "Away", "0", None)),
    "an unknown game in another shape": view(setup={"game": "chess"}, game=[1, 2]),
    "an unknown phase": view(phase="asleep"),
    "a setup of another shape": view(setup=["diamoniak"]),
    "public in another shape": view(public=[1, 2, 3]),
    "public that is missing": view(public=None),
    "a seat that is not there": view(seat=9),
    "a seat below all": view(seat=-1),
    "a maker that is not there": view(maker=5),
    "actors that are not there": view(phase="playing", actors=[7]),
    "scores of more players": view(rounds=[{"scores": [1, 2, 3], "tiebreaks": [0, 0, 0]}]),
    "scores of fewer players": view(rounds=[OUTCOME, {"scores": [1], "tiebreaks": [0]}]),
    "more rounds than there can be": view(rounds=[OUTCOME] * 5_000),
    "more players than seats": view(
        players=[{"name": "x", "bot": None, "away": False, "present": True, "ready": False}] * 900
    ),
    "an event that is none": view(entry=3, happened=[{"entry": 3, "event": 7}]),
    "an event without a name": view(entry=3, happened=[{"entry": 3, "event": {"seat": 0}}]),
    "an unknown event with a key that is no text": view(
        entry=3, happened=[{"entry": 3, "event": {"type": "blew_up", 1: 2}}]
    ),
    "a known event of another shape": view(
        entry=3, happened=[{"entry": 3, "event": {"type": "drew", "seat": "Ana", "card": []}}]
    ),
    "a winner who is not there": view(
        entry=3,
        happened=[
            {"entry": 3, "event": {"type": "match_over", "totals": OUTCOME, "winners": [9, 8]}}
        ],
    ),
    "a view of the game in another shape": view(phase="playing", game={"deck": "many"}),
}
"""What cannot be true, or is too much."""


@cases("what", REFUSED)
def test_what_makes_no_sense_ends_the_line_with_a_sentence(what: str) -> None:
    client_state = asyncio.run(told([view(), REFUSED[what]], "K7F3"))
    assert reason(client_state) == "not_understood"
    assert client_state.table is not None  # what made sense is still there


def test_the_view_that_is_changed_above_makes_sense() -> None:
    assert reason(asyncio.run(told([view()], "K7F3"))) == END.why.code


# What only later servers say (docs/protocol.md, section 9)


def exploded(**fields: Any) -> bytes:
    return view(entry=3, happened=[{"entry": 3, "event": {"type": "blew_up", **fields}}])


@cases(
    ("event", "line"),
    [
        (exploded(), "blew up"),
        (exploded(seat=1, why="gas"), "Bob: blew up; why gas"),
        (exploded(seat=1, why=["x" * 2_000] * 50), "Bob: blew up"),
        (exploded(seat=9), "Somebody: blew up"),
    ],
)
def test_an_unknown_event_is_shown_by_its_name(event: bytes, line: str) -> None:
    client_state = asyncio.run(told([event], "K7F3"))
    assert reason(client_state) == END.why.code
    assert client_state.table is not None
    assert [each.text for each in client_state.table.log] == [line]


UNKNOWN = pack({"type": "weather", "sky": ["blue", None, {"clouds": 0}]})


@pytest.mark.parametrize("known", [view(), pack(LobbyView([])), pack(Said("Bob", 1, "hello"))])
async def test_unknown_messages_are_skipped(known: bytes) -> None:
    """However many, where what is known comes between them."""
    frames = [known, *[UNKNOWN] * (UNKNOWN_BURST - 1)] * 2
    client_state = await told([view(), *frames, pack(Said("Bob", 1, "well?"))], "K7F3")
    assert reason(client_state) == END.why.code
    assert client_state.table is not None
    assert client_state.table.chat[-1].text == "well?"


def test_an_unknown_message_may_come_before_the_welcome() -> None:
    session = ClientSession("Ana", version="test", first_id=1)
    session.connected()
    assert session.receive(UNKNOWN) == [UnknownMessage("weather")]
    assert session.phase is SessionPhase.HANDSHAKE


async def test_a_flood_of_unknown_messages_ends_the_line_with_a_sentence() -> None:
    hostile = HostileServer(flood=UNKNOWN, lasting=True)
    async with standing(hostile):
        session = ClientSession("Ana", version="test", first_id=1)
        client = Client(Address("127.0.0.1", hostile.port), session, lambda _picture: None)
        async with asyncio.timeout(PATIENCE):
            await client.run()
    assert reason(client.client_state) == "not_understood"


@cases("frame", [pack(LobbyView([])), view(), pack(Accepted(1)), pack(Said("", None, ""))])
def test_nothing_comes_before_the_welcome(frame: bytes) -> None:
    session = ClientSession("Ana", version="test", first_id=1)
    session.connected()
    assert isinstance(session.receive(frame)[0], ProtocolViolation)


@pytest.mark.parametrize(
    "welcome", [Welcome("A" * 21, "t", "", "", None), Welcome("Ana", "t" * 201, "", "", None)]
)
def test_what_is_kept_of_a_welcome_is_not_too_long(welcome: Welcome) -> None:
    session = ClientSession("Ana", version="test", first_id=1)
    session.connected()
    assert isinstance(session.receive(pack(welcome))[0], ProtocolViolation)
    assert session.token is None


@cases("text", BAD_TEXTS)
def test_every_text_is_made_harmless(text: str) -> None:
    """Whatever field it stands in."""
    session = ClientSession("Ana", version="test", first_id=1)
    for frame in (
        pack(Said(text, None, text)),
        pack(
            Gone(
                text, replace(received(text, {text: text, "list": [text]}), also=(received(text),))
            )
        ),
        pack(LobbyView([TableLine(text, text, (text,), 4, Phase.GATHERING, 1, spectators=True)])),
    ):
        (said,) = session.receive(frame)
        assert not isinstance(said, ProtocolViolation)
        texts = list(texts_in(said))
        assert texts
        for each in texts:
            assert each.isprintable()
            assert len(each) <= sanitize.MAX_TEXT


def texts_in(value: Any) -> Any:
    match value:
        case str():
            yield value
        case dict():
            for pair in value.items():
                yield from texts_in(pair)
        case list() | tuple():
            for each in value:
                yield from texts_in(each)
        case _ if hasattr(value, "__struct_fields__"):
            for name in value.__struct_fields__:
                yield from texts_in(getattr(value, name))
        case _:
            pass


@pytest.mark.slow
async def test_what_is_kept_has_an_end() -> None:
    line = TableLine("", "diadingo", (), 4, Phase.GATHERING, 1, spectators=True)
    lines = [msgpack.unpackb(pack(line)) | {"table": f"T{number}"} for number in range(5_000)]
    lobby = msgpack.packb({"type": "lobby", "tables": lines})
    happened = [{"entry": each, "event": {"type": "started"}} for each in range(3_000)]
    views = [view(number=each, entry=each, happened=happened) for each in range(3)]
    chat = [pack(Said("Bob", 1, str(number))) for number in range(3_000)]
    client_state = await told([view(), lobby, *views, *chat], "K7F3")
    assert reason(client_state) == END.why.code
    assert client_state.lobby is not None
    assert client_state.table is not None
    assert len(client_state.lobby) == MOST_TABLES
    assert len(client_state.table.chat) == KEPT_CHAT
    assert len(client_state.table.log) == KEPT_LINES
    assert len(client_state.table.happened) == KEPT_LINES


async def test_one_table_is_listed_once() -> None:
    line = TableLine("K7F3", "diadingo", (), 4, Phase.GATHERING, 1, spectators=True)
    client_state = await told([pack(LobbyView([line, line]))])
    assert client_state.lobby == (line,)


async def test_a_replay_of_an_old_view_is_only_a_view() -> None:
    views = [view(number=each, entry=each) for each in (2, 9, 3, 2, 2)]
    client_state = await told(views, "K7F3")
    assert reason(client_state) == END.why.code


def test_views_of_tables_where_nobody_is_are_not_kept() -> None:
    session = ClientSession("Ana", version="test", first_id=1)
    assert session.receive(view()) == []
