"""One client's conversation: hello, then commands, as fast as they may come, until either side ends it."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from websockets.frames import CloseCode

from diadem.frames import BadValue
from diadem.lexicon import shelf
from diadem.protocol import (
    MAX_FRAME,
    AnyCommand,
    BadFrame,
    Bye,
    Hello,
    Refused,
    Welcome,
    pack,
    read_command,
)
from diadem.refusals import Code, Refusal, RefusalError
from diadem_server import VERSION
from diadem_server.limits.rate_limits import Bucket, too_fast
from diadem_server.lobby.commands import SlowCommand, execute, execute_at_once
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.backpressure import Backpressure
from diadem_server.net.command_weights import weight
from diadem_server.net.http import Requester
from diadem_server.net.outbox import Flusher, Outbox, Stream
from diadem_server.sessions import names
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable

log = logging.getLogger(__name__)

HELLO_SECONDS = 15.0
BAD_FRAMES = 10
"""After so many at once a client is disconnected."""
BAD_FRAMES_A_SECOND = 1 / 30
"""Forgiven."""
MOST_TOO_FAST = 60
"""Commands refused by the rate limit after which a client is disconnected."""


class Disconnect(Exception):
    """The client is disconnected, and told why."""

    def __init__(self, refusal: Refusal, code: CloseCode = CloseCode.POLICY_VIOLATION) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = code


class ClientStream(Stream, Protocol):
    """Where messages come from, too."""

    @property
    def backpressure(self) -> Backpressure: ...
    def fail(self, code: int, reason: str) -> None: ...


class Connection:
    def __init__(
        self,
        lobby: Lobby,
        stream: ClientStream,
        client: Requester,
        flusher: Flusher,
        tasks: set[asyncio.Task[None]],
    ) -> None:
        """`tasks` keeps those of this connection: they end even if it is lost."""
        self.outbox = Outbox(stream, flusher)
        self._lobby = lobby
        self._stream = stream
        self._client = client
        self._tasks = tasks
        self._session: Session | None = None
        self._bucket = Bucket(lobby.config.commands_a_second, lobby.config.burst)
        self._bad_frames = Bucket(BAD_FRAMES_A_SECOND, BAD_FRAMES)
        self._too_fast = 0
        self._is_busy = False
        """A message takes a while: what comes meanwhile waits, which is no more than one read brings."""
        self._waiting: list[bytes | str] = []
        self._is_over = False
        self._hello_timeout = asyncio.get_running_loop().call_later(HELLO_SECONDS, self._no_hello)

    # Messages

    def receive(self, message: bytes | str) -> None:
        """Do what it asks for, after what came before it."""
        if self._is_busy:
            self._waiting.append(message)
        else:
            self._do(message)

    def _do(self, message: bytes | str) -> None:
        try:
            work = self._begin(message)
        except Disconnect as reason:
            self._disconnect(reason)
        except Exception:
            log.exception("a connection broke down")
            self._break_down()
        else:
            if work is not None:
                self._is_busy = True
                self._stream.backpressure.hold()
                task = asyncio.create_task(self._work(work))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _begin(self, message: bytes | str) -> Coroutine[Any, Any, None] | None:
        """Do it, or else say what takes a while."""
        if self._is_over:
            return None
        if self._session is None:
            self._hello_timeout.cancel()
            return self._greet(message)
        if self._session.outbox is not self.outbox:
            return None
        command = self._read(message)
        if isinstance(command, SlowCommand):
            return execute(self._lobby, self._session, command)
        if command is not None:
            execute_at_once(self._lobby, self._session, command)
        return None

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Disconnect as reason:
            self._disconnect(reason)
        except Exception:
            log.exception("a connection broke down")
            self._break_down()
        self._is_busy = False
        while self._waiting and not self._is_busy:
            self._do(self._waiting.pop(0))
        if not self._is_busy:
            self._stream.backpressure.release()
            if self._is_over:
                self._leave()

    # The end

    def _no_hello(self) -> None:
        self._disconnect(Disconnect(Refusal(Code.NO_HELLO)))

    def flooded(self) -> None:
        self._disconnect(Disconnect(too_fast(self._bucket.wait())))

    def last_words(self, code: int) -> bytes | None:
        if code == CloseCode.MESSAGE_TOO_BIG:
            return pack(Bye(Refusal(Code.FRAME_TOO_LONG, {"most": MAX_FRAME})))
        return None

    def lost(self) -> None:
        self._is_over = True
        self._hello_timeout.cancel()
        self._waiting.clear()
        self.outbox.close()
        if not self._is_busy:
            self._leave()

    def _leave(self) -> None:
        if self._session is not None and self._session.outbox is self.outbox:
            self._lobby.disconnected(self._session)

    def _disconnect(self, reason: Disconnect) -> None:
        self._is_over = True
        self.outbox.send(pack(Bye(reason.refusal)))
        self._stream.fail(reason.code, reason.refusal.code)

    def _break_down(self) -> None:
        self._is_over = True
        self._stream.fail(CloseCode.INTERNAL_ERROR, "")

    # Hello

    async def _greet(self, message: bytes | str) -> None:
        try:
            hello = read_command(message)
        except BadFrame as bad:
            self._lobby.metrics.bad_frames += 1
            raise Disconnect(bad.refusal) from None
        if not isinstance(hello, Hello):
            raise Disconnect(Refusal(Code.NO_HELLO))
        try:
            await self._check_password(hello)
            self._session = await self._welcome(hello)
        except JournalUnavailable:
            raise Disconnect(Refusal(Code.JOURNAL_UNAVAILABLE), CloseCode.TRY_AGAIN_LATER) from None

    async def _check_password(self, hello: Hello) -> None:
        known = await self._lobby.sessions.find(hello.token)
        refusal = self._lobby.passwords.refusal(
            hello.password, self._client.prefix, known.id if known else None
        )
        if refusal is not None:
            raise Disconnect(refusal)

    async def _welcome(self, hello: Hello) -> Session:
        sessions, registry = self._lobby.sessions, self._lobby.registry
        token = hello.token or ""
        session = await self._lobby.resume(hello.token)
        was_known = session is not None
        if session is not None and await registry.seat_of(session.id) is not None:
            name = session.name  # at a table a player keeps the name they sat down with
        else:
            name = names.clean(hello.name)
            if refusal := names.against(name):
                raise Disconnect(refusal)
        if session is None:
            if await registry.is_name_taken(name):
                raise Disconnect(Refusal(Code.NAME_IN_USE, {"name": name}))
            if token and self._client.may_bring_token:
                session = await sessions.make_for(token, name)
            else:
                session, token = await sessions.make(name)
        await self._take_over(session, name)
        if was_known:
            self._lobby.spawn(sessions.seen(session))
        self.outbox.send(
            pack(
                Welcome(
                    name=session.name,
                    token=token,
                    server=self._lobby.config.name,
                    version=VERSION,
                    table=await registry.seat_of(session.id),
                    word_lists=shelf.lines(),
                )
            )
        )
        return session

    async def _take_over(self, session: Session, name: str) -> None:
        """The newest connection with a token wins, unless another has come by that name meanwhile."""
        try:
            older = await self._lobby.connected(session, name, self.outbox, self._client.prefix)
        except RefusalError as refused:
            raise Disconnect(refused.refusal) from None
        if older is not None:
            older.send(pack(Bye(Refusal(Code.REPLACED))))
            older.disconnect(CloseCode.GOING_AWAY, "replaced")

    # Commands

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
                raise Disconnect(Refusal(Code.TOO_MANY_BAD_FRAMES)) from None
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
            self._too_fast = max(0, self._too_fast - 1)
            return True
        self._too_fast += 1
        refusal = too_fast(self._bucket.wait(how_much))
        if self._too_fast > MOST_TOO_FAST:
            raise Disconnect(refusal)
        self._refuse(id_, refusal)
        return False

    def _refuse(self, id_: int, refusal: Refusal) -> None:
        self._lobby.metrics.refusals += 1
        self.outbox.send(pack(Refused(id_, refusal)))
