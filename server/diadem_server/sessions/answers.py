"""Idempotency of commands: what one session has asked for and was answered, so that nothing is done twice.

What was accepted is in the journal, and known after a restart. Refusals are in memory alone: they change nothing, and whoever is
refused without end must not fill the disk.
"""

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from diadem_server.sessions.outbox import Outbox
from diadem_server.storage.changes import NewAnswer
from diadem_server.storage.records import AnswerRow, DoneRow
from diadem_shared.protocol import Accepted, Answer, Command, Refused, pack
from diadem_shared.refusals import Code, Refusal, RefusalError

REMEMBERED_ANSWERS = 200
"""Of each session."""
MOST_IN_FLIGHT = 200
"""Commands of a session that are being done, and frames that wait for one of them."""
FOR_NOW = frozenset(
    {Code.JOURNAL_UNAVAILABLE, Code.TOO_FAST, Code.TOO_MUCH_WRITTEN, Code.ID_REUSED}
)
"""Refusals that say nothing of the command: sent again, it is judged anew."""

_canonical = msgspec.msgpack.Encoder(order="deterministic").encode


def content_of(command: Command) -> int:
    """A checksum: enough to tell a slip. Whoever forged one would mislead only themselves."""
    return zlib.crc32(_canonical(command))


class KeptAnswer(NamedTuple):
    content: int | None
    """None if that is not known any more: an older version has kept the answer."""
    frame: bytes


class Begun(NamedTuple):
    """A command, or a question, that is not answered yet."""

    content: int
    asks: bool
    outboxes: list[Outbox | None]
    """Where it came from, once for every frame that has to be answered."""


class Answers:
    def __init__(self, session: int, *, is_new: bool = False) -> None:
        self.is_recalled = is_new
        """Whether all that the journal has of them is in memory."""
        self._session = session
        self._begun: dict[int, Begun] = {}
        self._answered: OrderedDict[int, KeptAnswer] = OrderedDict()
        self._kept = 0
        """Counts those that have a row of their own."""
        self._idle: asyncio.Future[None] | None = None
        """Done as soon as all is answered that was begun; None while nobody waits for that."""

    def begin(
        self, command: int, content: int, outbox: Outbox | None, *, asks: bool = False
    ) -> bool:
        """Whether this command has to be done. Commands are idempotent: one that was begun before is answered
        as it was, at once or when it is done; a question is asked anew. Raises RefusalError if the id was
        used for another command."""
        answered, begun = self._answered.get(command), self._begun.get(command)
        before = answered or begun
        if before is not None and before.content not in {content, None}:
            raise RefusalError(Refusal(Code.ID_REUSED, {"id": command}))
        if answered is not None:
            if outbox is not None:
                outbox.send(answered.frame)
            return False
        if len(begun.outboxes if begun else self._begun) >= MOST_IN_FLIGHT:
            raise RefusalError(Refusal(Code.TOO_FAST, {"seconds": 1}))
        if begun is not None:
            begun.outboxes.append(outbox)
            return asks
        self._begun[command] = Begun(content, asks, [outbox])
        return True

    def knows(self, command: int) -> bool:
        return command in self._answered or command in self._begun

    @property
    def is_busy(self) -> bool:
        """Whether a command has yet to be answered."""
        return bool(self._begun)

    def awaits(self, command: int) -> bool:
        return command in self._begun

    def content(self, command: int) -> int:
        """Of a command that is being done."""
        return self._begun[command].content

    def give(self, answer: Answer, outbox: Outbox | None) -> None:
        """Answer the commands that came over this connection; those of a lost one are asked again."""
        begun = self._begun.get(answer.id)
        if begun is None:
            return
        frame = pack(answer)
        waiting = begun.outboxes[:1] if begun.asks else begun.outboxes[:]
        del begun.outboxes[: len(waiting)]
        if not begun.outboxes:
            self._end(answer.id)
        if not begun.asks and not _is_for_now(answer):
            self._answered[answer.id] = KeptAnswer(begun.content, frame)
            if len(self._answered) > REMEMBERED_ANSWERS:
                self._answered.popitem(last=False)
        for each in waiting:
            if outbox is not None and each is outbox:
                outbox.send(frame)

    def withdraw(self, command: int, outbox: Outbox | None) -> None:
        """It is not answered here, for this frame of it that came over this connection."""
        outboxes = self._begun[command].outboxes
        outboxes.remove(outbox)
        if not outboxes:
            self._end(command)

    def _end(self, command: int) -> None:
        del self._begun[command]
        if self._idle is not None and not self._begun:
            self._idle.set_result(None)
            self._idle = None

    async def idle(self) -> None:
        """Returns when all is answered that was begun."""
        while self._begun:
            self._idle = self._idle or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._idle)

    def rows(self, answer: Answer) -> list[NewAnswer]:
        """What has to be written, if anything, so that this answer is known after a restart. Refusals are not."""
        begun = self._begun.get(answer.id)
        if begun is None or begun.asks or isinstance(answer, Refused):
            return []
        self._kept += 1
        row = AnswerRow(self._kept, answer.id, begun.content, pack(answer))
        return [NewAnswer(self._session, row, REMEMBERED_ANSWERS)]

    def recall(self, done: Sequence[DoneRow], kept: Iterable[AnswerRow]) -> None:
        """What the journal has: commands that made entries, and answers with a row of their own. There
        may be so many of each."""
        for each in done[-REMEMBERED_ANSWERS:]:
            frame = pack(Accepted(each.command, each.entry))
            self._answered[each.command] = KeptAnswer(each.content, frame)
        for row in kept:
            self._answered[row.command] = KeptAnswer(row.content, row.answer)
            self._kept = max(self._kept, row.number)
        self._trim()
        self.is_recalled = True

    def taken_along(self) -> tuple[dict[int, KeptAnswer], int]:
        """What another node has to know of them, to go on: see `add`."""
        return dict(self._answered), self._kept

    def add(self, answered: Mapping[int, KeptAnswer], kept: int) -> None:
        """What another node has answered."""
        for command, answer in answered.items():
            self._answered[command] = answer
        self._kept = max(self._kept, kept)
        self._trim()

    def _trim(self) -> None:
        while len(self._answered) > 2 * REMEMBERED_ANSWERS:
            self._answered.popitem(last=False)

    @property
    def has_rows(self) -> bool:
        """Whether the journal has rows of this session's answers, as far as is known."""
        return self._kept > 0

    def forget(self) -> None:
        """Nobody is here to ask again: the journal has what was accepted."""
        if not self._begun:
            self._answered.clear()
            self.is_recalled = False


def _is_for_now(answer: Answer) -> bool:
    return isinstance(answer, Refused) and answer.why.code in FOR_NOW
