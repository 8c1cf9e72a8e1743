"""What a client keeps of a match while it runs, and holds against the file of it when it is over."""

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from diadem import protocol
from diadem.game import Seat, digest
from diadem.match import Phase
from diadem.match_file import MOST_BYTES, Fault, Untrue, read
from diadem.protocol import Answer, Exported
from diadem.verification import Seen, SeenView, Verified, verify
from diadem_client.net.slices import in_slices
from diadem_client.state.picture import TablePicture
from diadem_client.state.shuffle_check import ShuffleCheck

MOST_VIEWS = 2_000
"""Views that are kept, the newest."""


class Witness:
    def __init__(self) -> None:
        self._table = ""
        self._views: dict[int, SeenView] = {}
        self.seat: Seat | None = None
        """The one that the player has had in this match, even if they have given it up."""

    def see(self, table: TablePicture) -> None:
        if table.code != self._table:
            self._table, self._views, self.seat = table.code, {}, None
        if table.seat is not None or table.public.phase is Phase.GATHERING:
            self.seat = table.seat
        shown = "" if table.view is None else digest(table.view)
        self._views[table.entry] = SeenView(table.chain, table.seat, shown)
        if len(self._views) > MOST_VIEWS:
            del self._views[next(iter(self._views))]

    def seen(self, server: str, shuffles: Any) -> Seen:
        return Seen(server, dict(self._views), dict(shuffles))


class NotExported(Exception):
    """There is no file of this match; with what its server has answered, if that was asked."""

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__(answer)
        self.answer = answer


async def fetch(ask: Callable[..., "asyncio.Future[Answer]"], table: str) -> bytes:
    """The file of a match that is over. Raises NotExported, and Untrue if it has no end."""
    file, after = b"", None
    while True:
        answer = await ask(protocol.Export, table, after)
        if not isinstance(answer, Exported):
            raise NotExported(answer)
        file += answer.piece
        if len(file) > MOST_BYTES or (answer.next is not None and not answer.piece):
            raise Untrue(Fault.TOO_LONG)
        if answer.next is None:
            return file
        after = answer.next


def with_whose(check: ShuffleCheck, verified: Verified, table: TablePicture | None) -> ShuffleCheck:
    """Told besides whether somebody has added to each round, and how many were without the player of this seat."""
    without = 0
    if table is not None and table.seat is not None:
        name = table.names[table.seat]
        without = sum(name not in each.added for each in verified.rounds)
    is_verified = all(each.added for each in verified.rounds)
    return replace(check, is_verified=is_verified, without=without)


async def check(file: bytes, seen: Seen) -> Verified:
    """Play the match again, beside whatever else goes on. Raises Untrue."""
    return await in_slices(verify(read(file), seen))
