"""The process of a gate, started by the server's supervisor.

What strangers send is parsed here, at a lower priority than the server's, in a process that holds no
table. The server talks to it over its standard input; see `messages`.
"""

import asyncio
import logging
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol, TypeAlias

from diadem_server.gates.admission import GateAdmission
from diadem_server.gates.messages import (
    LONGEST_LINE,
    LONGEST_LOG,
    CannotListen,
    Counted,
    Failed,
    FromGate,
    FromServer,
    GateLogLine,
    GateSettings,
    Listening,
    PlayerFilesFound,
    encoded,
    read_from_server,
)
from diadem_server.gates.server_link import ServerLink
from diadem_server.limits.limit_sync import Gatherer, Limits
from diadem_server.limits.rate_limits import Bucket

NICENESS = 5
"""See docs/decisions/0044: it gives way to the tables, and does not starve on a machine that has more to do."""
MOST_MEMORY = 512 << 20
"""The limit of address space in bytes; 75 MB are used without sessions."""
LINES_A_SECOND, LINES_AT_ONCE = 1.0, 100
"""The rate limit of log lines, and its burst; lines beyond it are dropped."""
MOST_UNSENT = 256 * 1024
"""The most bytes buffered for the server."""
FORMATTER = logging.Formatter()
TELL_SECONDS = 0.5
"""In which what limits have counted is gathered for other servers."""
OTHERS = 0
"""Stands for all other servers."""

Tell: TypeAlias = Callable[[FromGate], object]


class Gate(AbstractAsyncContextManager[Listening], Protocol):
    """Listens while it is entered; raises CannotListen or OSError."""

    admission: GateAdmission
    server: ServerLink

    @property
    def settings(self) -> GateSettings: ...


Open: TypeAlias = Callable[[bytes, Tell], Gate]
"""Makes a gate of its encoded settings; raises as above."""


def run(name: str, open_gate: Open) -> None:
    """Run a gate until the server closes its standard input."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(
            number, signal.SIG_IGN
        )  # they are for the server, which then closes the gate's standard input
    with suppress(OSError):  # the host may have taken away the right to
        os.nice(NICENESS)
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, MOST_MEMORY)):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))
    asyncio.run(_run(name, open_gate))


class Link:
    """The connection to the server."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def tell(self, message: FromGate) -> bool:
        """Whether there was room for it."""
        transport = self._writer.transport
        has_room = not transport.is_closing() and transport.get_write_buffer_size() < MOST_UNSENT
        if has_room:
            self._writer.write(encoded(message))
        return has_room

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


class LogHandler(logging.Handler):
    """Passes log records on to the server, rate limited."""

    def __init__(self, gate: str, tell: Tell) -> None:
        super().__init__()
        self._gate = gate
        self._tell = tell
        self._bucket = Bucket(LINES_A_SECOND, LINES_AT_ONCE)
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        if not self._bucket.take():
            self._left_out += 1
            return
        if self._left_out:
            self._say(
                logging.WARNING, f"the {self._gate} gate left out {self._left_out} lines of its log"
            )
            self._left_out = 0
        error = FORMATTER.formatException(record.exc_info) if record.exc_info else ""
        self._say(record.levelno, record.getMessage(), error)

    def _say(self, level: int, message: str, error: str = "") -> None:
        self._tell(GateLogLine(level, message[:LONGEST_LOG], error[-LONGEST_LOG:]))


async def _run(name: str, open_gate: Open) -> None:
    reader, writer = await asyncio.open_connection(
        sock=socket.socket(fileno=os.dup(0)), limit=LONGEST_LINE
    )
    link = Link(writer)
    logging.basicConfig(level=logging.INFO, handlers=[LogHandler(name, link.tell)], force=True)
    for chatty in ("asyncio", "websockets"):
        logging.getLogger(chatty).setLevel(logging.ERROR)
    settings = await reader.readline()
    try:
        gate = open_gate(settings, link.tell)
        if gate.settings.shares_limits:
            _share(gate.admission.shared, link)
        async with gate as listening:
            link.tell(listening)
            while said := await reader.readline():
                _heed(gate, read_from_server(said))
    except CannotListen as error:
        link.tell(Failed(str(error)))
    except OSError as error:
        link.tell(Failed(error.strerror or str(error), error.errno or 0))
    await link.close()


def _heed(gate: Gate, told: FromServer) -> None:
    match told:
        case Counted(limit, used, counts):
            gate.admission.shared.heard(OTHERS, limit, used, counts)
        case PlayerFilesFound():
            gate.server.found(told)


def _share(limits: Limits, link: Link) -> None:
    """Tell the server what these count; how much there is again, where there was no room for it."""

    def tell(name: str, used: dict[str, float], counts: dict[str, int]) -> None:
        if not link.tell(Counted(name, used, counts)):
            for key in counts:
                gatherer.count(name, key, limits.counts[name].here.get(key, 0))

    gatherer = Gatherer(tell, TELL_SECONDS)
    gatherer.follow(limits)
