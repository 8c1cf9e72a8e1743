"""A finished match as a file: lines of JSON, which may come from anybody. See "A match as a file" in docs/protocol.md."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct

from diadem_shared.entries import Entry, Setup
from diadem_shared.game import Outcome
from diadem_shared.games import GAMES
from diadem_shared.lenient import convert_known
from diadem_shared.match import Match, reopen_match
from diadem_shared.protocol import Hashed
from diadem_shared.refusals import Refusal, RefusalError

MOST_BYTES = 16 * 1024 * 1024
"""Of a file. A long match has some hundred kilobytes."""
MOST_LINE = 16 * 1024
"""Bytes of a line; that of a setup with a board has some 3,000."""
MOST_ENTRIES = 50_000
TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(Entry))


class Fault(StrEnum):
    """What is wrong with a file."""

    TOO_LONG = "too_long"
    NO_MATCH = "no_match"
    """It does not begin as one."""
    NOT_WHOLE = "not_whole"
    """Its last line is missing, or says another number of entries."""
    BAD_LINE = "bad_line"
    OTHER_RULES = "other_rules"
    """The game, or this version of its rules, is not known here."""
    NO_WORD_LIST = "no_word_list"
    OTHER_WORDS = "other_words"
    """A list of that name is here, and is another."""
    COMMITMENT = "commitment"
    """The secret is not what the server has committed to."""
    CHAIN = "chain"
    """The entries do not lead to the last link of the hash chain."""
    ILLEGAL = "illegal"
    RESULT = "result"
    """The entries lead to another state, or to other totals."""
    OTHER_MATCH = "other_match"
    """The chain is not the one that was seen while the match ran."""
    OTHER_VIEW = "other_view"
    """Something else was shown while the match ran."""
    LEFT_OUT = "left_out"
    """What this client has added to a round is not in it."""
    OTHER_SHUFFLE = "other_shuffle"
    """Where this client has opened its part of a shuffle, that shuffle is not in the file."""


class Untrue(Exception):
    """Something does not hold, at this entry or line if it is of one."""

    def __init__(self, fault: Fault, entry: int = 0, why: Refusal | None = None) -> None:
        super().__init__(fault, entry, why)
        self.fault = fault
        self.entry = entry
        self.why = why


def illegal(entry: int, error: Exception) -> Untrue:
    """What an entry with which the match cannot go on says of its file; 0 for how it is set up."""
    if not isinstance(error, RefusalError):
        return Untrue(Fault.ILLEGAL, entry)
    from diadem_shared.games.diamino.refusals import DiaminoCode  # noqa: PLC0415, games are loaded lazily

    lacks = error.refusal.code == DiaminoCode.NO_SUCH_WORD_LIST
    return Untrue(Fault.NO_WORD_LIST if lacks else Fault.ILLEGAL, entry, error.refusal)


class Header(Struct, frozen=True, tag="table"):
    """The first line."""

    table: Annotated[str, Meta(min_length=1, max_length=12)]
    version: int
    commitment: Hashed
    setup: Setup


class End(Struct, frozen=True, tag="end"):
    """The last line."""

    entries: int
    secret: Hashed
    chain: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
    digest: Annotated[str, Meta(max_length=64)]
    totals: Outcome


class MatchFile(Struct, frozen=True):
    header: Header
    entries: Sequence[Entry]
    end: End
    lines: Sequence[bytes]
    """The header and the entries as they are written, which the hash chain covers."""
    later: int = 0
    """The first entry that only later versions know, after which none is read; 0 if all are known."""


def read(data: bytes) -> MatchFile:
    """What is in a file; nothing of it is believed yet. Raises Untrue."""
    if len(data) > MOST_BYTES:
        raise Untrue(Fault.TOO_LONG)
    lines = data.split(b"\n", MOST_ENTRIES + 3)
    if lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MOST_ENTRIES + 2:
        raise Untrue(Fault.TOO_LONG)
    header = _line(lines[0] if lines else b"", Header, Fault.NO_MATCH)
    end = _line(lines[-1], End, Fault.NOT_WHOLE)
    between = lines[1:-1]
    if end.entries != len(between):
        raise Untrue(Fault.NOT_WHOLE)
    entries: list[Entry] = []
    for number, line in enumerate(between, 1):
        try:
            entries.append(_line(line, Entry, Fault.BAD_LINE, number))
        except Untrue:
            if not _is_later(line):
                raise
            return MatchFile(header, entries, end, lines[:-1], number)
    return MatchFile(header, entries, end, lines[:-1])


def opened(header: Header) -> Match:
    """The match before its first entry, under the version of the rules that it was played by. Raises Untrue."""
    game = GAMES.get(header.setup.game)
    if game is None or header.version not in range(1, game.version + 1):
        raise Untrue(Fault.OTHER_RULES)
    try:
        return reopen_match(header.setup, header.version)
    except RefusalError as refused:
        raise illegal(0, refused) from None


def _is_later(line: bytes) -> bool:
    """Whether it is an entry of a type that is not known here, or with more agreed on than is."""
    if len(line) > MOST_LINE:
        return False
    try:
        entry = msgspec.json.decode(line, type=dict[str, Any])
        if isinstance(entry.get("type"), str) and entry["type"] not in TAGS:
            return True
        convert_known(entry, Entry)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def _line(line: bytes, kind: Any, fault: Fault, number: int = 0) -> Any:
    if len(line) > MOST_LINE:
        raise Untrue(Fault.TOO_LONG, number)
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Untrue(fault, number) from None
