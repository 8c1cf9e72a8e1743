"""Who is who: a session is a player's identity, and its token proves it, over any connection."""

import asyncio
import hashlib
import itertools
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress

from diadem.protocol import Answer
from diadem_server import records
from diadem_server.confusables import looks
from diadem_server.journal import Journal, JournalUnavailable
from diadem_server.outbox import Outbox

REMEMBERED_ANSWERS = 200


class Session:
    def __init__(self, id_: int, name: str) -> None:
        self.id = id_
        self.name = name
        self.outbox: Outbox | None = None
        """Where its newest connection is reached; None while there is none."""
        self.prefix = ""
        """Of the address of its newest connection, by which limits count; see `prefix_of`."""
        self.table: str | None = None
        """Where it looks at or plays."""
        self.sitting_down_at: str | None = None
        """Where it is about to take a seat, while that is being written."""
        self.muted: set[int] = set()
        """The sessions of those whose chat it is not sent."""
        self._answers: OrderedDict[int, bytes | None] = OrderedDict()

    def begin(self, command: int) -> bool:
        """False if this command was begun before: it must not be done twice."""
        if command in self._answers:
            return False
        self._answers[command] = None
        while len(self._answers) > REMEMBERED_ANSWERS:
            self._answers.popitem(last=False)
        return True

    def answered(self, command: int) -> bytes | None:
        """The answer it was given, once it was."""
        return self._answers.get(command)

    def answer_again(self, frame: bytes) -> None:
        if self.outbox:
            self.outbox.send(frame)

    def answer(self, answer: Answer, frame: bytes) -> None:
        if answer.id in self._answers:
            self._answers[answer.id] = frame
        self.answer_again(frame)


class Sessions:
    def __init__(self, journal_: Journal, now: Callable[[], float]) -> None:
        self._journal = journal_
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._by_token: dict[bytes, Session] = {}
        self._by_id: dict[int, Session] = {}
        self._by_look: defaultdict[str, set[Session]] = defaultdict(set)
        for row in journal_.sessions():
            self._keep(Session(row.id, row.name), row.token)
        for id_, muted in journal_.mutes():
            self._by_id[id_].muted.add(muted)
        # No number is given twice: entries tell by it who made them.
        self._ids = itertools.count(journal_.last_session() + 1)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def get(self, id_: int | None) -> Session | None:
        return None if id_ is None else self._by_id.get(id_)

    def known(self, token: str | None) -> Session | None:
        return self._by_token.get(_hashed(token)) if token else None

    def looking_like(self, name: str) -> set[Session]:
        """All whose names people would take for this one."""
        return {each for look in looks(name) for each in self._by_look.get(look, ())}

    def rename(self, session: Session, name: str) -> None:
        if name != session.name:
            self._forget_looks(session)
            session.name = name
            self._keep_looks(session)

    async def make(self, name: str) -> tuple[Session, str]:
        token = secrets.token_urlsafe(24)
        return await self._make(name, token), token

    async def make_for(self, token: str, name: str) -> Session:
        """For a token that the player has from elsewhere, and may come with twice at a time."""
        async with self._one_at_a_time:
            return self.known(token) or await self._make(name, token)

    async def _make(self, name: str, token: str) -> Session:
        session = Session(next(self._ids), name)
        await self._journal.write(
            records.new_session(session.id, _hashed(token), name, self._now())
        )
        self._keep(session, _hashed(token))
        return session

    async def seen(self, session: Session) -> None:
        """Of no weight: whoever has a seat comes back to it even when nothing can be written."""
        with suppress(JournalUnavailable):
            await self._journal.write(records.session_seen(session.id, session.name, self._now()))

    def forget(self, ids: set[int]) -> set[int]:
        """Those among them who are not here; their tokens are worth nothing any more."""
        gone = {id_ for id_ in ids if id_ in self._by_id and self._by_id[id_].outbox is None}
        for id_ in gone:
            self._forget_looks(self._by_id.pop(id_))
        self._by_token = {
            token: each for token, each in self._by_token.items() if each.id not in gone
        }
        for session in self:
            session.muted -= gone
        return gone

    def _keep(self, session: Session, token: bytes) -> None:
        self._by_token[token] = session
        self._by_id[session.id] = session
        self._keep_looks(session)

    def _keep_looks(self, session: Session) -> None:
        for look in looks(session.name):
            self._by_look[look].add(session)

    def _forget_looks(self, session: Session) -> None:
        for look in looks(session.name):
            self._by_look[look].discard(session)
            if not self._by_look[look]:
                del self._by_look[look]


def _hashed(token: str) -> bytes:
    """What is kept of a token: enough to know it again, not enough to be it."""
    return hashlib.sha256(token.encode()).digest()
