"""Who is who: a session is a player's identity, and its token proves it, over any connection."""

import asyncio
import hashlib
import itertools
import math
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from msgspec import Struct
from websockets.frames import CloseCode

from diadem_server.limits.sites import with_site
from diadem_server.sessions.answers import REMEMBERED_ANSWERS, Answers, content_of
from diadem_server.sessions.outbox import Outbox
from diadem_server.storage.changes import NewSession, SessionSeen
from diadem_server.storage.journal import Journal, JournalUnavailable
from diadem_server.storage.records import DoneRow
from diadem_shared.protocol import Answer, Command, pack

ORIGIN_BYTES = 6


class Session:
    def __init__(self, id_: int, name: str, *, is_new: bool = False) -> None:
        self.id = id_
        self.name = name
        self.outbox: Outbox | None = None
        """Where its newest connection is reached; None while there is none."""
        self.prefix = ""
        """Of the address of its newest connection, by which limits count; see `prefix_of`."""
        self.table: str | None = None
        """Where it looks at or plays."""
        self.came_by: Outbox | None = None
        """The connection by which it came there. A newer one is told nothing of the table before it has come there, too."""
        self.front: int | None = None
        """The node that has the line to its client; None for this one."""
        self.longest_pause = math.inf
        """Seconds for which its player wants to be held by the move of a bot; see `SetPause`."""
        self.is_bot = False
        """Whether its player is a program."""
        self.has_bot_token = False
        """Whether the server's host has made its token for a bot."""
        self.wants_moves = False
        """Whether views tell what its seat may do."""
        self.adds_chance = False
        """Whether its client adds to the chance of rounds, as it has said or done, so that it is waited for."""
        self.muted: set[int] = set()
        """The sessions of those whose chat it is not sent."""
        self.answers = Answers(id_, is_new=is_new)

    def begin(self, command: Command, *, asks: bool = False) -> bool:
        """Whether this has to be done; see `Answers.begin`."""
        return self.answers.begin(command.id, content_of(command), self.outbox, asks=asks)

    def answer(self, answer: Answer) -> None:
        self.answers.give(answer, self.outbox)

    @property
    def is_at_table(self) -> bool:
        """Whether its newest connection is told what happens at its table."""
        return self.outbox is not None and self.outbox is self.came_by

    def come_again(self, command: int) -> None:
        """Have the client connect again, to another node, and repeat this command there: it is not answered here."""
        self.answers.withdraw(command, self.outbox)
        if self.outbox is not None:
            self.outbox.disconnect(CloseCode.SERVICE_RESTART, "")

    def answer_once_written(self, answer: Answer, outcome: "asyncio.Future[None]") -> None:
        """Also where it could not be written."""
        if not outcome.cancelled():
            outcome.exception()  # looked at, or asyncio complains
            self.answer(answer)

    def tell(self, message: Struct) -> None:
        if self.outbox:
            self.outbox.send(pack(message))


class Sessions:
    def __init__(self, journal: Journal, now: Callable[[], float]) -> None:
        self._journal = journal
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._by_token: dict[bytes, Session] = {}
        self._by_id: dict[int, Session] = {}
        self._ids = itertools.count(1)

    async def load(self) -> None:
        """All that the journal knows of."""
        for row in await self._journal.sessions():
            self.keep(Session(row.id, row.name), row.token)
        for id_, muted in await self._journal.mutes():
            self._by_id[id_].muted.add(muted)
        # No number is given twice: entries tell by it who made them.
        self._ids = itertools.count(await self._journal.last_session() + 1)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def get(self, id_: int | None) -> Session | None:
        return None if id_ is None else self._by_id.get(id_)

    def known(self, token: str | None) -> Session | None:
        """Of those in memory."""
        return self._by_token.get(hashed(token)) if token else None

    async def find(self, token: str | None) -> Session | None:
        """Looks wherever sessions are kept."""
        return self.known(token)

    def arrive(self, id_: int, name: str) -> Session:
        """Somebody comes from another node, whom this one may have met before."""
        if id_ not in self._by_id:
            self._by_id[id_] = Session(id_, name, is_new=True)
        return self._by_id[id_]

    async def make(self, name: str, prefix: str = "") -> tuple[Session, str]:
        """`prefix` of the address that they come from."""
        token = secrets.token_urlsafe(24)
        return await self._make(name, token, prefix), token

    async def make_for(self, token: str, name: str, prefix: str = "") -> Session:
        """For a token that the player has from elsewhere, and may come with twice at a time."""
        async with self._one_at_a_time:
            if known := await self.find(token):
                return known
            try:
                return await self._make(name, token, prefix)
            except JournalUnavailable:
                if known := await self.find(token):  # they came with it elsewhere at the same time
                    return known
                raise

    async def _make(self, name: str, token: str, prefix: str) -> Session:
        session = Session(await self.new_id(), name, is_new=True)
        origin = abbreviated(prefix)
        await self._journal.write(NewSession(session.id, hashed(token), name, self._now(), origin))
        self.keep(session, hashed(token))
        return session

    async def new_id(self) -> int:
        return next(self._ids)

    async def recall(self, session: Session, done: Iterable[DoneRow]) -> None:
        """What it was answered before the server was started; some of it has been found already."""
        lately = await self._journal.done_lately(session.id, REMEMBERED_ANSWERS)
        kept = await self._journal.answers(session.id)
        if not session.answers.is_recalled:  # meanwhile, by a hello over another connection
            session.answers.recall([*reversed(lately), *done], kept)

    async def seen(self, session: Session) -> None:
        """Of no weight: whoever has a seat comes back to it even when nothing can be written."""
        with suppress(JournalUnavailable):
            await self._journal.write(SessionSeen(session.id, session.name, self._now()))

    def forget_answers(self) -> None:
        """Of all who are not here: the journal has what they may ask for again."""
        for session in self:
            if session.outbox is None:
                session.answers.forget()

    def forget(self, ids: set[int]) -> set[int]:
        """Those among them who are not here; their tokens are worth nothing any more."""
        gone = {id_ for id_ in ids if id_ in self._by_id and self._by_id[id_].outbox is None}
        self.drop(gone)
        for session in self:
            session.muted -= gone
        return gone

    def drop(self, ids: set[int]) -> None:
        """Out of memory."""
        self._by_id = {id_: each for id_, each in self._by_id.items() if id_ not in ids}
        self._by_token = {
            token: each for token, each in self._by_token.items() if each.id not in ids
        }

    def keep(self, session: Session, token: bytes) -> None:
        self._by_token[token] = session
        self._by_id[session.id] = session


def abbreviated(prefix: str) -> str:
    """What is kept of where a player first came from, by the site of IPv6: enough to tell that two came from one place."""
    if not prefix:
        return ""
    site, *_ = with_site(prefix)
    return hashlib.blake2b(site.encode(), digest_size=ORIGIN_BYTES, person=b"origin").hexdigest()


def hashed(token: str) -> bytes:
    """What is kept of a token: enough to know it again, not enough to be it."""
    return hashlib.sha256(token.encode()).digest()
