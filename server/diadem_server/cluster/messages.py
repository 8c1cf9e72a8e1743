"""What nodes say to each other. A channel is one conversation with a client, on the link between its front and its home."""

from typing import Any

import msgspec
from msgspec import Struct

from diadem_server.net.handover import Handover
from diadem_shared.protocol import TableLine

LINK_VERSION = 1
"""Raised when nodes of the version before would not understand what is said on a link, or not be understood: messages may
get more fields at their ends, with defaults, as those who do not know them pass them over; nothing else may change."""


class Message(Struct, array_like=True, frozen=True):
    pass


# While a link is made


class Challenge(Message, frozen=True, tag=1):
    """By the node that was dialled."""

    nonce: bytes
    version: int = 1
    """The LINK_VERSION of this node."""


class Proof(Message, frozen=True, tag=2):
    """By the node that has dialled: it knows the secret of the cluster. See `certificate.proof`."""

    dialler: int
    dialled: int
    proof: bytes
    version: int = 1


class Agreed(Message, frozen=True, tag=3):
    """By the node that was dialled: the link can be used."""


class Beat(Message, frozen=True, tag=4):
    """The link is alive."""


class Removed(Message, frozen=True, tag=5):
    """Whoever is told this is not in the register any more. It may not reach the database to see that by itself."""


# From the front to the home of a conversation


class Open(Message, frozen=True, tag=10):
    """Hold it from now on."""

    channel: int
    handover: Handover


class ClientFrame(Message, frozen=True, tag=11):
    """What the client has sent."""

    channel: int
    message: Any  # bytes, or str: msgspec knows no union of them


class HoldAck(Message, frozen=True, tag=12):
    """Nothing more comes until the home says so, for the time of that number that it was told to hold."""

    channel: int
    number: int


class Pause(Message, frozen=True, tag=13):
    """The client reads too slowly."""

    channel: int


class Resume(Message, frozen=True, tag=14):
    channel: int


class ClientGone(Message, frozen=True, tag=15):
    """The client is gone, or its conversation has arrived elsewhere."""

    channel: int


# From the home to the front


class Opened(Message, frozen=True, tag=20):
    """The conversation goes on here."""

    channel: int


class ServerFrames(Message, frozen=True, tag=21):
    """What is to be sent to the client."""

    channel: int
    messages: list[bytes]


class Hold(Message, frozen=True, tag=22):
    """Read nothing more from the client."""

    channel: int
    number: int


class Release(Message, frozen=True, tag=23):
    channel: int


class Moved(Message, frozen=True, tag=24):
    """The conversation goes on at another node, perhaps at the front."""

    channel: int
    node: int
    handover: Handover


class End(Message, frozen=True, tag=25):
    """Disconnect the client, once what was said before is sent; without waiting for it, if it has failed."""

    channel: int
    code: int
    reason: str
    has_failed: bool = False


class Abort(Message, frozen=True, tag=26):
    """Cut the line to the client."""

    channel: int


# Between any two


class Lines(Message, frozen=True, tag=30):
    """What the lobby shows of tables of the node that says so; None of those that it does not show any more."""

    lines: dict[str, TableLine | None]
    are_all: bool = False
    """There are no others."""


class Replaced(Message, frozen=True, tag=31):
    """A newer connection of this session has come elsewhere: the one of this number is to end."""

    session: int
    connection: int


class Counted(Message, frozen=True, tag=32):
    """What a limit by address has counted at the node that says so."""

    name: str
    """Of the limit."""
    used: dict[str, float] = {}
    """What was used up by key since this was told last."""
    counts: dict[str, int] = {}
    """How much there is now, of keys of which this has changed."""


ToHome = Open | ClientFrame | HoldAck | Pause | Resume | ClientGone
ToFront = Opened | ServerFrames | Hold | Release | Moved | End | Abort
Greeting = Challenge | Proof | Agreed
AnyMessage = Greeting | Beat | Removed | ToHome | ToFront | Lines | Replaced | Counted

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyMessage).decode
