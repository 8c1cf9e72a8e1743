"""A client without screens: session, connection and client state together."""

import asyncio
import time
from collections.abc import Callable
from math import inf
from typing import Any

from msgspec.structs import replace

from diadem_client.net.address import Address
from diadem_client.net.match_audit import MatchAudit, NotExported, check, fetch, with_whose
from diadem_client.net.session import Answered, ClientSession, SessionEvent, SessionPhase, Welcomed
from diadem_client.net.shuffle_contribution import Contribution, Memories
from diadem_client.net.transport import NOT_CONNECTED, Closed, Link, Reconnecting, Silent, Transport
from diadem_client.refusals import ClientCode
from diadem_client.state.client_state import (
    Change,
    ClientState,
    TableState,
    apply_change,
    without_notice,
)
from diadem_client.state.known_games import SERVER_GAMES
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_shared.game import Seat
from diadem_shared.match import Phase
from diadem_shared.match_file import Untrue
from diadem_shared.protocol import (
    DESCRIBE,
    EXPORT,
    SHUFFLE,
    Answer,
    Command,
    Describe,
    Described,
    GetHistory,
    History,
    LobbyView,
    Refused,
    SetPause,
    TableView,
    WatchLobby,
)
from diadem_shared.refusals import Refusal

EXPORT_SECONDS = 60.0
"""For which the file of a match is waited for."""


