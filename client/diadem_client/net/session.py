"""The client's side of the protocol, without sockets.

Frames go in, events come out; what has to be sent waits in `frames`. A session outlives its
connections: after each new one it says hello with its token, goes back to its table, and repeats
every command that was not answered, under the same id: commands are idempotent, so that the server does none of them twice.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.net.sanitize import read_sanitized
from diadem_shared.protocol import (
    SHUFFLE,
    Answer,
    BadFrame,
    Bye,
    Check,
    Command,
    Commit,
    Describe,
    Export,
    FromServer,
    GetHistory,
    GetReplay,
    Gone,
    Hello,
    Join,
    ListReplays,
    LobbyView,
    Make,
    Open,
    Part,
    Ping,
    Reacted,
    Refused,
    Said,
    SetPause,
    TableView,
    UnknownType,
    WatchLobby,
    Welcome,
    pack,
)
from diadem_shared.refusals import Code, Refusal

RETRYABLE = frozenset(
    {
        *(Code.JOURNAL_UNAVAILABLE, Code.SERVER_CLOSING, Code.TOO_FAST),
        *(Code.TOO_MANY_GUESSES, Code.TOO_MANY_NEWCOMERS),
    }
)
"""Reasons of a `bye` after which the client reconnects."""

IDEMPOTENT = (
    *(WatchLobby, SetPause, Join, Part, Check, Describe, GetHistory, GetReplay, Export),
    *(ListReplays, Ping),
)
"""Commands that belong to a connection and are sent anew over the next one."""


CALLED_FOR_BY_VIEW = (Commit, Open)
"""Commands that the next view calls for anew, if they are still to be sent."""


class Welcomed(Struct, frozen=True):
    welcome: Welcome
    again: bool
    """Whether this session was welcomed before, over another connection."""


class Answered(Struct, frozen=True):
    command: Command
    answer: Answer


class ByeReceived(Struct, frozen=True):
    """The server closes this connection, and says why."""

    why: Refusal

    @property
    def for_good(self) -> bool:
        return self.why.code not in RETRYABLE

    @property
    def wait(self) -> float:
        """Seconds after which the server asks the client to try again (retry-after)."""
        seconds = self.why.about.get("seconds")
        return float(seconds) if isinstance(seconds, int) else 0.0


class ProtocolViolation(Struct, frozen=True):
    """The server sent a frame that this version of the protocol does not have."""

    what: str


class UnknownMessage(Struct, frozen=True):
    """The server sent a message of a type that only later versions of the protocol have."""

    type: str


Message: TypeAlias = LobbyView | TableView | Said | Reacted | Gone
SessionEvent: TypeAlias = (
    Welcomed | Answered | ByeReceived | ProtocolViolation | UnknownMessage | Message
)


def successor_table(why: Refusal) -> str | None:
    """The new table that everybody is moved to, if that is why the old one is gone."""
    return str(why.about.get("table", "")) or None if why.code == Code.AGAIN else None


class SessionPhase(Enum):
    DISCONNECTED = auto()  # no connection
    HANDSHAKE = auto()  # hello is sent
    REJOINING = auto()  # welcomed, on the way back to the table
    READY = auto()


class ClientSession:
    def __init__(
        self,
        name: str,
        *,
        version: str,
        first_id: int,
        token: str | None = None,
        password: str | None = None,
    ) -> None:
        self.name = name
        self.password = password
        self.token = token
        self.phase = SessionPhase.DISCONNECTED
        self.frames: list[bytes] = []
        """Frames to send, oldest first."""
        self._unsent: dict[bytes, int] = {}
        """Frames that no connection has sent yet, and the ids of their commands."""
        self.table: str | None = None
        """The table that is rejoined after a reconnect."""
        self._version = version
        self._next_id = first_id
        self._pending: dict[int, Command] = {}
        """Unanswered commands by the id they were sent under last; the command keeps its first id."""
        self._rejoin_id: int | None = None
        """The id of the join that rejoins the table, while it is not answered."""
        self._expects_new_table = False
        """A table was made for us; the first view of it will say its code."""
        self._watches_lobby = False
        self._was_welcomed = False

    # Connections come and go

    def connected(self) -> None:
        self.phase = SessionPhase.HANDSHAKE
        hello = Hello(
            self.name, self._version, self.token or None, self.password or None, wants=(SHUFFLE,)
        )
        self.frames = [pack(hello)]

    def disconnected(self) -> list[Command]:
        """Mark the connection as lost; returns the commands that were never sent, which are dropped.

        What was asked for by somebody who looked at another state of the table is not done later.
        """
        self.phase = SessionPhase.DISCONNECTED
        self.frames, unsent, self._unsent = [], self._unsent, {}
        self._rejoin_id = None
        for id_, command in list(self._pending.items()):
            if isinstance(command, CALLED_FOR_BY_VIEW):
                del self._pending[id_]
        return [self._pending.pop(id_) for id_ in unsent.values() if id_ in self._pending]

    def next_frame(self) -> bytes | None:
        """Take the next frame to send; it counts as sent from now on."""
        if not self.frames:
            return None
        frame = self.frames.pop(0)
        self._unsent.pop(frame, None)
        return frame

    # Commands

    def ask(self, kind: Callable[..., Command], *given: Any, **named: Any) -> Command:
        """Queue a command. It is sent as soon as there is a connection, and again over the next one if that breaks.

        Players' commands come through `Client.ask`, which refuses them while there is no connection.
        """
        command = kind(self._take_id(), *given, **named)
        self._pending[command.id] = command
        if isinstance(command, WatchLobby):
            self._watches_lobby = command.on
        if self.phase is SessionPhase.READY:
            frame = pack(command)
            self.frames.append(frame)
            if not isinstance(command, IDEMPOTENT):
                self._unsent[frame] = command.id
        return command

    @property
    def pending(self) -> tuple[Command, ...]:
        return tuple(self._pending.values())

    def _take_id(self) -> int:
        id_ = self._next_id
        self._next_id += 1
        return id_

    # What the server says

    def receive(self, frame: bytes | str) -> list[SessionEvent]:
        try:
            return self._receive(read_sanitized(frame))
        except UnknownType as unknown:
            return [UnknownMessage(unknown.type)]
        except BadFrame as bad:
            return [ProtocolViolation(str(bad))]

    def _receive(self, message: FromServer) -> list[SessionEvent]:
        in_handshake = self.phase is SessionPhase.HANDSHAKE
        match message:
            case Bye(why):
                return [ByeReceived(why)]
            case Welcome() if in_handshake:
                return [self._welcomed(message)]
            case _ if in_handshake or isinstance(message, Welcome):
                return [ProtocolViolation("a welcome is the first message, and comes once")]
            case Answer():
                return self._answered(message)
            case Gone(table, why):
                if table == self.table:
                    self.table = successor_table(why)
                return [message]
            case TableView(table):
                return [message] if self._is_current_table(table) else []
            case LobbyView() | Said() | Reacted():
                return [message]

    def _is_current_table(self, table: str) -> bool:
        if self._expects_new_table and table != self.table:
            self._expects_new_table, self.table = False, table
        return table == self.table

    def _welcomed(self, welcome: Welcome) -> Welcomed:
        again, self._was_welcomed = self._was_welcomed, True
        self.name, self.token = welcome.name, welcome.token
        was_making = self._expects_new_table or any(isinstance(each, Make) for each in self.pending)
        if welcome.table and (was_making or not again):
            self._expects_new_table, self.table = False, welcome.table
        if self.table is None:
            self._ready()
        else:
            self.phase = SessionPhase.REJOINING
            back = Join(self._take_id(), self.table)
            self._rejoin_id = back.id
            self.frames.append(pack(back))
        return Welcomed(welcome, again)

    def _ready(self) -> None:
        self.phase = SessionPhase.READY
        waiting, self._pending = self._pending, {}
        for id_, command in waiting.items():
            again = self._take_id() if isinstance(command, IDEMPOTENT) else id_
            self._pending[again] = command
            self.frames.append(pack(replace(command, id=again)))
        if self._watches_lobby and not any(isinstance(each, WatchLobby) for each in self.pending):
            self.ask(WatchLobby, on=True)

    def _answered(self, answer: Answer) -> list[SessionEvent]:
        if answer.id == self._rejoin_id:
            return self._rejoined(answer)
        command = self._pending.pop(answer.id, None)
        if command is None:
            return []
        if not isinstance(answer, Refused):
            match command:
                case Join(_, table):
                    self.table = table.upper()
                case Make():
                    self._expects_new_table = True
                case Part():
                    self.table = None
                case _:
                    pass
        return [Answered(command, answer)]

    def _rejoined(self, answer: Answer) -> list[SessionEvent]:
        """The answer to rejoining the table. After `too_fast` another connection is tried later."""
        if isinstance(answer, Refused) and answer.why.code == Code.TOO_FAST:
            return [ByeReceived(answer.why)]
        table, self._rejoin_id = self.table or "", None
        told: list[SessionEvent] = [Answered(Join(answer.id, table), answer)]
        if isinstance(answer, Refused):
            told.append(Gone(table, answer.why))
            self.table = None
        self._ready()
        return told
