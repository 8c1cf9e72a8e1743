"""What the page and the gate say to each other in text, besides the bytes of the terminal; see docs/web.md."""

from enum import IntEnum
from typing import Literal

import msgspec
from msgspec import Struct

VERSION: Literal[1] = 1
NARROWEST, WIDEST = 20, 300
LOWEST, HIGHEST = 5, 120
Size = tuple[int, int]


class Close(IntEnum):
    """Why the gate closes a websocket, which tells the page whether to come back."""

    LEFT = 1000
    """The client ended, as its player left."""
    RESTARTING = 1012
    BUSY = 1013
    """Too many are here, or they come too often: later there may be room."""
    ELSEWHERE = 4001
    """Another window of this browser took over."""
    BAD_MESSAGE = 4002
    """What the page said first, or later, cannot be understood, or came too late."""
    NOT_LET_IN = 4003
    FLOODED = 4004


class BadMessage(Exception):
    """The page says what the gate does not understand."""


class Hello(Struct, frozen=True):
    """The first message: who comes, and what their window is like."""

    v: Literal[1]
    size: Size
    name: str = ""
    lang: str = ""
    table: str = ""
    resume: bool = False
    """Whether this window had a screen before, and lost its line."""


class Resized(Struct, frozen=True):
    size: Size


class Welcome(Struct, frozen=True):
    v: int
    server: str
    table: str


_read_hello = msgspec.json.Decoder(Hello).decode
_read_resized = msgspec.json.Decoder(Resized).decode


def read_hello(said: bytes | str) -> Hello:
    if not isinstance(said, str):
        raise BadMessage
    try:
        return _read_hello(said)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadMessage from None


def read_resized(said: str) -> Size:
    try:
        return bounded(_read_resized(said).size)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadMessage from None


def bounded(size: Size) -> Size:
    """A size that a client can draw, whatever a page may say."""
    columns, rows = size
    return min(max(columns, NARROWEST), WIDEST), min(max(rows, LOWEST), HIGHEST)


def welcome(server: str, table: str) -> str:
    return msgspec.json.encode(Welcome(VERSION, server, table)).decode()
