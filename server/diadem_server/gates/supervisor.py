"""The supervisor of a gate: spawns its process, reads its messages, and restarts it with a backoff."""

import asyncio
import logging
import os
import socket
import sys
from contextlib import AsyncExitStack, suppress

import msgspec

from diadem_server.app import App
from diadem_server.gates.kinds import GateKind
from diadem_server.gates.messages import (
    LONGEST_HANDED,
    LONGEST_LINE,
    CannotListen,
    Counted,
    Failed,
    FromGate,
    FromServer,
    GateLogLine,
    KeepFile,
    Listening,
    PlayerFilesFound,
    SessionCount,
    WantFiles,
    encoded,
    read_from_gate,
    read_handed,
)
from diadem_server.gates.player_files import PlayerFiles
from diadem_server.limits.rate_limits import Bucket
from diadem_server.net.endpoint import Endpoint

log = logging.getLogger(__name__)

KEPT = ("PATH", "HOME", "TMPDIR", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")
"""Environment variables that are passed on to a gate and its clients."""
FIXED = {"LANG": "C.UTF-8", "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": "1"}
OPENING_SECONDS = 30.0
CLOSING_SECONDS = 20.0
"""The grace period in seconds in which a gate ends its sessions before it is killed."""
BACKOFF = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""The backoff in seconds before a gate that died is restarted, once after another."""
STEADY_SECONDS = 60.0
"""Seconds of running after which the backoff starts from the beginning."""
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 20.0, 200
"""The rate limit of a gate's messages, and its burst; backpressure leaves the rest in the socket."""
ENDED = "the %s gate has ended (status %d), another starts in %g s"
NOT_OPEN = "the %s gate was not open within %d seconds; this machine has too much to do"
MOST_UNREAD = 8 * 1024 * 1024
"""Bytes for a gate that it does not read, after which it is ended."""
LONGEST_COMPLAINT = 1000
"""Characters of a line on the gate's standard error."""


class Gate:
    """The process of a gate. It has ended when its socket is closed and it is reaped."""

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handed: socket.socket,
        endpoint: Endpoint,
    ) -> None:
        """`handed` is where it hands over connections, which go on at the endpoint."""
        self.name = name
        self._process = process
        self._reader = reader
        self._writer = writer
        self._messages = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
        self._complaints = asyncio.create_task(self._log_complaints())
        self._is_ending = False
        self._handed = handed
        self._endpoint = endpoint
        handed.setblocking(False)  # noqa: FBT003
        asyncio.get_running_loop().add_reader(handed, self._take_connection)

    @classmethod
    async def start(cls, kind: GateKind, port: int, endpoint: Endpoint) -> "Gate":
        ours, theirs = socket.socketpair()
        handed, handing = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            with theirs, handing:
                settings = kind.settings(handing.fileno(), port)
                process = await _spawn(kind.module, theirs.fileno(), handing.fileno())
            reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
        except BaseException:
            ours.close()
            handed.close()
            raise
        writer.write(encoded(settings))
        return cls(kind.name, process, reader, writer, handed, endpoint)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _take_connection(self) -> None:
        """Let a connection go on at the endpoint, for the player whom the gate says it is for."""
        files = list[int]()
        try:
            said, files, _flags, _from = socket.recv_fds(self._handed, LONGEST_HANDED, 1)
            whose = read_handed(said)
        except BlockingIOError:
            return
        except (OSError, msgspec.MsgspecError) as error:
            log.error("the %s gate hands over what is no connection: %s", self.name, error)
            for each in files:
                os.close(each)
            return
        for each in files:
            try:
                self._endpoint.take(socket.socket(fileno=each), whose.address, whose.token)
            except OSError as error:
                log.error("the %s gate hands over what is no socket: %s", self.name, error)
                os.close(each)

    def tell_counted(self, limit: str, used: dict[str, float], counts: dict[str, int]) -> None:
        """What limits of other servers have counted."""
        self.tell(Counted(limit, used, counts))

    def tell(self, message: FromServer) -> None:
        transport = self._writer.transport
        if self._is_ending or transport.is_closing():
            return
        self._writer.write(encoded(message))
        if transport.get_write_buffer_size() > MOST_UNREAD:
            log.error("the %s gate does not read, and is ended", self.name)
            transport.abort()

    async def message(self) -> FromGate | None:
        """The next message; None when the gate has ended, or sent what cannot be read."""
        await asyncio.sleep(self._messages.spend(1))
        try:
            said = await self._reader.readline()
            return read_from_gate(said) if said else None
        except (OSError, ValueError, msgspec.DecodeError) as error:
            log.error("the %s gate says what is not understood: %s", self.name, error)
            return None

    async def _log_complaints(self) -> None:
        """Log what the gate and its clients write to standard error, rate limited."""
        assert self._process.stderr is not None  # noqa: S101, it was asked for
        lines = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
        while said := await self._process.stderr.read(LONGEST_LINE):
            for each in said.decode(errors="replace").splitlines():
                if each.strip() and lines.take():
                    log.error("%s gate: %s", self.name, each[:LONGEST_COMPLAINT])

    async def end(self) -> int:
        """Let the gate end its sessions and itself, and kill it after the grace period; returns its exit status."""
        self._is_ending = True
        if self._writer.can_write_eof():
            with suppress(OSError):
                self._writer.write_eof()
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._process.wait()
        except TimeoutError:
            log.error("the %s gate does not end, and is killed", self.name)
            with suppress(PermissionError):  # without CAP_KILL, where it is another user
                self._process.kill()
        status = await self._process.wait()
        self._writer.close()
        asyncio.get_running_loop().remove_reader(self._handed)
        self._handed.close()
        # Its clients may have it open for a moment longer.
        await asyncio.wait([self._complaints], timeout=CLOSING_SECONDS)
        self._complaints.cancel()
        return status


