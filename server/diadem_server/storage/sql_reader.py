"""What is asked of a journal that speaks SQL."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

import msgspec

from diadem_server.storage import fair_share, result_statements, statements
from diadem_server.storage.records import (
    AnswerRow,
    BanRow,
    DoneRow,
    EntryRow,
    FinishedLine,
    FinishedTable,
    MuteRow,
    ReadyRow,
    SessionRow,
    StoredTable,
    TableRow,
    UnsummedTable,
)
from diadem_server.storage.statement import Row, Statement
from diadem_shared.entries import Entry
from diadem_shared.protocol import ReplayLine
from diadem_shared.standings import Line

SPARE_SHARE = 50
"""Of results that are too many, so much of those to be kept is dropped besides, so that they are seldom ranked."""


class SqlReader(ABC):
    @abstractmethod
    async def ask(self, *asked: Statement) -> list[list[Row]]:
        """The rows of each, as of one moment, after all that was to be written before."""

    async def _rows(self, asked: Statement) -> list[Row]:
        return (await self.ask(asked))[0]

    async def codes(self) -> set[str]:
        return {row[0] for row in await self._rows(statements.CODES)}

    async def tables(self, over_since: float) -> list[TableRow]:
        return [TableRow(*row) for row in await self._rows(statements.tables(over_since))]

    async def load(self, code: str) -> StoredTable:
        entries, chat, bans, ready = await self.ask(*statements.parts_of(code))
        return StoredTable(
            [statements.entry_row(row) for row in entries],
            [statements.line_row(row) for row in chat],
            [BanRow(*row) for row in bans],
            [ReadyRow(*row) for row in ready],
        )

    async def superfluous(self, keep: int, keep_bytes: int) -> list[str]:
        return [row[0] for row in await self._rows(fair_share.superfluous(keep, keep_bytes))]

    async def superfluous_results(self, keep: int, of_each: int) -> list[tuple[int, int]]:
        if not await self._rows(fair_share.are_too_many_results(keep, of_each)):
            return []
        asked = fair_share.superfluous_results(keep - keep // SPARE_SHARE, of_each)
        return [(match, session) for match, session in await self._rows(asked)]

    async def replays(self, session: int, most: int, before: str | None = None) -> list[ReplayLine]:
        rows = await self._rows(statements.replays(session, most, before))
        lines = ((msgspec.msgpack.decode(line, type=FinishedLine), ended) for line, ended in rows)
        return [line.listed_for(session, ended) for line, ended in lines]

    async def finished_table(self, code: str, session: int) -> TableRow | None:
        rows = await self._rows(statements.finished_table(code, session))
        return TableRow(*rows[0]) if rows else None

    async def finished_match(self, code: str) -> FinishedTable | None:
        rows = await self._rows(statements.finished_match(code))
        if not rows:
            return None
        *row, line = rows[0]
        return FinishedTable(TableRow(*row), msgspec.msgpack.decode(line, type=FinishedLine))

    async def rows_after(self, code: str, number: int, most: int) -> list[EntryRow]:
        rows = await self._rows(statements.rows_after(code, number, most))
        return [statements.entry_row(row) for row in rows]

    async def entries_after(self, code: str, number: int, most: int) -> list[tuple[int, Entry]]:
        rows = await self._rows(statements.entries_after(code, number, most))
        return [(row[0], statements.entry(row[1])) for row in rows]

    async def unsummed(self, version: int, most: int) -> list[UnsummedTable]:
        rows = await self._rows(result_statements.unsummed(version, most))
        return [result_statements.unsummed_table(row) for row in rows]

    async def results_of(self, session: int, before: float, most: int) -> list[Line]:
        rows = await self._rows(result_statements.results_of(session, before, most))
        return [result_statements.line(row) for row in rows]

    async def results_after(
        self, game: str, last: Line | None, since: float, until: float, most: int
    ) -> list[Line]:
        asked = result_statements.results_after(game, last, since, until, most)
        return [result_statements.line(row) for row in await self._rows(asked)]

    async def count_results(self, game: str, until: float) -> int:
        count: int = (await self._rows(result_statements.count_results(game, until)))[0][0]
        return count

    async def first_result(self, game: str, since: float) -> float | None:
        first: float | None = (await self._rows(result_statements.first_result(game, since)))[0][0]
        return first

    async def listed_players(self, game: str) -> dict[int, str]:
        return dict(await self._rows(result_statements.listed_players(game)))

    async def is_listed(self, session: int) -> bool:
        return not await self._rows(result_statements.is_unlisted(session))

    async def sessions(self) -> list[SessionRow]:
        return [SessionRow(*row) for row in await self._rows(statements.SESSIONS)]

    async def mutes(self) -> list[MuteRow]:
        return [MuteRow(*row) for row in await self._rows(statements.MUTES)]

    async def last_session(self) -> int:
        return (await self._rows(statements.LAST_SESSION))[0][0] or 0

    async def last_welcome(self, sessions: Iterable[int]) -> float | None:
        seen: float | None = (await self._rows(statements.last_welcome(sessions)))[0][0]
        return seen

    async def long_gone(self, before: float, unless_played: float) -> set[int]:
        return {row[0] for row in await self._rows(statements.long_gone(before, unless_played))}

    async def answered_long_ago(self, before: float) -> set[int]:
        return {row[0] for row in await self._rows(statements.answered_long_ago(before))}

    async def answers(self, session: int) -> list[AnswerRow]:
        return [AnswerRow(*row) for row in await self._rows(statements.answers_to(session))]

    async def done_lately(self, session: int, most: int) -> list[DoneRow]:
        return [DoneRow(*row) for row in await self._rows(statements.done_lately(session, most))]

    async def done_at(self, code: str, session: int, command: int) -> DoneRow | None:
        rows = await self._rows(statements.done_at(code, session, command))
        return DoneRow(*rows[0]) if rows else None
