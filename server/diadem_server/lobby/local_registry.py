"""The registry of a server that runs alone: dictionaries, and no waiting."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

from diadem_server.lobby.codes import Codes
from diadem_server.sessions.confusables import looks
from diadem_server.sessions.outbox import Outbox
from diadem_shared.protocol import TableLine
from diadem_shared.refusals import Code, Refusal, RefusalError


class LocalRegistry:
    def __init__(self) -> None:
        self._codes = Codes()
        self._seats: dict[int, str] = {}
        """By session, the table where it holds a seat, or where one is kept for it."""
        self._seated: defaultdict[str, set[int]] = defaultdict(set)
        """The same by table."""
        self._connections: dict[int, Outbox] = {}
        self._names: dict[int, str] = {}
        """Of the sessions that are connected or hold a seat."""
        self._by_look: defaultdict[str, set[int]] = defaultdict(set)
        self._lines: dict[str, TableLine] = {}

    # Codes

    async def add_codes(self, codes: Collection[str]) -> None:
        self._codes.add(codes)

    async def take_code(self, *, private: bool) -> str:
        return self._codes.take(private=private)

    async def give_back_codes(self, codes: Collection[str]) -> None:
        self._codes.give_back(*codes)

    async def codes(self) -> frozenset[str]:
        return self._codes.in_use()

    # Pruning

    @asynccontextmanager
    async def pruning(self) -> AsyncIterator[bool]:
        yield True

    # Seats

    async def take_seat(self, session: int, code: str) -> str | None:
        if held := self._seats.get(session):
            return held
        self._seat(session, code)
        return None

    async def leave_seat(self, session: int, code: str) -> None:
        if self._seats.get(session) == code:
            self._unseat(session)

    def set_seats(self, code: str, seated: Mapping[int, str]) -> None:
        for session in self._seated.get(code, set()) - seated.keys():
            self._unseat(session)
        for session, name in seated.items():
            if self._seats.get(session) != code:
                self._unseat(session)
                self._seat(session, code)
            if session not in self._names:
                self._set_name(session, name)

    def _seat(self, session: int, code: str) -> None:
        self._seats[session] = code
        self._seated[code].add(session)

    def _unseat(self, session: int) -> None:
        if (code := self._seats.pop(session, None)) is None:
            return
        self._seated[code].discard(session)
        if not self._seated[code]:
            del self._seated[code]
        self._forget_name_of_absent(session)

    async def seat_of(self, session: int) -> str | None:
        return self._seats.get(session)

    # Names and connections

    async def is_name_taken(self, name: str, unless_by: int | None = None) -> bool:
        alike = {session for look in looks(name) for session in self._by_look.get(look, ())}
        return bool(alike - {unless_by})

    async def connect(self, session: int, name: str, outbox: Outbox) -> Outbox | None:
        if session not in self._seats and await self.is_name_taken(name, session):
            raise RefusalError(Refusal(Code.NAME_IN_USE, {"name": name}))
        self._set_name(session, name)
        older = self._connections.get(session)
        self._connections[session] = outbox
        return older

    def number_of(self, session: int) -> int:
        return 0  # nowhere else is it held

    async def take_over(self, session: int, name: str, outbox: Outbox, number: int) -> None:
        await self.connect(session, name, outbox)

    def disconnect(self, session: int, outbox: Outbox) -> None:
        if self._connections.get(session) is outbox:
            del self._connections[session]
            self._forget_name_of_absent(session)

    def _set_name(self, session: int, name: str) -> None:
        self._forget_name(session)
        self._names[session] = name
        for look in looks(name):
            self._by_look[look].add(session)

    def _forget_name_of_absent(self, session: int) -> None:
        if session not in self._connections and session not in self._seats:
            self._forget_name(session)

    def _forget_name(self, session: int) -> None:
        for look in looks(self._names.pop(session, "")):
            self._by_look[look].discard(session)
            if not self._by_look[look]:
                del self._by_look[look]

    # The lobby

    def list_table(self, code: str, line: TableLine | None) -> None:
        if line is None:
            self._lines.pop(code, None)
        else:
            self._lines[code] = line

    def listed(self) -> Sequence[TableLine]:
        return list(self._lines.values())
