"""The standings of each game, made from the results in the journal when somebody asks, and kept for a few seconds.

Weeks that are over are counted once, and again only if the number of their results has changed. So all that is kept can be
made anew from the journal, and servers that share one need not tell each other anything.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import count
from math import inf

from msgspec.structs import replace

from diadem_server.storage.journal import Journal
from diadem_shared.bot_ratings import ratings_of
from diadem_shared.games import GAMES
from diadem_shared.protocol import StandingLine, Standings
from diadem_shared.refusals import Code, Refusal, RefusalError
from diadem_shared.standings import LEAST_MATCHES, SURE, WEEK, Line, Standing, rate, week_of

FRESH_SECONDS = 5.0
"""For which they are told as they were made."""
READ_AT_ONCE = 100
"""Results asked of the journal at a time."""
PAGE = 20
BOT = 0
"""No session has this number."""
SLICE_SECONDS = 0.001
PAUSE_SECONDS = 0.003
"""Between two slices of work: it takes no more than a quarter of the loop's time."""


class _Game:
    def __init__(self, week: int = 0) -> None:
        self.week = week
        """The first that is not settled."""
        self.settled: dict[int, Standing] = {}
        """After the week before, by session."""
        self.counted = 0
        """Results in the weeks that are settled."""
        self.lines: Sequence[tuple[int, StandingLine]] = ()
        """As they are shown, with their sessions."""
        self.made = -inf


class ServerStandings:
    def __init__(self, journal: Journal, now: Callable[[], float]) -> None:
        self._journal = journal
        self._now = now
        self._games: dict[str, _Game] = {}
        self._one_at_a_time = asyncio.Lock()

    async def page(self, game: str, session: int, first: int, id_: int) -> Standings:
        if game not in GAMES:
            raise RefusalError(Refusal(Code.NO_SUCH_GAME, {"game": game, "games": list(GAMES)}))
        async with self._one_at_a_time:
            lines = await self._lines(game)
        shown = tuple(line for _, line in lines[first : first + PAGE])
        mine = next((number for number, (whose, _) in enumerate(lines) if whose == session), None)
        is_listed = mine is not None or await self._journal.is_listed(session)
        return Standings(id_, game, shown, first, len(lines), mine, is_listed)

    def forget(self) -> None:
        """Who is listed has changed."""
        for game in self._games.values():
            game.made = -inf

    async def _lines(self, name: str) -> Sequence[tuple[int, StandingLine]]:
        loop = asyncio.get_running_loop()
        game = self._games.setdefault(name, _Game())
        if loop.time() - game.made < FRESH_SECONDS:
            return game.lines
        week = week_of(self._now())
        counted = await self._journal.count_results(name, game.week * WEEK)
        if game.week > week or counted != game.counted:
            game = self._games[name] = _Game()
        await self._settle(name, game, week)
        rated, _ = await self._rated(name, game.settled, week, inf)
        names = await self._journal.listed_players(name)
        game.lines = await _listed(game.settled | rated, names, ratings_of(name), week)
        game.made = loop.time()
        return game.lines

    async def _settle(self, name: str, game: _Game, week: int) -> None:
        """Count all weeks before this one."""
        while game.week < week:
            first = await self._journal.first_result(name, game.week * WEEK)
            if first is None or week_of(first) >= week:
                game.week = week
                break
            settled = week_of(first)
            end = (settled + 1) * WEEK
            rated, results = await self._rated(name, game.settled, settled, end)
            game.settled |= rated
            game.counted += results
            game.week = settled + 1

    async def _rated(
        self, name: str, before: dict[int, Standing], week: int, end: float
    ) -> tuple[dict[int, Standing], int]:
        """Who has played in a week, and how many results that took."""
        lines = [line async for line in self._results(name, week * WEEK, end)]
        found: dict[int, Standing] = {}
        loop = asyncio.get_running_loop()
        slice_ends = loop.time() + SLICE_SECONDS
        for rated in rate(before, week, lines, ratings_of(name)):
            if rated is not None:
                session, standing = rated
                found[session] = standing
            if loop.time() >= slice_ends:
                await asyncio.sleep(PAUSE_SECONDS)
                slice_ends = loop.time() + SLICE_SECONDS
        return found, len(lines)

    async def _results(self, name: str, since: float, until: float) -> AsyncIterator[Line]:
        last = None
        while page := await self._journal.results_after(name, last, since, until, READ_AT_ONCE):
            for line in page:
                yield line
            last = page[-1]


async def _listed(
    standings: dict[int, Standing], names: dict[int, str], marks: Mapping[str, int], week: int
) -> Sequence[tuple[int, StandingLine]]:
    """People and bots, the best first. Whose mark is provisional has no place yet."""
    shown = [(float(mark), BOT, StandingLine("", level, mark)) for level, mark in marks.items()]
    for number, (session, standing) in enumerate(standings.items(), start=1):
        if session in names and standing.matches >= LEAST_MATCHES:
            rating = standing.at(week)
            mark, deviation = round(rating.mark), round(rating.deviation)
            line = StandingLine(names[session], None, mark, deviation, standing.matches)
            shown.append((rating.mark, session, line))
        if number % READ_AT_ONCE == 0:
            await asyncio.sleep(0)
    shown.sort(key=lambda each: (-each[0], each[2].name))
    places = count(1)
    return [
        (
            session,
            line if session == BOT or line.deviation > SURE else replace(line, place=next(places)),
        )
        for _, session, line in shown
    ]