async def _spawn(module: str, link: int, handing: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=link,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={name: os.environ[name] for name in KEPT if name in os.environ} | FIXED,
        pass_fds=[handing],
        # Ctrl+C is for the server, which then tells the gate. In a session of its own the gate would get
        # as much of the processor as the server, whatever its nice value, where Linux schedules
        # by session (autogroup).
        process_group=0,
    )


class Supervisor:
    """`async with Supervisor(kind, app) as gate:` runs the gate; `gate.port` says where it listens."""

    def __init__(self, kind: GateKind, app: App) -> None:
        self._kind = kind
        self._app = app
        self._files = PlayerFiles(app.config.data / kind.name / "players")
        self._endpoint = app.hosted_endpoint()
        self._gate: Gate | None = None
        self._supervising: asyncio.Task[None] | None = None
        self._exits = AsyncExitStack()
        self._closing = asyncio.Event()
        self.port = kind.port
        """Where players find it, and find it again, also where the system chose the port."""
        self.fingerprint = ""

    @property
    def pid(self) -> int | None:
        """The process id of the gate; None while there is none."""
        return None if self._gate is None else self._gate.pid

    async def __aenter__(self) -> "Supervisor":
        async with self._exits as exits:
            exits.push_async_callback(self._endpoint.close)
            gate = await self._open()
            self._supervising = asyncio.create_task(self._supervise(gate))
            exits.push_async_callback(self._close)
            self._exits = exits.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    async def _open(self) -> Gate:
        """Spawn the gate and wait until it listens; raises CannotListen or OSError."""
        gate = await Gate.start(self._kind, self.port, self._endpoint)
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                opened = await _opened(gate)
        except TimeoutError:
            await gate.end()
            raise CannotListen(NOT_OPEN % (self._kind.name, OPENING_SECONDS)) from None
        except BaseException:
            await gate.end()
            raise
        self.port, self.fingerprint = opened.port, opened.fingerprint
        self._app.lobby.doors.open(self._kind.name, opened.port)
        if self._kind.limits is not None:
            self._kind.limits.open(gate.tell_counted)
        if self._closing.is_set():
            await gate.end()
        else:
            self._gate = gate
        return gate

    async def _supervise(self, gate: Gate | None) -> None:
        loop = asyncio.get_running_loop()
        failures = 0
        while True:
            status, begun = None, loop.time()
            if gate is not None:
                await self._listen(gate)
                self._gate = None
                self._kind.count(0)
                if self._kind.limits is not None:
                    self._kind.limits.close()
                status = await gate.end()
            if self._closing.is_set():
                return
            failures = 0 if loop.time() - begun > STEADY_SECONDS else failures
            wait = BACKOFF[min(failures, len(BACKOFF) - 1)]
            failures += 1
            if status is not None:
                log.error(ENDED, self._kind.name, status, wait)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._closing.wait()
                    return
            gate = await self._reopen()

    async def _reopen(self) -> Gate | None:
        try:
            return await self._open()
        except (CannotListen, OSError) as error:
            log.error("the %s gate cannot be opened: %s", self._kind.name, error)
            return None

    async def _listen(self, gate: Gate) -> None:
        while message := await gate.message():
            match message:
                case WantFiles(player):
                    files = await asyncio.to_thread(self._files.of, player)
                    gate.tell(PlayerFilesFound(player, files))
                case KeepFile():
                    await asyncio.to_thread(self._keep, message)
                case SessionCount(count):
                    self._kind.count(count)
                case GateLogLine():
                    _log(message)
                case Counted(limit, used, counts) if self._kind.limits is not None:
                    self._kind.limits.heard(limit, used, counts)
                case _:
                    pass

    def _keep(self, file: KeepFile) -> None:
        try:
            self._files.keep(file.player, file.name, file.content)
        except OSError as error:
            log.error("settings of a player are not kept: %s", error)

    async def _close(self) -> None:
        """End the gate and its sessions, which tell their players."""
        assert self._supervising is not None  # noqa: S101, it was opened
        self._closing.set()
        if self._gate is not None:
            await self._gate.end()
        await asyncio.wait([self._supervising], timeout=OPENING_SECONDS)
        self._supervising.cancel()


async def _opened(gate: Gate) -> Listening:
    while isinstance(said := await gate.message(), GateLogLine):
        _log(said)
    match said:
        case Listening():
            return said
        case Failed(why, errno) if errno:
            raise OSError(errno, why)
        case Failed(why):
            raise CannotListen(why)
        case _:
            raise CannotListen(f"the {gate.name} gate ended before it was open")


def _log(said: GateLogLine) -> None:
    """Log a gate's line as the server's own."""
    log.handle(
        logging.makeLogRecord(
            {
                "name": log.name,
                "levelno": said.level,
                "levelname": logging.getLevelName(said.level),
                "msg": said.message,
                "exc_text": said.error or None,
            }
        )
    )
