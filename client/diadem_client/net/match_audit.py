"""What a client keeps of a match while it runs, and holds against the file of it when it is over."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diadem_client.net.slices import in_slices
from diadem_client.net.transport import NOT_CONNECTED
from diadem_client.state.client_state import TableState
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_shared import protocol
from diadem_shared.game import Seat, digest
from diadem_shared.match import Phase
from diadem_shared.match_file import MOST_BYTES, Fault, Untrue, read
from diadem_shared.protocol import Answer, Exported, Refused
from diadem_shared.verification import Seen, SeenShuffle, SeenView, Verified, verify

MOST_VIEWS = 2_000
"""Views that are kept, the newest."""


class MatchAudit:
    def __init__(self) -> None:
        self._table = ""
        self._views: dict[int, SeenView] = {}
        self.seat: Seat | None = None
        """The one that the player has had in this match, even if they have given it up."""

    def see(self, table: TableState) -> bool:
        """Keep a view; False if the server has shown another one of the same entry, of which the first is kept."""
        if table.code != self._table:
            self._table, self._views, self.seat = table.code, {}, None
        if table.seat is not None or table.public.phase is Phase.GATHERING:
            self.seat = table.seat
        shown = "" if table.view is None else digest(table.view)
        view = SeenView(table.chain, table.seat, shown)
        if (known := self._views.get(table.entry)) and _contradict(known, view):
            return False
        self._views[table.entry] = view
        if len(self._views) > MOST_VIEWS:
            del self._views[next(iter(self._views))]
        return True

    def seen(self, server: str, shuffles: Sequence[SeenShuffle]) -> Seen:
        return Seen(server, dict(self._views), shuffles)


def _contradict(one: SeenView, other: SeenView) -> bool:
    return one.link != other.link or (one.seat == other.seat and one.digest != other.digest)


class NotExported(Exception):
    """There is no file of this match; with what its server has answered, if that was asked."""

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__(answer)
        self.answer = answer

    @property
    def is_for_now(self) -> bool:
        """Whether the connection was lost, and the file may be had later."""
        return isinstance(self.answer, Refused) and self.answer.why == NOT_CONNECTED


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


def with_whose(check: ShuffleCheck, verified: Verified, table: TableState | None) -> ShuffleCheck:
    """Told besides whether somebody has added to each round, and how many were without the player of this seat."""
    if verified.dropped_opened and check.doubt is None:
        check = replace(check, doubt=Doubt.DROPPED)
    without = 0
    if table is not None and table.seat is not None:
        name = table.names[table.seat]
        without = sum(name not in each.added for each in verified.rounds)
    is_verified = all(each.added for each in verified.rounds)
    return replace(check, is_verified=is_verified, without=without)


async def check(file: bytes, seen: Seen) -> Verified:
    """Play the match again, beside whatever else goes on. Raises Untrue."""
    return await in_slices(verify(read(file), seen))