class Client:
    """`changed` is called with every new client state, and `match_ended` with the file of a match that is over; commands
    return the answer as a future."""

    def __init__(
        self,
        address: Address,
        session: ClientSession,
        changed: Callable[[ClientState], None],
        match_ended: Callable[[bytes, Seat], None] = lambda _file, _seat: None,
        memories: Memories | None = None,
    ) -> None:
        """`memories`: where it is kept over this client's end what it remembers of shuffles; nowhere if None."""
        self.address = address
        self.session = session
        self.client_state = ClientState(name=session.name)
        self.arrived = False
        """Set by the application once it has acted on the first welcome."""
        self._changed = changed
        self._match_ended = match_ended
        self._answers: dict[int, asyncio.Future[Answer]] = {}
        self._transport = Transport(address, session, self._told, self._link_changed)
        self._asks_history = self._asks_description = False
        self._longest_pause = inf
        self._bot_pause: int | None = None
        """Milliseconds, as the server has told; None if it does not let players ask for less."""
        self._told_pause: int | None = None
        self._contribution = Contribution(memories)
        self._audit = MatchAudit()
        self._checks = False
        """Whether the server gives matches that are over, so that their shuffle can be checked."""
        self._checked = ""
        """The table whose match was checked last."""
        self._checking: asyncio.Task[None] | None = None

    @property
    def is_connected(self) -> bool:
        """Whether a command would be sent at once."""
        ready = self.session.phase is SessionPhase.READY
        return ready and not isinstance(self.client_state.link, Silent | Reconnecting | Closed)

    @property
    def own_seat(self) -> Seat | None:
        """The one that the player has had in the match at this table, even if they have given it up."""
        return self._audit.seat

    @property
    def round_trip(self) -> float:
        """Seconds from here to the server and back, as last measured."""
        return self._transport.round_trip

    async def run(self) -> None:
        try:
            await self._transport.run()
        finally:
            SERVER_GAMES.forget()
            for answer in self._answers.values():
                answer.cancel()
            if self._checking is not None:
                self._checking.cancel()

    def ask(
        self, kind: Callable[..., Command], *given: Any, **named: Any
    ) -> asyncio.Future[Answer]:
        """Send a command. Without a connection it is refused at once, and not queued for later."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if not (self.is_connected or kind is WatchLobby):
            answer.set_result(Refused(0, NOT_CONNECTED))
            return answer
        command = self.session.ask(kind, *given, **named)
        self._answers[command.id] = answer
        self._transport.flush()
        return answer

    def wish_pause(self, seconds: float) -> None:
        """Be held by each move of a bot for no longer. A server that heeds that is told, over each connection."""
        self._longest_pause = seconds
        if self.session.phase in {SessionPhase.REJOINING, SessionPhase.READY}:
            self._tell_pause()
            self._transport.flush()

    def _tell_pause(self) -> None:
        if self._bot_pause is None:
            return
        most = round(min(self._longest_pause * 1000, self._bot_pause))
        if most != self._told_pause:
            self._told_pause = most
            self.session.ask(SetPause, most)

    def give_up(self) -> None:
        """Close the connection for good, since the server broke the protocol."""
        self._link_changed(
            Closed(Refusal(ClientCode.NOT_UNDERSTOOD, {"server": str(self.address)}))
        )

    def forget_notice(self) -> None:
        self._show(without_notice(self.client_state))

    def _told(self, told: SessionEvent) -> None:
        self._follow(told)
        if isinstance(told, Welcomed):
            self._asks_history = self._asks_description = False
            self._told_pause = self._bot_pause = told.welcome.bot_pause
            self._tell_pause()
            self._contribution.connected()
            self._checks = {EXPORT, SHUFFLE} <= {*told.welcome.features}
        if isinstance(told, Answered):
            self._contribution.answered(told.command, told.answer)
            if isinstance(told.answer, History):
                self._asks_history = False
            if isinstance(told.answer, Described):
                SERVER_GAMES.learn(told.answer)
            answer = self._answers.pop(told.command.id, None)
            if answer is not None and not answer.done():
                answer.set_result(told.answer)
        table = self.client_state.table
        if isinstance(told, LobbyView) or (table is not None and _may_be_changed(table)):
            self._ask_description()
        if table is not None and not table.log_is_whole and not self._asks_history:
            self._asks_history = True
            self.session.ask(GetHistory)
        is_history = isinstance(told, Answered) and isinstance(told.answer, History)
        if (is_history or isinstance(told, TableView)) and table and not table.is_lesson:
            self._add_to_shuffle(table)

    # The shuffle

    def _add_to_shuffle(self, table: TableState) -> None:
        is_known = self._audit.see(table)
        if wish := self._contribution.see(table):
            kind, said = wish
            self._contribution.asked(self.session.ask(kind, said), said)
        if not is_known:
            self._contribution.doubt(Doubt.TAKEN_BACK)
        doubt = self._contribution.memory.doubt
        if doubt is not table.shuffle.doubt:
            self._follow(replace(table.shuffle, doubt=doubt))
        if table.public.phase is Phase.OVER and self._checked != table.code:
            self._checked = table.code
            self._checking = asyncio.create_task(self._check(table.code))

    async def _check(self, code: str) -> None:
        """Have the match, which is over, given as a file, and see whether it is what it was."""
        memory, seat = self._contribution.memory, self._audit.seat
        seen = self._audit.seen(memory.server, memory.opened)
        found = ShuffleCheck(memory.doubt)
        try:
            file = await self._file_of(code)
            if seat is not None:
                self._match_ended(file, seat)
            verified = await check(file, seen)
        except NotExported as refused:
            if refused.is_for_now:
                self._checked = ""  # the next view has it asked for again
                return
            found = replace(found, is_withheld=True)
        except Untrue as untrue:
            found = replace(found, fault=untrue.fault, entry=untrue.entry)
        else:
            found = with_whose(found, verified, self.client_state.table)
        if self.client_state.table is not None and self.client_state.table.code == code:
            self._follow(found)

    async def _file_of(self, code: str) -> bytes:
        """Raises NotExported also where the server does not answer, or gives no files."""
        if not self._checks:
            raise NotExported
        try:
            async with asyncio.timeout(EXPORT_SECONDS):
                return await fetch(self.ask, code)
        except TimeoutError:
            raise NotExported from None

    def _ask_description(self) -> None:
        """Of what there is to play, for the form in which a table is made or changed; once over each connection."""
        if DESCRIBE in self.client_state.features and not self._asks_description:
            self._asks_description = True
            self.session.ask(Describe)

    def _link_changed(self, link: Link) -> None:
        self._follow(link)

    def _follow(self, change: Change) -> None:
        self._show(apply_change(self.client_state, change, time.monotonic()))

    def _show(self, client_state: ClientState) -> None:
        if client_state != self.client_state:
            self.client_state = client_state
            self._changed(client_state)


def _may_be_changed(table: TableState) -> bool:
    return table.is_maker and table.public.phase is Phase.GATHERING
