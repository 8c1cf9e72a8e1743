"""One client's conversation: hello, then commands, as fast as they may come, until either side ends it."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from websockets.frames import CloseCode

from diadem_server.limits.rate_limits import Bucket, too_fast
from diadem_server.lobby.commands import SlowCommand, execute, execute_at_once, node_of, route
from diadem_server.lobby.idle_answers import forget_unless_seated
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.routing import WrongNode
from diadem_server.net.command_weights import weight
from diadem_server.net.greeting import Disconnect, greet, replace
from diadem_server.net.handover import Handover
from diadem_server.net.http import ClientOrigin
from diadem_server.net.interfaces import ClientStream, last_words
from diadem_server.net.outbox import Flusher, Outbox
from diadem_server.net.server_limits import BOT_PACE
from diadem_server.sessions.outbox import Destination, Going
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable
from diadem_shared.frames import BadValue
from diadem_shared.protocol import (
    AnyCommand,
    BadFrame,
    Bye,
    Hello,
    Join,
    Refused,
    pack,
    read_command,
)
from diadem_shared.refusals import Code, Refusal, RefusalError

log = logging.getLogger(__name__)

HELLO_SECONDS = 15.0
BAD_FRAMES = 10
"""After so many at once a client is disconnected."""
BAD_FRAMES_A_SECOND = 1 / 30
"""Forgiven."""
MOST_TOO_FAST = 60
"""Commands refused by the rate limit after which a client is disconnected."""
MOST_TRIES = 3
"""Nodes that hand on one command; tables may move as well."""


class Move(Protocol):
    def __call__(self, connection: "Connection", handover: Handover, node: int) -> None:
        """Let the conversation go on at this node. `connection` is told that it is lost once it does, or once the
        client is gone."""


class Connection:
    def __init__(
        self,
        lobby: Lobby,
        stream: ClientStream,
        client: ClientOrigin,
        flusher: Flusher,
        tasks: set[asyncio.Task[None]],
        move: Move | None = None,
    ) -> None:
        """`tasks` keeps those of this connection: they end even if it is lost."""
        self.outbox = Outbox(stream, flusher)
        if move is not None:
            self.outbox.holder = self._hold
        self._lobby = lobby
        self._stream = stream
        self._client = client
        self._tasks = tasks
        self._move = move
        self._session: Session | None = None
        self._bucket = self._bucket_for(1)
        self._bad_frames = Bucket(BAD_FRAMES_A_SECOND, BAD_FRAMES)
        self._too_fast = 0
        self._is_busy = False
        """A message takes a while: what comes meanwhile waits, which is no more than two reads bring."""
        self._waiting: list[bytes | str] = []
        self._is_over = False
        self._is_handed_over = False
        self._first: bytes | str = b""
        """The message for which the conversation came here."""
        self._tries = 0
        """How many nodes in a row have handed that on."""
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
                self._spawn(work)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
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
            return self._execute(self._session, message, command)
        if command is not None:
            try:
                execute_at_once(self._lobby, self._session, command)
            except WrongNode:
                return self._go_on_elsewhere(self._session, message, command)
        return None

    async def _execute(self, session: Session, message: bytes | str, command: SlowCommand) -> None:
        try:
            await execute(self._lobby, session, command)
        except WrongNode:
            await self._go_on_elsewhere(session, message, command)

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Disconnect as reason:
            self._disconnect(reason)
        except Exception:
            log.exception("a connection broke down")
            self._break_down()
        self._is_busy = False
        if self._is_handed_over:
            return
        while self._waiting and not self._is_busy:
            self._do(self._waiting.pop(0))
        if not self._is_busy:
            self._stream.backpressure.release()
            if self._is_over:
                self._leave()

    async def _greet(self, message: bytes | str) -> None:
        self._session = await greet(self._lobby, self._client, self.outbox, message)
        if self._session.has_bot_token:
            self._bucket = self._bucket_for(BOT_PACE)

    def _bucket_for(self, pace: int) -> Bucket:
        config = self._lobby.config
        return Bucket(pace * config.commands_a_second, pace * config.burst)

    # The end

    def _no_hello(self) -> None:
        self._disconnect(Disconnect(Refusal(Code.NO_HELLO)))

    def flooded(self) -> None:
        self._disconnect(Disconnect(too_fast(self._bucket.wait())))

    def last_words(self, code: int) -> bytes | None:
        return last_words(code)

    def lost(self) -> None:
        self._is_over = True
        self._hello_timeout.cancel()
        self._waiting.clear()
        self.outbox.close()
        if not self._is_busy:
            self._leave()

    def _leave(self) -> None:
        if self._session is None:
            return
        if self._session.outbox is self.outbox:
            self._lobby.disconnected(self._session)
            if not self._lobby.is_closing:
                self._lobby.spawn(forget_unless_seated(self._lobby, self._session))
        elif self._is_handed_over:
            self._lobby.registry.disconnect(self._session.id, self.outbox)

    def _disconnect(self, reason: Disconnect) -> None:
        self._is_over = True
        self.outbox.send(pack(Bye(reason.refusal)))
        self._stream.fail(reason.code, reason.refusal.code)

    def _break_down(self) -> None:
        self._is_over = True
        self._stream.fail(CloseCode.INTERNAL_ERROR, "")

    # Other nodes

    def take_over(self, handover: Handover, front: int | None, left: Callable[[], None]) -> None:
        """Go on with a conversation, instead of a hello. `front` has the line; None for this node. `left` is called once
        it is not needed any more where it was held before."""
        self._hello_timeout.cancel()
        if handover.has_bot_token:
            self._bucket = self._bucket_for(BOT_PACE)
        self._bucket.fill_to(handover.level)
        self._bad_frames.fill_to(handover.bad_frames)
        self._too_fast = handover.too_fast
        self._tries = handover.tries
        self._waiting = [*handover.messages]
        self._first = next(iter(handover.messages), b"")
        self._spawn(self._arrive(handover, front, left))

    async def _arrive(
        self, handover: Handover, front: int | None, left: Callable[[], None]
    ) -> None:
        session = self._lobby.sessions.arrive(handover.session, handover.name)
        self._session = session
        try:
            older = await self._lobby.arrived(
                session, handover.name, self.outbox, handover.prefix, handover.connection
            )
        except RefusalError as refused:
            raise Disconnect(refused.refusal, CloseCode.GOING_AWAY) from None
        except JournalUnavailable:
            raise Disconnect(Refusal(Code.JOURNAL_UNAVAILABLE), CloseCode.TRY_AGAIN_LATER) from None
        finally:
            left()
        if older is not None:
            replace(older)
        session.front = front
        session.muted = set(handover.muted)
        session.longest_pause = handover.longest_pause
        session.wants_moves, session.is_bot = handover.wants_moves, handover.is_bot
        session.has_bot_token, session.adds_chance = handover.has_bot_token, handover.adds_chance
        session.answers.add(handover.answered, handover.kept)
        if handover.watches_lobby:
            self._lobby.watch_lobby(session, on=True)
        if handover.table is not None:
            along = Destination(0, handover.table, handover.views, handover.last_line)
            await self._come_along(session, handover.table, along)

    async def _come_along(self, session: Session, code: str, along: Destination) -> None:
        """With a table that this node has now, whatever it knew before, or perhaps yet another one."""
        try:
            node = await node_of(self._lobby, code, is_stale_route=True)
        except JournalUnavailable:
            node = None
        if session.outbox is not self.outbox:
            return  # a newer connection has come meanwhile, and is where it wants to be
        if table := self._lobby.tables.get(code):
            session.table = code
            table.post(lambda: table.come_along(session, along.views, along.last_line))
        elif node is not None and self._tries < MOST_TRIES:
            await self._hand_over(session, along._replace(node=node))
        else:
            self._stream.close(CloseCode.SERVICE_RESTART, "")

    def _hold(self) -> Going | None:
        if self._is_busy or self._is_over or self._session is None:
            return None
        going: Going = asyncio.get_running_loop().create_future()
        self._tries = 0
        self._spawn(self._go_along(self._session, going))
        return going

    async def _go_along(self, session: Session, going: Going) -> None:
        if (destination := await going) is not None:
            await self._hand_over(session, destination)

    async def _go_on_elsewhere(
        self, session: Session, message: bytes | str, command: AnyCommand
    ) -> None:
        if message is not self._first:
            self._tries = 0
        node = await route(self._lobby, session, command, is_stale_route=self._tries > 0)
        if node is None:
            return
        if self._tries >= MOST_TRIES or self._move is None:
            self._lobby.refuse(session, command.id, Refusal(Code.JOURNAL_UNAVAILABLE))
            return
        session.answers.withdraw(command.id, self.outbox)
        self._bucket.fill_to(self._bucket.level + self._weight(command))
        self._waiting.insert(0, message)
        sought = command.table.upper() if isinstance(command, Join) else None
        await self._hand_over(session, Destination(node), sought)

    async def _hand_over(
        self, session: Session, destination: Destination, sought: str | None = None
    ) -> None:
        """Once nothing more comes in here, and all is answered that was begun."""
        await self._stream.backpressure.held()
        await session.answers.idle()
        if self._is_over or session.outbox is not self.outbox or self._move is None:
            return
        answered, kept = session.answers.taken_along()
        handover = Handover(
            session=session.id,
            name=session.name,
            prefix=session.prefix,
            connection=self._lobby.registry.number_of(session.id),
            muted=tuple(session.muted),
            table=destination.table,
            views=destination.views,
            last_line=destination.last_line,
            watches_lobby=session in self._lobby.lobby_watchers,
            answered=answered,
            kept=kept,
            level=self._bucket.level,
            bad_frames=self._bad_frames.level,
            too_fast=self._too_fast,
            messages=tuple(self._waiting),
            sought=sought or destination.table,
            tries=self._tries + 1,
            longest_pause=session.longest_pause,
            wants_moves=session.wants_moves,
            adds_chance=session.adds_chance,
            is_bot=session.is_bot,
            has_bot_token=session.has_bot_token,
        )
        self._is_over = self._is_handed_over = True
        self._waiting.clear()
        self._lobby.departed(session)
        self._move(self, handover, destination.node)

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
