"""Messages between a gate and the hosted clients it runs, besides the protocol.

A fork server has loaded a client, and forks it for each player (spawn). It is asked in frames of a fixed size, over a socket that
carries open files too. Each client then has a *line* to the gate, a socket pair of its own: the gate sends its orders, and the client asks for what it
cannot do by itself. It may open no socket, so the gate makes its connections to the server; and it may write no file, so the gate has its
settings kept. Both go by who the gate knows the player to be, whatever the client says.
"""

import re
from enum import IntEnum, IntFlag
from struct import Struct as Layout
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

TABLE_CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""What a player may write behind `ssh -t HOST`: the code of a table."""
ASKED = Layout("!BIB")
"""An `Request`, the number of the client, and the signal it is sent. SPAWN comes with two open files: the
terminal, and the client's end of its line."""
TOLD = Layout("!Ii")
"""A client has ended: its number, and its exit status, negative where a signal ended it. Of number 0 it is what clients are confined by."""
CONFINED = 0

PAGE = "diadem"
"""TERM_PROGRAM of a client that is shown by the page in a browser."""


class Request(IntEnum):
    SPAWN = 1
    SIGNAL = 2


class Layer(IntFlag):
    """What hosted clients are confined by; see `diadem_client.hosted.sandbox`."""

    LIMITS = 1
    PRIVILEGES = 2
    LANDLOCK = 4
    SECCOMP = 8
    AUDIT_HOOK = 16


NO_LAYER = Layer(0)
LAYER_NAMES = {
    Layer.SECCOMP: "seccomp",
    Layer.LANDLOCK: "Landlock",
    Layer.PRIVILEGES: "no privileges",
    Layer.LIMITS: "limits",
    Layer.AUDIT_HOOK: "the audit hook",
}


# The line of a client

LENGTH = Layout("!I")
"""Before each message, its bytes."""
LONGEST_FILE = 256 * 1024
LONGEST_MESSAGE = 2 * LONGEST_FILE + 64 * 1024
CONNECTED = b"+"
"""The answer to `Connect`, with which the connection comes as an open file."""

FileName: TypeAlias = Literal["client.json", "puzzles.json"]
"""The files that are kept for a player: their settings, and which puzzles they have solved."""
FileContent: TypeAlias = Annotated[bytes, Meta(max_length=LONGEST_FILE)]


class LaunchRequest(Struct, frozen=True):
    """The orders for one session, the first message on its line. Others can read command lines."""

    name: str
    environment: dict[str, str]
    password: str = ""
    table: str = ""
    is_known: bool = False
    """Whether the player is the same when they come back; a guest is not, and nothing is kept for them."""
    files: dict[FileName, bytes] = {}
    """What was kept for them."""
    reached: str = ""
    """The name or address by which the player came to the gate, for those whom they invite."""
    page: str = ""
    """The origin of the page, for a player in a browser."""
    idle: float = 0.0
    """Seconds without a key after which the session is closed; 0 for never."""


class Connect(Struct, frozen=True, tag=True):
    """Another connection to the server is wanted."""


class Keep(Struct, frozen=True, tag=True):
    """A file of the player is to be kept."""

    name: FileName
    content: FileContent


def framed(message: LaunchRequest | Connect | Keep) -> bytes:
    content = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(content)) + content


read_orders = msgspec.msgpack.Decoder(LaunchRequest).decode
read_from_client = msgspec.msgpack.Decoder(Connect | Keep).decode
