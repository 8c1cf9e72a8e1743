"""A player's own statistics: a fold of the results of their matches, the oldest first."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from diadem_shared.games import GAMES
from diadem_shared.highlights import Highlight, keep_best
from diadem_shared.results import UNDECIDED, Result

LATELY = 30
"""Matches of which it is told one by one how they ended."""
MOST_OPPONENTS = 12


class Opponent(Struct, frozen=True):
    name: str
    """Empty for bots."""
    bot: str | None
    """The level; bots of one level count as one."""
    matches: int
    won: int
    """In how many of them the player was ahead of this one."""


class GameStatistics(Struct, frozen=True):
    game: str
    matches: int
    """That were decided."""
    won: int
    """Alone or with others."""
    given_up: int
    """In which somebody else had to play on."""
    streak: int
    """Matches won in a row, up to now."""
    longest: int
    """The longest such streak."""
    lately: tuple[int, ...]
    """The places in the newest matches, the newest last."""
    opponents: tuple[Opponent, ...]
    """Those met most often first."""
    highlights: tuple[Highlight, ...]


class _Tally:
    def __init__(self, game: str) -> None:
        self._game = game
        self._matches = self._won = self._given_up = self._streak = self._longest = 0
        self._lately: list[int] = []
        self._met: Counter[tuple[str, str | None]] = Counter()
        self._beaten: Counter[tuple[str, str | None]] = Counter()
        self._best: dict[str, Highlight] = {}
        self._kinds = GAMES[game].highlights_type.kinds if game in GAMES else {}

    def add(self, result: Result) -> None:
        if result.place == UNDECIDED:
            return
        self._matches += 1
        self._given_up += not result.stayed
        has_won = result.place == 1
        self._won += has_won
        self._streak = self._streak + 1 if has_won else 0
        self._longest = max(self._longest, self._streak)
        self._lately = [*self._lately[1 - LATELY :], result.place]
        for other in result.others:
            who = ("", other.bot) if other.bot else (other.name, None)
            self._met[who] += 1
            self._beaten[who] += result.place < other.place
        for highlight in result.highlights:
            keep_best(self._best, highlight, self._kinds)

    @property
    def statistics(self) -> GameStatistics:
        return GameStatistics(
            game=self._game,
            matches=self._matches,
            won=self._won,
            given_up=self._given_up,
            streak=self._streak,
            longest=self._longest,
            lately=tuple(self._lately),
            opponents=tuple(
                Opponent(*who, matches, self._beaten[who])
                for who, matches in self._met.most_common(MOST_OPPONENTS)
            ),
            highlights=tuple(self._best[kind] for kind in self._kinds if kind in self._best),
        )


class Statistics:
    """By game."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}

    def add(self, results: Iterable[Result]) -> None:
        for result in results:
            if result.game not in self._tallies:
                self._tallies[result.game] = _Tally(result.game)
            self._tallies[result.game].add(result)

    @property
    def games(self) -> tuple[GameStatistics, ...]:
        """Those that were played, in the order of the registry."""
        order = list(GAMES)
        found = (tally.statistics for tally in self._tallies.values())
        played = [each for each in found if each.matches]
        return tuple(
            sorted(played, key=lambda each: order.index(each.game) if each.game in order else 99)
        )
