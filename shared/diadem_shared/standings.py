"""The standings of a game among people: a fold of the results of a server's matches, week by week.

A week is a rating period of Glicko-2. Within it order does not matter, so servers that share a journal come to the same
standings, whoever counts. Decision 0041 has the reasons.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from diadem_shared.glicko import Game, Rating, rated, rested
from diadem_shared.results import UNDECIDED, Result

WEEK = 7 * 24 * 60 * 60.0
"""Seconds of a rating period."""
DAY = 24 * 60 * 60.0
MOST_A_DAY = 5
"""Matches of the same two that count on one day; of one player and bots of one level likewise."""
LEAST_MATCHES = 3
"""Whoever has fewer that count is not shown."""
SURE = 110.0
"""The deviation from which on a mark is no longer provisional."""


class Line(Struct, frozen=True):
    """A result, of whom, and of which match."""

    match: int
    session: int
    ended: float
    """Seconds since 1970."""
    result: Result


class Standing(Struct, frozen=True):
    rating: Rating = Rating()
    matches: int = 0
    """Those that counted."""
    week: int = 0
    """To the end of which it was rated."""

    def at(self, week: int) -> Rating:
        """Before the matches of this week."""
        return rested(self.rating, max(0, week - self.week - 1)) if self.matches else self.rating


def week_of(moment: float) -> int:
    return int(moment // WEEK)


def rate(
    standings: Mapping[int, Standing], week: int, lines: Sequence[Line], marks: Mapping[str, float]
) -> Iterator[tuple[int, Standing] | None]:
    """The standings of those who have played in this week, after it: one after the other, and None in between, where others
    may have a turn. `marks` are those of the bots by level."""
    tables: defaultdict[int, list[Line]] = defaultdict(list)
    before: dict[int, Rating] = {}
    for line in sorted(lines, key=lambda each: (each.ended, each.match, each.session)):
        before[line.session] = standings.get(line.session, Standing()).at(week)
        if not line.result.is_program:
            tables[line.match].append(line)
    games = _Games(before, marks)
    for people in tables.values():
        games.add(people)
        yield None
    for session, played in games.of.items():
        matches = standings.get(session, Standing()).matches + games.matches[session]
        yield session, Standing(rated(before[session], played), matches, week)


class _Games:
    """Those of a week: each two at a table are one."""

    def __init__(self, before: Mapping[int, Rating], marks: Mapping[str, float]) -> None:
        self.of: defaultdict[int, list[Game]] = defaultdict(list)
        """By session."""
        self.matches: Counter[int] = Counter()
        self._before = before
        self._marks = marks
        self._met: Counter[tuple[int, int, int | str]] = Counter()
        """How often two have met on a day."""

    def add(self, people: Sequence[Line]) -> None:
        day = int(people[0].ended // DAY)
        weight = 2 / (1 + len(people[0].result.others))
        counted: set[int] = set()
        for one, other in combinations(people, 2):
            score = _score(one.result, other.result.place, stayed=other.result.stayed)
            pair = day, min(one.session, other.session), max(one.session, other.session)
            if score is None or self._met[pair] >= MOST_A_DAY:
                continue
            self._met[pair] += 1
            self.of[one.session].append(Game(self._before[other.session], score, weight))
            self.of[other.session].append(Game(self._before[one.session], 1 - score, weight))
            counted |= {one.session, other.session}
        counted |= {each.session for each in people if self._add_bots(each, day, weight)}
        self.matches.update(counted)

    def _add_bots(self, line: Line, day: int, weight: float) -> bool:
        """What a match was against its bots, each as strong as its level; whether anything of it counts."""
        counted: set[str] = set()
        for other in line.result.others:
            level, whose = other.bot or "", line.session
            score = _score(line.result, other.place, stayed=other.stayed)
            is_allowed = level in self._marks and self._met[day, whose, level] < MOST_A_DAY
            if score is not None and is_allowed:
                self.of[whose].append(Game(Rating(self._marks[level], 0.0), score, weight))
                counted.add(level)
        for level in counted:
            self._met[day, line.session, level] += 1
        return bool(counted)


def _score(result: Result, place: int, *, stayed: bool) -> float | None:
    """Against somebody who ended at that place; None where it says nothing who is stronger."""
    if result.stayed != stayed:
        return float(result.stayed)
    if not stayed or UNDECIDED in {result.place, place}:
        return None
    return 0.5 if result.place == place else float(result.place < place)
