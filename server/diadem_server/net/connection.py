"""One client's line: hello, then commands, as fast as it may, until either side ends it."""

import asyncio
import logging
from contextlib import suppress
from functools import partial

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from diadem.frames import BadValue
from diadem.protocol import AnyCommand, BadFrame, Bye, Hello, Refused, Welcome, pack, read_command
from diadem.refusals import Code, Refusal
from diadem_server import VERSION
from diadem_server.lobby.commands import LobbyCommand, execute, execute_at_table
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.command_weights import weight
from diadem_server.net.outbox import Outbox
from diadem_server.net.rate_limits import Bucket, too_fast
from diadem_server.net.shortcut import Shortcut
from diadem_server.sessions import names
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable

log = logging.getLogger(__name__)

HELLO_SECONDS = 15.0
BAD_FRAMES = 10
"""After so many at once a client is sent away."""
BAD_FRAMES_A_SECOND = 1 / 30
"""Forgiven."""
WEARY = 60
"""Commands refused for haste after which a client is sent away."""
HEARD_OUT = 100
"""Frames from a client that was sent away after which nobody listens any more."""
FAREWELL_SECONDS = 1.0
"""For whoever is listened to no more, to hear why: a line that is cut with something unheard loses
what is on its way in the other direction."""

POLICY_VIOLATION = 1008
TRY_LATER = 1013
GOING_AWAY = 1001
INTERNAL_ERROR = 1011


class Turned(Exception):
    """The client is sent away, and told why."""

    def __init__(self, refusal: Refusal, code: int = POLICY_VIOLATION) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = code


