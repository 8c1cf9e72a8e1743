"""The connection to a server: opened, watched by a heartbeat, and reopened with a backoff when it breaks."""

import asyncio
import itertools
import logging
import random
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from math import inf
from typing import Any, TypeAlias

from msgspec import Struct, ValidationError
from websockets.exceptions import InvalidHandshake, InvalidStatus, NegotiationError
from websockets.http11 import Response

from diadem_client.i18n import sanitized
from diadem_client.net.address import Address
from diadem_client.net.sanitize import MAX_FRAME_BYTES
from diadem_client.net.session import (
    Answered,
    ByeReceived,
    ClientSession,
    ProtocolViolation,
    SessionEvent,
    SessionPhase,
    UnknownMessage,
    Welcomed,
)
from diadem_client.net.stream import StreamEnded
from diadem_client.net.websocket import ServerRestarts, Unreadable, WebSocket, connect
from diadem_client.refusals import ClientCode
from diadem_shared.protocol import SUBPROTOCOL, Refused
from diadem_shared.refusals import Refusal

log = logging.getLogger(__name__)

CONNECT_TIMEOUT = 8.0
HEARTBEAT_SECONDS = 4.0
"""The interval of the heartbeat's pings; half of it later the server counts as silent."""
HEARTBEAT_TIMEOUT = 8.0
"""After so much more silence the client reconnects. TCP alone would notice after a quarter of an hour, and retransmits so
seldom by then that a repaired connection stays idle for long."""
BACKOFF_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
HURRY_SECONDS = 5.0
"""Between two reconnects without a backoff."""
MAX_BACKOFF_SECONDS = 300.0
"""The longest retry-after that is honoured, in seconds."""
MAX_DIGITS = 6
FRAME_RATE = 500
FRAME_BURST = 250
"""Frames that are read in a second; a match of bots without a pause sends fewer."""
UNKNOWN_RATE = 20
UNKNOWN_BURST = 200
"""Messages of unknown types that are skipped in a second, with none between them that is known. A server that sends more
does not speak this protocol."""
MAX_LOGGED = 300
"""Characters of a frame that is logged because it was not understood."""
MAX_REASON = 200
"""Characters of a server's own text that are kept."""

NEVER_RETRIED = frozenset({ClientCode.NOT_UNDERSTOOD, ClientCode.VERSION_DIFFERS})
"""Failures after which the client does not reconnect."""
NOT_CONNECTED = Refusal(ClientCode.NOT_CONNECTED)
"""The answer to commands without a connection; they are not queued for later."""


class Connecting(Struct, frozen=True):
    pass


class Connected(Struct, frozen=True):
    pass


class Silent(Struct, frozen=True):
    """The connection is open, but nothing has been received since then."""

    since: float


class Reconnecting(Struct, frozen=True):
    at: float
    """When the next attempt is made, on the monotonic clock."""


class Closed(Struct, frozen=True):
    """There is no connection, and the client does not reconnect by itself."""

    why: Refusal


Link: TypeAlias = Connecting | Connected | Silent | Reconnecting | Closed


class ConnectionFailed(Exception):
    """A connection could not be opened, or broke."""

    def __init__(self, code: ClientCode, **about: Any) -> None:
        super().__init__(code)
        self.code = code
        self.about = about

    @property
    def wait(self) -> int:
        """Seconds after which the server asks the client to try again (retry-after)."""
        return int(self.about.get("seconds", 0))


class _Restarting(ConnectionFailed):
    """The server asks the client to connect again at once: another one goes on with the session."""


