"""Who is who: a session is a player's identity, and its token proves it, over any connection."""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator

from diadem.protocol import Answer
from diadem_server import journal
from diadem_server.journal import Journal
from diadem_server.names import skeleton
from diadem_server.outbox import Outbox

REMEMBERED_ANSWERS = 200


class Session:
    def __init__(self, id_: int, name: str) -> None:
        self.id = id_
        self.name = name
        self.outbox: Outbox | None = None
        """Where its newest connection is reached; None while there is none."""
        self.table: str | None = None
        """Where it looks at or plays."""
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
        if answer.id:
            self._answers[answer.id] = frame
        self.answer_again(frame)


class Sessions:
    def __init__(self, journal_: Journal) -> None:
        self._journal = journal_
        self._by_token: dict[bytes, Session] = {}
        self._by_id: dict[int, Session] = {}
        for row in journal_.sessions():
            self._keep(Session(row.id, row.name), row.token)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def get(self, id_: int | None) -> Session | None:
        return None if id_ is None else self._by_id.get(id_)

    def known(self, token: str | None) -> Session | None:
        return self._by_token.get(_hashed(token)) if token else None

    async def make(self, name: str) -> tuple[Session, str]:
        token = secrets.token_urlsafe(24)
        session = Session(max(self._by_id, default=0) + 1, name)
        self._keep(session, _hashed(token))
        await self._journal.write(
            journal.new_session(session.id, _hashed(token), name, time.time())
        )
        return session, token

    async def seen(self, session: Session) -> None:
        await self._journal.write(journal.session_seen(session.id, session.name, time.time()))

    def is_mistakable(self, name: str, for_: Session | None) -> bool:
        """Whether somebody who is present has a name that looks like this one."""
        wanted = skeleton(name)
        return any(
            other is not for_ and other.outbox is not None and skeleton(other.name) == wanted
            for other in self._by_id.values()
        )

    def _keep(self, session: Session, token: bytes) -> None:
        self._by_token[token] = session
        self._by_id[session.id] = session


def _hashed(token: str) -> bytes:
    """What is kept of a token: enough to know it again, not enough to be it."""
    return hashlib.sha256(token.encode()).digest()