class Connection:
    def __init__(
        self,
        lobby: Lobby,
        websocket: ServerConnection,
        prefix: str,
        *,
        may_bring_token: bool = False,
    ) -> None:
        """`may_bring_token`: whether a token that nobody has may be the player's from now on."""
        self._lobby = lobby
        self._prefix = prefix
        self._may_bring_token = may_bring_token
        self._websocket = websocket
        self._outbox = Outbox(websocket, lobby.postman)
        self._bucket = Bucket(lobby.config.commands_a_second, lobby.config.burst)
        self._bad_frames = Bucket(BAD_FRAMES_A_SECOND, BAD_FRAMES)
        self._refused = 0

    async def serve(self) -> None:
        session = None
        try:
            session = await self._greet()
            if isinstance(self._websocket, Shortcut):
                self._websocket.hear_at_once = partial(self._execute_at_once, session)
            await self._listen(session)
        except Turned as turned:
            self._outbox.send(pack(Bye(turned.refusal)))
            await asyncio.gather(
                self._outbox.close(turned.code, turned.refusal.code), self._hear_out()
            )
        except ConnectionClosed:
            pass
        except Exception:
            log.exception("a connection broke down")
            await self._outbox.close(INTERNAL_ERROR, "")
        finally:
            if isinstance(self._websocket, Shortcut):
                self._websocket.hear_at_once = None
            await self._outbox.finish()
            if session is not None and session.outbox is self._outbox:
                self._lobby.disconnected(session)

    async def _hear_out(self) -> None:
        """Whatever has piled up would keep the other side's good-bye from being heard."""
        with suppress(ConnectionClosed):
            for _ in range(HEARD_OUT):
                await self._websocket.recv()
                await self._lobby.crowd.passed()
            await asyncio.sleep(FAREWELL_SECONDS)
            self._outbox.cut()

    # Hello

    async def _greet(self) -> Session:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = read_command(await self._websocket.recv())
        except TimeoutError:
            raise Turned(Refusal(Code.NO_HELLO)) from None
        except BadFrame as bad:
            self._lobby.metrics.bad_frames += 1
            raise Turned(bad.refusal) from None
        if not isinstance(hello, Hello):
            raise Turned(Refusal(Code.NO_HELLO))
        self._check_password(hello)
        try:
            return await self._welcome(hello)
        except JournalUnavailable:
            raise Turned(Refusal(Code.JOURNAL_UNAVAILABLE), TRY_LATER) from None

    def _check_password(self, hello: Hello) -> None:
        known = self._lobby.sessions.known(hello.token)
        refusal = self._lobby.passwords.refusal(
            hello.password, self._prefix, known.id if known else None
        )
        if refusal is not None:
            raise Turned(refusal)

    async def _welcome(self, hello: Hello) -> Session:
        sessions = self._lobby.sessions
        token = hello.token or ""
        session = await self._lobby.resume(hello.token)
        was_known = session is not None
        if session is None or not self._lobby.seat_held_by(session):
            name = names.clean(hello.name)
            self._check_name(name, session)
            if session is None:
                if token and self._may_bring_token:
                    session = await sessions.make_for(token, name)
                else:
                    session, token = await sessions.make(name)
                # Another may have come by that name meanwhile.
                self._check_name(name, session)
            sessions.rename(session, name)
        # At a table a player keeps the name she sat down with, and is let in whatever it is.
        self._take_over(session)
        if was_known:
            self._lobby.spawn(sessions.seen(session))
        self._outbox.send(
            pack(
                Welcome(
                    name=session.name,
                    token=token,
                    server=self._lobby.config.name,
                    version=VERSION,
                    table=self._lobby.seat_held_by(session),
                )
            )
        )
        return session

    def _check_name(self, name: str, session: Session | None) -> None:
        if refusal := names.against(name):
            raise Turned(refusal)
        if self._lobby.is_name_taken(name, session):
            raise Turned(Refusal(Code.NAME_IN_USE, {"name": name}))

    def _take_over(self, session: Session) -> None:
        """The newest connection with a token wins."""
        older = session.outbox
        if older is not None:
            self._lobby.disconnected(session)
            older.send(pack(Bye(Refusal(Code.REPLACED))))
            self._lobby.spawn(older.close(GOING_AWAY, "replaced"))
        session.outbox = self._outbox
        session.prefix = self._prefix

    # Commands

    async def _listen(self, session: Session) -> None:
        async for frame in self._websocket:
            if session.outbox is not self._outbox:
                return
            command = self._read(frame)
            if command is not None:
                await execute(self._lobby, session, command)
            else:
                # More may have come already, of others too: let those be served who play.
                await self._lobby.crowd.passed()

    def _execute_at_once(self, session: Session, frame: bytes) -> bool:
        """Do what a table is asked to. Whatever else it is, or comes too fast, is looked at in its turn."""
        try:
            command = read_command(frame)
        except BadFrame:
            return False
        if (
            isinstance(command, Hello | LobbyCommand)
            or session.outbox is not self._outbox
            or not self._bucket.take(self._weight(command))
        ):
            return False
        self._refused = max(0, self._refused - 1)
        execute_at_table(self._lobby, session, command)
        return True

    def _read(self, frame: bytes | str) -> AnyCommand | None:
        """The command in a frame; None where it was answered already."""
        try:
            command = read_command(frame)
        except BadValue as bad:
            if self._may_command(bad.id):
                self._refuse(bad.id, bad.refusal)
            return None
        except BadFrame as bad:
            self._refuse(bad.id, bad.refusal)
            self._lobby.metrics.bad_frames += 1
            if not self._bad_frames.take():
                raise Turned(Refusal(Code.TOO_MANY_BAD_FRAMES)) from None
            return None
        if isinstance(command, Hello):
            if self._may_command(0):
                self._refuse(0, Refusal(Code.HELLO_AGAIN))
            return None
        return command if self._may_command(command.id, self._weight(command)) else None

    def _weight(self, command: AnyCommand) -> float:
        """Never more than can be saved up."""
        return min(weight(command), self._lobby.config.burst)

    def _may_command(self, id_: int, how_much: float = 1) -> bool:
        """Whether the rate limit allows another command; if not, that is answered."""
        if self._bucket.take(how_much):
            self._refused = max(0, self._refused - 1)
            return True
        self._refused += 1
        refusal = too_fast(self._bucket.wait(how_much))
        if self._refused > WEARY:
            raise Turned(refusal)
        self._refuse(id_, refusal)
        return False

    def _refuse(self, id_: int, refusal: Refusal) -> None:
        self._lobby.metrics.refusals += 1
        self._outbox.send(pack(Refused(id_, refusal)))
