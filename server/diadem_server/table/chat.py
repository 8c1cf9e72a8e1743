"""What is said at one table: a bounded number of lines is kept, and budgets hold back who says too much."""

from collections.abc import Iterable, Iterator

from diadem_server.limits.rate_limits import Bucket, Buckets, too_fast
from diadem_server.sessions.names import clean_text
from diadem_server.sessions.sessions import Session
from diadem_server.storage.records import LineRow
from diadem_shared.game import Seat
from diadem_shared.protocol import Reacted, Said
from diadem_shared.refusals import Code, Refusal, RefusalError

KEPT_MESSAGES = 50
"""Lines that are told to whoever comes later."""
PERSON_A_SECOND, PERSON_AT_ONCE = 0.5, 8
"""Lines of one session, wherever it says them."""
TABLE_A_SECOND, TABLE_AT_ONCE = 4.0, 30
"""Lines of everybody at one table."""
ONLOOKERS_SHARE = 0.5
"""Of a table's budget: however many look on, those who sit there can talk to each other."""


def session_limits() -> Buckets:
    """By session."""
    return Buckets(PERSON_A_SECOND, PERSON_AT_ONCE)


class Chat:
    def __init__(self, limits: Buckets) -> None:
        """`limits` are those of the sessions, wherever they say something."""
        self.lines: list[LineRow] = []
        self._limits = limits
        self._budget = Bucket(TABLE_A_SECOND, TABLE_AT_ONCE)
        self._budget_of_onlookers = Bucket(
            TABLE_A_SECOND * ONLOOKERS_SHARE, TABLE_AT_ONCE * ONLOOKERS_SHARE
        )

    def say(self, session: Session, seat: Seat | None, text: str) -> LineRow:
        """The next line of chat; raises RefusalError."""
        cleaned = clean_text(text)
        if not cleaned:
            raise RefusalError(Refusal(Code.NOTHING_SAID))
        self.spend(session, looks_on=seat is None)
        said = Said(session.name, seat, cleaned)
        line = LineRow(self.lines[-1].number + 1 if self.lines else 1, said, session.id)
        self.lines = [*self.lines, line][-KEPT_MESSAGES:]
        return line

    def spend(self, session: Session, *, looks_on: bool) -> None:
        """A line of every budget that it counts for, or of none; raises RefusalError."""
        person = str(session.id)
        shared = [self._budget, *([self._budget_of_onlookers] if looks_on else [])]
        wait = max(self._limits.wait(person), *(each.wait() for each in shared))
        if wait:
            raise RefusalError(too_fast(wait))
        self._limits.take(person)
        for budget in shared:
            budget.take()

    def lines_for(self, viewer: Session, *, after: int = 0) -> Iterator[LineRow]:
        """What is told to somebody who comes later."""
        return (line for line in self.lines if line.number > after and is_told(line, viewer))


def is_told(line: LineRow, viewer: Session) -> bool:
    return line.session not in viewer.muted


def tell_reaction(reacted: Reacted, session: Session, viewers: Iterable[Session]) -> None:
    """To all who have not muted who says it. None is kept."""
    for viewer in viewers:
        if viewer.is_at_table and session.id not in viewer.muted:
            viewer.tell(reacted)