class Transport:
    def __init__(
        self,
        address: Address,
        session: ClientSession,
        told: Callable[[SessionEvent], None],
        changed: Callable[[Link], None],
    ) -> None:
        self._address = address
        self._session = session
        self._told = told
        self._changed = changed
        self._to_send = asyncio.Event()
        self._link: Link | None = None
        self._was_open = False
        self._last_heard = 0.0
        self._hurried = -inf
        """When it was last asked to connect again at once."""
        self.round_trip = 0.0
        """Seconds that the last answer to the heartbeat took."""

    def flush(self) -> None:
        """Send what is in the session's frames."""
        self._to_send.set()

    async def run(self) -> None:
        """Connect and reconnect until the server refuses the session, or the first connection cannot be opened."""
        backoff = _backoff()
        while True:
            asked_to_wait, at_once = 0.0, False
            self._set(Connecting())
            try:
                await self._run_connection()
            except ConnectionFailed as broken:
                log.info("no connection to %s: %s", self._address, broken.code)
                if not self._was_open or broken.code in NEVER_RETRIED:
                    about = {"server": str(self._address), **broken.about}
                    self._set(Closed(Refusal(broken.code, about)))
                    return
                asked_to_wait, at_once = broken.wait, isinstance(broken, _Restarting)
            except _ByeError as sent:
                if sent.dismissed.for_good or not self._was_open:
                    self._set(Closed(sent.dismissed.why))
                    return
                asked_to_wait = sent.dismissed.wait
            if isinstance(self._link, Connected | Silent):
                backoff = _backoff()
                if at_once and self._may_hurry():
                    continue
            wait = max(next(backoff), min(asked_to_wait, MAX_BACKOFF_SECONDS))
            self._set(Reconnecting(time.monotonic() + wait))
            await asyncio.sleep(wait)

    def _may_hurry(self) -> bool:
        """Whether to connect again without a pause: seldom, whatever a server asks for."""
        before, self._hurried = self._hurried, time.monotonic()
        return self._hurried - before >= HURRY_SECONDS

    def _set(self, link: Link) -> None:
        if link != self._link:
            self._link = link
            self._changed(link)

    # One connection

    async def _run_connection(self) -> None:
        async with self._connection() as connection:
            self._session.connected()
            self.flush()
            try:
                await _run_until_one_ends(
                    _unless_closed(self._send(connection)),
                    _unless_closed(self._heartbeat(connection)),
                    self._receive(connection),
                )
            except ExceptionGroup as broken:
                raise _reason_of(broken) from None
            finally:
                for command in self._session.disconnected():
                    self._told(Answered(command, Refused(command.id, NOT_CONNECTED)))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[WebSocket]:
        connection = await self._connect()
        try:
            yield connection
        finally:
            await connection.end()

    async def _connect(self) -> WebSocket:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                connection = await connect(self._address, SUBPROTOCOL, MAX_FRAME_BYTES)
        except TimeoutError:
            raise ConnectionFailed(ClientCode.NO_ANSWER) from None
        except socket.gaierror:
            raise ConnectionFailed(ClientCode.NO_SUCH_HOST) from None
        except ssl.SSLError:
            raise ConnectionFailed(ClientCode.NOT_SECURE) from None
        except OSError:
            raise ConnectionFailed(ClientCode.CONNECTION_REFUSED) from None
        except InvalidStatus as error:
            raise _handshake_refused(error.response) from None
        except NegotiationError:
            raise ConnectionFailed(ClientCode.VERSION_DIFFERS) from None
        except (InvalidHandshake, StreamEnded, ValueError):
            raise ConnectionFailed(ClientCode.NOT_DIADEM) from None
        if connection.subprotocol != SUBPROTOCOL:
            await connection.end()
            raise ConnectionFailed(ClientCode.VERSION_DIFFERS)
        return connection

    async def _send(self, connection: WebSocket) -> None:
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            while frame := self._session.next_frame():
                await connection.send(frame)

    async def _receive(self, connection: WebSocket) -> None:
        """Handle one frame after the other. A flood is throttled, so that keys and screen go on."""
        frames = _Bucket(FRAME_RATE, FRAME_BURST)
        unknown = _Bucket(UNKNOWN_RATE, UNKNOWN_BURST)
        while True:
            frame = await connection.receive()
            await asyncio.sleep(frames.take())
            for told in self._session.receive(frame):
                if not isinstance(told, UnknownMessage):
                    unknown.fill()
                    self._dispatch(told)
                elif unknown.take() > 0:
                    self._dispatch(ProtocolViolation(f"a flood of messages of type {told.type}"))
            self._mark_alive()
            if self._session.frames:
                self.flush()

    def _dispatch(self, told: SessionEvent) -> None:
        if isinstance(told, Welcomed):
            self._was_open = True
        try:
            self._told(told)
        except ValidationError as error:
            told = ProtocolViolation(str(error))
        except Exception as error:
            # What a server sends can contradict itself in more ways than there are checks.
            log.exception("a message of the server makes no sense")
            told = ProtocolViolation(repr(error))
        if isinstance(told, ProtocolViolation):
            log.error(
                "the server sent what is not understood: %s",
                sanitized(told.what[:MAX_LOGGED]),
            )
            raise ConnectionFailed(ClientCode.NOT_UNDERSTOOD)
        if isinstance(told, ByeReceived):
            raise _ByeError(told)

    async def _heartbeat(self, connection: WebSocket) -> None:
        """Ping the server, report when it is silent, and reconnect when it stays so."""
        while True:
            pong = connection.ping()
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
                    self.round_trip = await asyncio.shield(pong)
            except TimeoutError:
                self._set(Silent(self._last_heard))
                async with asyncio.timeout(HEARTBEAT_TIMEOUT):
                    self.round_trip = await pong
            self._mark_alive()
            await asyncio.sleep(HEARTBEAT_SECONDS)

    def _mark_alive(self) -> None:
        self._last_heard = time.monotonic()
        if self._session.phase is not SessionPhase.HANDSHAKE:
            self._set(Connected())


