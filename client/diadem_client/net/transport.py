"""The line to a server: it is opened, watched, and opened again when it breaks."""

import asyncio
import itertools
import logging
import random
import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

from msgspec import Struct, ValidationError
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidStatus,
    NegotiationError,
    WebSocketException,
)
from websockets.http11 import Response
from websockets.typing import Subprotocol

from diadem.protocol import SUBPROTOCOL, Refused
from diadem.refusals import Refusal
from diadem_client.i18n import harmless
from diadem_client.net.address import Address
from diadem_client.net.incoming import LARGEST
from diadem_client.net.session import (
    Answered,
    Dismissed,
    NotUnderstood,
    Phase,
    Session,
    Told,
    Welcomed,
)
from diadem_client.refusals import ClientCode

log = logging.getLogger(__name__)

OPEN_SECONDS = 8.0
PING_SECONDS = 4.0
"""How often the line is tried; half of it later the server counts as silent."""
DEAD_SECONDS = 8.0
"""After so long more without a sign of the server the line is given up and another one tried: TCP alone
would find out after a quarter of an hour, and even a line that is whole again may then rest for long."""
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
LONGEST_WAIT = 300.0
"""Seconds that are waited for before the next try, however many a server asks for."""
MOST_DIGITS = 6
MOST_WAITING = 4
"""Frames that are read ahead."""
FRAMES_A_SECOND = 500
FRAMES_AT_ONCE = 250
"""How many are read; a match of bots without a pause sends fewer."""
LONGEST_COMPLAINT = 300
"""Letters in the log of what was not understood."""
UNREADABLE = frozenset({1002, 1003, 1007, 1009})
"""What websockets closes a line with when what came is against its rules, or too much."""
LONGEST_REASON = 200
"""Letters, of what a server says in its own words."""

FOR_GOOD = frozenset({ClientCode.NOT_UNDERSTOOD, ClientCode.VERSION_DIFFERS})
"""What would only happen again over another line."""
NOT_CONNECTED = Refusal(ClientCode.NOT_CONNECTED)
"""What is asked for while there is no line, or was not sent before it broke, is not done later."""


class Connecting(Struct, frozen=True):
    pass


class Connected(Struct, frozen=True):
    pass


class Silent(Struct, frozen=True):
    """The line stands, but nothing has been heard since then."""

    since: float


class Reconnecting(Struct, frozen=True):
    at: float
    """When the next try is made, on the monotonic clock."""


class Closed(Struct, frozen=True):
    """No line, and none will be opened again by itself."""

    why: Refusal


Link: TypeAlias = Connecting | Connected | Silent | Reconnecting | Closed


class NoLine(Exception):
    """A line could not be opened, or broke."""

    def __init__(self, code: ClientCode, **about: Any) -> None:
        super().__init__(code)
        self.code = code
        self.about = about

    @property
    def wait(self) -> int:
        """Seconds after which the server would have us try again."""
        return int(self.about.get("seconds", 0))


