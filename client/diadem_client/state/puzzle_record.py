"""Which puzzles the player has tried and solved, by day."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

MOST_DAYS = 2_000
"""That are kept. A streak cannot be longer."""
MOST_TRIES = 999


def today() -> date:
    """By the clock on the player's wall."""
    return datetime.now().astimezone().date()


class PuzzleDay(Struct, frozen=True, omit_defaults=True):
    tries: Annotated[int, Meta(ge=0, le=MOST_TRIES)] = 0
    is_solved: bool = False
    is_late: bool = False
    """Whether it was solved on a later day."""
    is_shown: bool = False
    """Whether the player has had the solution shown."""


class PuzzleRecord(Struct, frozen=True, omit_defaults=True):
    days: Mapping[str, PuzzleDay] = {}

    def of(self, day: date) -> PuzzleDay:
        return self.days.get(day.isoformat(), PuzzleDay())

    def tried(self, day: date, today: date, *, solves: bool) -> "PuzzleRecord":
        """What is tried once it is solved, or shown, counts no more."""
        before = self.of(day)
        if before.is_solved or before.is_shown:
            return self
        tries = min(before.tries + 1, MOST_TRIES)
        return self._with(day, PuzzleDay(tries, solves, solves and today > day))

    def shown(self, day: date) -> "PuzzleRecord":
        before = self.of(day)
        return self if before.is_solved else self._with(day, replace(before, is_shown=True))

    def streak(self, today: date) -> int:
        """How many puzzles in a row were solved on their day, up to today's or, as long as that is open, yesterday's."""
        counted = 0
        day = today if self._is_in_time(today) else today - timedelta(1)
        while self._is_in_time(day):
            counted += 1
            day -= timedelta(1)
        return counted

    def _is_in_time(self, day: date) -> bool:
        solved = self.of(day)
        return solved.is_solved and not solved.is_late

    def _with(self, day: date, changed: PuzzleDay) -> "PuzzleRecord":
        """Of too many those go that are furthest from this day, be it that a clock was wrong and they are yet to come."""
        days = {**self.days, day.isoformat(): changed}
        known = {date.fromisoformat(each): each for each in days if _is_day(each)}
        nearest = sorted(known, key=lambda each: abs(each - day))[:MOST_DAYS]
        return PuzzleRecord({known[each]: days[known[each]] for each in sorted(nearest)})


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