class _Bucket:
    """A token bucket, full at first."""

    def __init__(self, rate: float, burst: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._interval, self._span = 1 / rate, burst / rate
        self._empty_at = 0.0
        """When it was, or would be, empty."""
        self.fill()

    def fill(self) -> None:
        self._empty_at = self._clock() - self._span

    def take(self) -> float:
        """Take one token; the seconds to wait for it, none or less if it is there."""
        now = self._clock()
        self._empty_at = max(self._empty_at, now - self._span) + self._interval
        return self._empty_at - now


class _ByeError(Exception):
    def __init__(self, dismissed: ByeReceived) -> None:
        super().__init__(dismissed)
        self.dismissed = dismissed


async def _unless_closed(work: Coroutine[Any, Any, None]) -> None:
    """That the connection is closed is for whoever receives to find, after all that was sent before: the server may
    have said why."""
    with suppress(StreamEnded):
        await work
    await asyncio.get_running_loop().create_future()


async def _run_until_one_ends(*works: Coroutine[Any, Any, None]) -> None:
    """Raises what the works raised. A TaskGroup would lose a cancellation that comes while it ends the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    if errors := [each for each in outcomes if isinstance(each, Exception)]:
        raise ExceptionGroup("the connection broke", errors)


def _reason_of(broken: ExceptionGroup[Exception]) -> Exception:
    """Why a connection ended; a `bye` says more than the errors that came with it."""
    for kind in (_ByeError, ConnectionFailed):
        if told := next((each for each in broken.exceptions if isinstance(each, kind)), None):
            return told
    if any(isinstance(each, Unreadable) for each in broken.exceptions):
        return ConnectionFailed(ClientCode.NOT_UNDERSTOOD)
    if broken.subgroup(ServerRestarts):
        return _Restarting(ClientCode.CONNECTION_LOST)
    if broken.subgroup((StreamEnded, OSError)):  # a timeout is an OSError
        return ConnectionFailed(ClientCode.CONNECTION_LOST)
    return broken


def _handshake_refused(response: Response) -> ConnectionFailed:
    match response.status_code:
        case HTTPStatus.SERVICE_UNAVAILABLE:
            said = next(iter(response.headers.get_all("Retry-After")), "")
            if said.isascii() and said.isdigit() and len(said) < MAX_DIGITS:
                return ConnectionFailed(ClientCode.SERVER_FULL, seconds=int(said))
            return ConnectionFailed(ClientCode.SERVER_FULL)
        case HTTPStatus.FORBIDDEN:
            said = (response.body or b"").decode(errors="replace").partition("\n")[0]
            return ConnectionFailed(ClientCode.FORBIDDEN, what=sanitized(said[:MAX_REASON]))
        case _:
            return ConnectionFailed(ClientCode.NOT_DIADEM)


def _backoff() -> Iterator[float]:
    """Seconds to wait before each attempt, with jitter so that not all clients reconnect at once."""
    for pause in itertools.chain(BACKOFF_SECONDS, itertools.repeat(BACKOFF_SECONDS[-1])):
        yield pause * random.uniform(0.8, 1.2)