class Transport:
    def __init__(
        self,
        address: Address,
        session: Session,
        told: Callable[[Told], None],
        changed: Callable[[Link], None],
    ) -> None:
        self._address = address
        self._session = session
        self._told = told
        self._changed = changed
        self._to_send = asyncio.Event()
        self._link: Link | None = None
        self._was_open = False
        self._heard = 0.0

    def flush(self) -> None:
        """There is something in the session's frames."""
        self._to_send.set()

    async def run(self) -> None:
        """Until the server will not have us, or the first line cannot be opened."""
        waits = _waits()
        while True:
            asked_to_wait = 0.0
            self._set(Connecting())
            try:
                await self._hold_a_line()
            except NoLine as broken:
                log.info("no line to %s: %s", self._address, broken.code)
                if not self._was_open or broken.code in FOR_GOOD:
                    about = {"server": str(self._address), **broken.about}
                    self._set(Closed(Refusal(broken.code, about)))
                    return
                asked_to_wait = broken.wait
            except _SentAway as sent:
                if sent.dismissed.for_good or not self._was_open:
                    self._set(Closed(sent.dismissed.why))
                    return
                asked_to_wait = sent.dismissed.wait
            if isinstance(self._link, Connected | Silent):
                waits = _waits()
            wait = max(next(waits), min(asked_to_wait, LONGEST_WAIT))
            self._set(Reconnecting(time.monotonic() + wait))
            await asyncio.sleep(wait)

    def _set(self, link: Link) -> None:
        if link != self._link:
            self._link = link
            self._changed(link)

    # One line

    async def _hold_a_line(self) -> None:
        async with self._opened() as line:
            self._session.connected()
            self.flush()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._send(line))
                    group.create_task(self._watch(line))
                    group.create_task(self._receive(line))
            except ExceptionGroup as broken:
                raise _reason(broken) from None
            finally:
                for command in self._session.lost():
                    self._told(Answered(command, Refused(command.id, NOT_CONNECTED)))

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[ClientConnection]:
        line = await self._open()
        try:
            yield line
        finally:
            line.transport.abort()
            with suppress(ConnectionClosed):
                await line.wait_closed()

    async def _open(self) -> ClientConnection:
        try:
            line = await self._dial(
                uri=self._address.url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                open_timeout=OPEN_SECONDS,
                ping_interval=None,  # the watch below does that, and can say since when
                max_size=LARGEST,
                max_queue=MOST_WAITING,
                proxy=None,
                user_agent_header=None,
            )
        except TimeoutError:
            raise NoLine(ClientCode.NO_ANSWER) from None
        except socket.gaierror:
            raise NoLine(ClientCode.NO_SUCH_HOST) from None
        except ssl.SSLError:
            raise NoLine(ClientCode.NOT_SECURE) from None
        except OSError:
            raise NoLine(ClientCode.CONNECTION_REFUSED) from None
        except InvalidStatus as error:
            raise _not_let_in(error.response) from None
        except NegotiationError:
            raise NoLine(ClientCode.VERSION_DIFFERS) from None
        except (WebSocketException, EOFError, ValueError):
            raise NoLine(ClientCode.NOT_DIADEM) from None
        if line.subprotocol != SUBPROTOCOL:
            line.transport.abort()
            raise NoLine(ClientCode.VERSION_DIFFERS)
        return line

    @property
    def _dial(self) -> Callable[..., Awaitable[ClientConnection]]:
        """With host and port by themselves no redirection is followed to anywhere else."""
        address = self._address
        if not address.socket:
            return partial(connect, host=address.host, port=address.port)
        headers = {"X-Forwarded-For": address.player_from} if address.player_from else {}
        return partial(unix_connect, address.socket, additional_headers=headers)

    async def _send(self, line: ClientConnection) -> None:
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            while frame := self._session.next_frame():
                await line.send(frame)

    async def _receive(self, line: ClientConnection) -> None:
        """One frame after the other; a flood is slowed, so that keys and screen go on."""
        clock = asyncio.get_running_loop().time
        even = clock()
        async for frame in line:
            even = max(even, clock() - FRAMES_AT_ONCE / FRAMES_A_SECOND) + 1 / FRAMES_A_SECOND
            await asyncio.sleep(even - clock())
            for told in self._session.receive(frame):
                self._pass_on(told)
            self._hear()
            if self._session.frames:
                self.flush()
        raise NoLine(ClientCode.CONNECTION_LOST)

    def _pass_on(self, told: Told) -> None:
        if isinstance(told, Welcomed):
            self._was_open = True
        try:
            self._told(told)
        except ValidationError as error:
            told = NotUnderstood(str(error))
        except Exception as error:
            # What a server sends can contradict itself in more ways than there are checks.
            log.exception("a message of the server makes no sense")
            told = NotUnderstood(repr(error))
        if isinstance(told, NotUnderstood):
            log.error(
                "the server sent what is not understood: %s",
                harmless(told.what[:LONGEST_COMPLAINT]),
            )
            raise NoLine(ClientCode.NOT_UNDERSTOOD)
        if isinstance(told, Dismissed):
            raise _SentAway(told)

    async def _watch(self, line: ClientConnection) -> None:
        """Ask for a sign of life now and then, and tell when there is none."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            pong = await line.ping()
            try:
                async with asyncio.timeout(PING_SECONDS / 2):
                    await asyncio.shield(pong)
            except TimeoutError:
                self._set(Silent(self._heard))
                async with asyncio.timeout(DEAD_SECONDS):
                    await pong
            self._hear()

    def _hear(self) -> None:
        self._heard = time.monotonic()
        if self._session.phase is not Phase.GREETING:
            self._set(Connected())


class _SentAway(Exception):
    def __init__(self, dismissed: Dismissed) -> None:
        super().__init__(dismissed)
        self.dismissed = dismissed


def _reason(broken: ExceptionGroup[Exception]) -> Exception:
    """Why a line ended: a good-bye says more than the silence that came with it."""
    for kind in (_SentAway, NoLine):
        if told := next((each for each in broken.exceptions if isinstance(each, kind)), None):
            return told
    closed = [each for each in broken.exceptions if isinstance(each, ConnectionClosed)]
    if any(map(_is_unreadable, closed)):
        return NoLine(ClientCode.NOT_UNDERSTOOD)
    if closed or broken.subgroup(OSError):  # a timeout is an OSError
        return NoLine(ClientCode.CONNECTION_LOST)
    return broken


def _not_let_in(response: Response) -> NoLine:
    match response.status_code:
        case HTTPStatus.SERVICE_UNAVAILABLE:
            said = response.headers.get("Retry-After", "")
            is_number = said.isascii() and said.isdigit() and len(said) < MOST_DIGITS
            return (
                NoLine(ClientCode.SERVER_FULL, seconds=int(said))
                if is_number
                else NoLine(ClientCode.SERVER_FULL)
            )
        case HTTPStatus.FORBIDDEN:
            said = (response.body or b"").decode(errors="replace").partition("\n")[0]
            return NoLine(ClientCode.FORBIDDEN, what=harmless(said[:LONGEST_REASON]))
        case _:
            return NoLine(ClientCode.NOT_DIADEM)


def _is_unreadable(closed: ConnectionClosed) -> bool:
    """Whether this side has closed it for what came over it."""
    return closed.sent is not None and closed.sent.code in UNREADABLE and not closed.rcvd_then_sent


def _waits() -> Iterator[float]:
    """How long to wait before each try; a little by chance, so that not all come back at once."""
    for pause in itertools.chain(WAITS, itertools.repeat(WAITS[-1])):
        yield pause * random.uniform(0.8, 1.2)
