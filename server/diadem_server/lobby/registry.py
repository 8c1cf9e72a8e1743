"""What is one for all tables and players of a Diadem, however many servers it runs on."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from diadem_server.sessions.outbox import Outbox
from diadem_shared.protocol import TableLine


class Registry(Protocol):
    """What must hold at once, wherever it is asked, is awaited; what is not awaited may be seen a little
    later elsewhere. No move asks for any of it."""

    # Codes of tables, and of the replays of tables

    async def add_codes(self, codes: Collection[str]) -> None:
        """Codes that are in use already."""

    async def take_code(self, *, private: bool) -> str:
        """A free code, in use from now on."""

    async def give_back_codes(self, codes: Collection[str]) -> None: ...

    async def codes(self) -> frozenset[str]:
        """All that are in use."""

    # Pruning

    def pruning(self) -> AbstractAsyncContextManager[bool]:
        """Whether this server prunes what is kept for all: one at a time does."""

    # Seats: one a player

    async def take_seat(self, session: int, code: str) -> str | None:
        """Have a seat at this table kept for a player who is about to sit down. If they hold one
        somewhere, or one is kept for them, the code of that table: then nothing is taken."""

    async def leave_seat(self, session: int, code: str) -> None:
        """They have not sat down after all."""

    def set_seats(self, code: str, seated: Mapping[int, str]) -> None:
        """What the journal has by now: these sessions, and no others, hold a seat at this table, under
        the names they came with. Nobody does where the match is over."""

    async def seat_of(self, session: int) -> str | None:
        """The code of the table where they hold a seat, or one is kept for them."""

    # Names and connections

    async def is_name_taken(self, name: str, unless_by: int | None = None) -> bool:
        """Whether somebody else who is connected, or holds a seat, has a name that looks like it."""

    async def connect(self, session: int, name: str, outbox: Outbox) -> Outbox | None:
        """A player is here under this name, by their newest connection; the one it replaces, if there is
        one. Refused if the name is taken; who holds a seat is let in whatever it is."""

    def number_of(self, session: int) -> int:
        """Of the newest connection of a player who is connected here: it keeps that number wherever it is held."""

    async def take_over(self, session: int, name: str, outbox: Outbox, number: int) -> None:
        """The player's connection of that number is held here from now on. Where it was, it is not known any more: to
        disconnect it there changes nothing. Refused if a newer one has replaced it."""

    def disconnect(self, session: int, outbox: Outbox) -> None:
        """This connection is lost. Nothing changes if it was replaced before."""

    # The lobby

    def list_table(self, code: str, line: TableLine | None) -> None:
        """What the lobby shows of a table from now on; None if it does not show it."""

    def listed(self) -> Sequence[TableLine]: ...
