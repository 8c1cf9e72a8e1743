"""Messages between the server and a gate: a JSON object a line, over the gate's standard input.

The server sends `GateSettings` first. When its side ends, the gate ends its sessions and itself. In between both tell what
is counted of limits that hold for several servers, and the gate asks for what is kept for players. Connections of players go
over a socket of their own, as open files, each with a `Handed`.
"""

from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from diadem_server.config import SshConfig, WebConfig
from diadem_shared.forkserver_protocol import FileContent, FileName


class CannotListen(Exception):
    """Why a gate cannot listen, in a line for the host."""


class GateUser(Struct, frozen=True):
    """The user that a gate becomes once it listens."""

    name: str
    user: int
    group: int
    is_wish: bool
    """Whether the host has named them: then nothing else will do."""


class GateSettings(Struct, frozen=True):
    """The configuration of a gate. It comes as a message, since others can read command lines."""

    handing: int
    """The descriptor of the socket at which it hands over connections."""
    data: Path
    host: str | None
    shares_limits: bool = False
    """Whether there are other servers that are to know what it counts."""
    user: GateUser | None = None
    """None for the server's own."""
    most_processes: int = 0
    """Of that user, threads included."""


class SshSettings(GateSettings, frozen=True, kw_only=True):
    ssh: SshConfig
    password: str | None = None
    """The server's password, which hosted clients send for players whose key the host lists."""


class WebSettings(GateSettings, frozen=True, kw_only=True):
    web: WebConfig
    name: str
    """Of the server."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: str = ""
    """The network that the proxy's connections come from, if there is one."""
    allow_hosts: tuple[str, ...] = ()


class Listening(Struct, frozen=True, tag=True):
    """The gate accepts connections."""

    port: int
    fingerprint: str = ""
    """Of its host key, if it has one."""


class Failed(Struct, frozen=True, tag=True):
    """The gate cannot listen, and why, in a line for the host."""

    why: str
    errno: int = 0
    """The errno, if the system refused."""


class SessionCount(Struct, frozen=True, tag=True):
    count: int


class GateLogLine(Struct, frozen=True, tag=True):
    """A line for the server's log."""

    level: int
    message: str
    error: str = ""
    """A traceback, after an unexpected error."""


Key: TypeAlias = Annotated[str, Meta(max_length=64)]


class Counted(Struct, frozen=True, tag=True):
    """What a limit has counted: by the gate, or by those of other servers."""

    limit: str
    used: dict[Key, Annotated[float, Meta(ge=0)]]
    """What was used up by key since this was told last."""
    counts: dict[Key, Annotated[int, Meta(ge=0)]]
    """How much there is now, of keys of which this has changed."""


PlayerFolder: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{32}$")]


class WantFiles(Struct, frozen=True, tag=True):
    """What is kept for this player is wanted."""

    player: PlayerFolder


class PlayerFilesFound(Struct, frozen=True, tag=True):
    """The server's answer."""

    player: PlayerFolder
    files: dict[FileName, FileContent]


class KeepFile(Struct, frozen=True, tag=True):
    """A file is to be kept for this player."""

    player: PlayerFolder
    name: FileName
    content: FileContent


class Handed(Struct, frozen=True):
    """Whose connection is handed over, which holds whatever is said over it."""

    address: Annotated[str, Meta(max_length=64)]
    """For which it counts."""
    token: Annotated[str, Meta(min_length=1, max_length=64)]


S = TypeVar("S", bound=GateSettings)

FromGate: TypeAlias = (
    Listening | Failed | SessionCount | GateLogLine | Counted | WantFiles | KeepFile
)
FromServer: TypeAlias = Counted | PlayerFilesFound

LONGEST_LINE = 1024 * 1024
LONGEST_LOG = 16 * 1024
LONGEST_HANDED = 1024
"""Bytes of a `Handed`."""


def _from_text(kind: type, text: Any) -> Any:
    return kind(text)


def read_settings(said: bytes, kind: type[S]) -> S:
    return msgspec.json.decode(said, type=kind, dec_hook=_from_text)


read_from_gate = msgspec.json.Decoder(FromGate).decode
read_from_server = msgspec.json.Decoder(FromServer).decode
read_handed = msgspec.json.Decoder(Handed).decode


def encoded(message: GateSettings | FromGate | FromServer) -> bytes:
    return msgspec.json.encode(message, enc_hook=str) + b"\n"
