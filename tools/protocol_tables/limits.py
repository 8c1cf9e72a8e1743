"""What a server allows and how it closes connections: the numbers from where they are kept, in a sentence each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from msgspec import Struct
from msgspec.inspect import DictType, Metadata, StrType, StructType, type_info
from websockets.frames import CloseCode

from diadem_server.config import MEGABYTE, Config
from diadem_server.lobby.commands import QUERIES
from diadem_server.lobby.lobby import FREE_GUESSES as FREE_CODES
from diadem_server.lobby.moderation import MOST_MUTED
from diadem_server.lobby.table_limits import MOST_BEFORE_START, MOST_OWN
from diadem_server.net.command_weights import WEIGHTS
from diadem_server.net.connection import BAD_FRAMES, BAD_FRAMES_A_SECOND, MOST_TOO_FAST
from diadem_server.net.outbox import MOST_WAITING, STALLED_SECONDS
from diadem_server.net.server_limits import BOT_PACE
from diadem_server.net.websocket import KEEPALIVE_SECONDS
from diadem_server.sessions.answers import MOST_IN_FLIGHT
from diadem_server.sessions.passwords import FREE_GUESSES as FREE_PASSWORDS
from diadem_server.table.bans import MOST_BANNED
from diadem_server.table.chat import (
    PERSON_A_SECOND,
    PERSON_AT_ONCE,
    TABLE_A_SECOND,
    TABLE_AT_ONCE,
)
from diadem_server.table.entry_writer import MOST_BYTES, MOST_ENTRIES, MOST_ENTRIES_A_ROUND
from diadem_server.table.seating import MOST_ABSENCES
from diadem_shared import protocol
from diadem_shared.protocol import LONGEST_NAME, MAX_FRAME, MAX_MESSAGE, MOST_ONLOOKERS_NAMED
from diadem_shared.refusals import Code

KIB = 1024
AFTER_A_WHILE = "after a second, then more and more seldom"
CLOSE_CODES: Mapping[CloseCode, tuple[str, str]] = {
    CloseCode.NORMAL_CLOSURE: ("the client closed", ""),
    CloseCode.GOING_AWAY: (
        f"the server closes, a newer connection has come (`{Code.REPLACED}`), or this node of a cluster does",
        f"after a second, but not after `{Code.REPLACED}`",
    ),
    CloseCode.PROTOCOL_ERROR: ("what came was no websocket frame", "mend the client"),
    CloseCode.INVALID_DATA: ("what came was no UTF-8", "mend the client"),
    CloseCode.POLICY_VIOLATION: (
        "sent away: no hello, bad frames, haste, a password, a name",
        "as the `bye` says",
    ),
    CloseCode.MESSAGE_TOO_BIG: (
        f"a frame of more than {MAX_FRAME // KIB} KiB (`{Code.FRAME_TOO_LONG}`)",
        "send shorter ones",
    ),
    CloseCode.INTERNAL_ERROR: (
        f"the server broke down over this connection, or no ping was answered for {KEEPALIVE_SECONDS:g} seconds",
        "after a second",
    ),
    CloseCode.SERVICE_RESTART: ("the table goes on elsewhere in a cluster", "at once"),
    CloseCode.TRY_AGAIN_LATER: (f"`{Code.JOURNAL_UNAVAILABLE}`", AFTER_A_WHILE),
    CloseCode.ABNORMAL_CLOSURE: ("no code came: the network failed", AFTER_A_WHILE),
}
"""What each means, and when to come again."""


def closing() -> Iterator[str]:
    yield from ("| code | means | come again |", "|---|---|---|")
    for code, (means, again) in sorted(CLOSE_CODES.items()):
        yield f"| {code.value} | {means} | {again} |"


def asked_anew() -> Iterator[str]:
    yield _tags(QUERIES)


def weights() -> Iterator[str]:
    yield from ("| command | counts for |", "|---|---|")
    for weight in sorted({*WEIGHTS.values()} - {1}):
        kinds = [kind for kind, each in WEIGHTS.items() if each == weight]
        yield f"| {_tags(kinds)} | {weight} |"


def _tags(kinds: Iterable[Any]) -> str:
    return ", ".join(sorted(f"`{kind.__struct_config__.tag}`" for kind in kinds))


def limits() -> Iterator[str]:
    yield from ("| what | how much | beyond it |", "|---|---|---|")
    for what, how_much, beyond in (*_of_frames(), *_of_people(), *_of_tables(), *_of_connections()):
        told = ", ".join(f"`{each}`" if isinstance(each, Code) else each for each in beyond)
        yield f"| {what} | {how_much} | {told} |"


Row = tuple[str, str, tuple[Code | str, ...]]


def _of_frames() -> Iterator[Row]:
    too_long = (Code.FRAME_TOO_LONG, str(CloseCode.MESSAGE_TOO_BIG.value))
    yield "a frame from a client", f"{MAX_FRAME // KIB} KiB", too_long
    only = f"{MAX_MESSAGE // KIB**2} MiB; only a replay comes near"
    yield "a message from the server", only, ()
    seconds = round(1 / BAD_FRAMES_A_SECOND)
    bad = f"{BAD_FRAMES}, one more every {seconds} seconds"
    yield "bad frames", bad, (Code.TOO_MANY_BAD_FRAMES,)
    waiting = f"{MOST_WAITING // KIB**2} MiB waiting, or {STALLED_SECONDS:g} seconds"
    cut = "it is cut off; a view that waits is replaced by a newer one"
    yield "a client that reads nothing", waiting, (cut,)


def _of_people() -> Iterator[Row]:
    config = Config
    name = (
        f"1 to {_longest(protocol.Hello, 'name')} letters sent, {LONGEST_NAME} once it is cleaned"
    )
    yield "a name", name, (Code.BAD_FRAME, Code.NAME_TOO_LONG)
    rate = f"{config.burst} at once, {config.commands_a_second:g} a second; of a bot with a token {BOT_PACE} times that"
    yield "commands of a player", rate, (Code.TOO_FAST, f"after {MOST_TOO_FAST} of those the `bye`")
    yield "commands in flight", str(MOST_IN_FLIGHT), (Code.TOO_FAST,)
    chat = (
        f"{_longest(protocol.Say, 'text')} letters; {PERSON_AT_ONCE} at once and {PERSON_A_SECOND:g} a second of a person, "
        f"{TABLE_AT_ONCE} and {TABLE_A_SECOND:g} at a table"
    )
    yield "lines of chat", chat, (Code.BAD_VALUE, Code.TOO_FAST)
    move = f"{_longest(protocol.Play, 'move')} letters, {_longest(protocol.Check, 'draft')} fields"
    yield "a move, a draft", move, (Code.BAD_VALUE,)
    word = f"{_longest(protocol.LookUp, 'word')} letters"
    yield "a word to look up", word, (Code.BAD_VALUE,)
    free = f"{FREE_PASSWORDS}, {FREE_CODES} from one network, then ever longer pauses"
    yield "wrong passwords, codes of no table", free, (Code.TOO_MANY_GUESSES, Code.TOO_FAST)
    yield "mutes of a player", str(MOST_MUTED), (Code.LIST_FULL,)
    newcomers = f"{config.newcomers_an_hour} an hour, and as many at once"
    yield "new players from one network", newcomers, (Code.TOO_MANY_NEWCOMERS,)
    written = f"{config.written_an_hour // MEGABYTE} MB an hour, and as many at once"
    yield "bytes written for one network", written, (Code.TOO_MUCH_WRITTEN,)


def _of_tables() -> Iterator[Row]:
    changes = f"{MOST_BEFORE_START}, {MOST_ABSENCES}"
    yield "entries before the start, absences of a seat", changes, (Code.TOO_MANY_CHANGES,)
    long = (
        f"{MOST_ENTRIES_A_ROUND} of a round, {MOST_ENTRIES} of a match, {MOST_BYTES // KIB**2} MiB"
    )
    yield "entries", long, (Code.MATCH_TOO_LONG, "the match ends where it stands")
    most = f"{Config.max_tables}, {MOST_OWN}, {Config.max_tables_per_address}"
    made = f"{most}; {Config.tables_a_minute} a minute may be made from one network"
    refused = (
        *(Code.TOO_MANY_TABLES, Code.TOO_MANY_OWN_TABLES, Code.TOO_MANY_TABLES_FROM_ADDRESS),
        Code.TOO_FAST,
    )
    yield "tables: in all, of one player, of one network", made, refused
    yield "bans of a table", str(MOST_BANNED), (Code.LIST_FULL,)
    rest = ("the rest are counted in `watchers`",)
    yield "onlookers named in a view", str(MOST_ONLOOKERS_NAMED), rest


def _of_connections() -> Iterator[Row]:
    rate = f"{Config.connections_a_second:g} a second once twice that have come"
    most = f"{Config.max_connections}, {Config.max_per_address}; {rate}"
    yield "connections: in all, from one network", most, ("503", "then no answer")


def _longest(kind: type[Struct], name: str) -> int:
    """Of a field, in letters or in entries."""
    fields = cast("StructType", type_info(kind)).fields
    (type_,) = (field.type for field in fields if field.name == name)
    if isinstance(type_, Metadata):
        type_ = type_.type
    most = cast("StrType | DictType", type_).max_length
    if most is None:
        raise TypeError(kind, name)
    return most
