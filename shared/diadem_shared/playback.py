"""A match that is over, as its file tells it, entry by entry: forth, back, and to any of them.

Of a long match not every state is kept: checkpoints at even distances are, from which the way to an entry is played again,
and the steps that were looked at last.
"""

from collections.abc import Generator, Sequence

from diadem_shared.entries import Entry, Started
from diadem_shared.game import Seat, Viewer
from diadem_shared.match import Match, Phase, apply
from diadem_shared.match_file import Fault, MatchFile, Untrue, illegal, opened
from diadem_shared.playout import Step

LEAST_STRIDE = 16
MOST_CHECKPOINTS = 128
MOST_STEPS = 400
"""Steps that are kept, the ones looked at last."""


class Playback:
    """`prepare` has to be gone through first: it finds out whether the file is a match at all."""

    def __init__(self, file: MatchFile) -> None:
        self.code = file.header.table
        self._header = file.header
        self._secret = bytes.fromhex(file.end.secret)
        self._entries: Sequence[Entry] = file.entries
        self._stride = max(LEAST_STRIDE, -(-len(file.entries) // MOST_CHECKPOINTS))
        self._checkpoints: list[Match] = []
        self._steps: dict[int, Step] = {}
        self.rounds: tuple[int, ...] = ()
        """The entries by which each round was dealt."""
        self.turns: tuple[tuple[Seat, ...], ...] = ()
        """By entry, from 0 for none: the seats that might move after it."""

    @property
    def first(self) -> int:
        """The entry by which the first round was dealt; before it there is nothing to be seen."""
        return self.rounds[0]

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self._entries)

    def prepare(self) -> Generator[int, None, None]:
        """Play all of it once; yields the number of each entry that was. Raises Untrue."""
        match = opened(self._header)
        self._checkpoints = [match]
        rounds, turns = list[int](), [match.actors]
        for number, entry in enumerate(self._entries, 1):
            match = self._after(match, number).match
            if isinstance(entry, Started):
                rounds.append(number)
            turns.append(match.actors)
            if number % self._stride == 0:
                self._checkpoints.append(match)
            yield number
        if match.phase is not Phase.OVER or not rounds:
            raise Untrue(Fault.NOT_WHOLE)
        self.rounds, self.turns = tuple(rounds), tuple(turns)

    def match_at(self, number: int) -> Match:
        """As it stood after this entry; 0 for none."""
        return self.step(number).match if number else self._checkpoints[0]

    def step(self, number: int) -> Step:
        """This entry, what it led to and what was told of it."""
        if number not in self._steps:
            self._play_up_to(number)
        step = self._steps.pop(number)
        self._steps[number] = step  # the last to be dropped
        return step

    def steps(self, first: int, last: int) -> list[Step]:
        """Those from one entry to another."""
        return [self.step(number) for number in range(max(1, first), last + 1)]

    def turn_after(self, number: int, seat: Viewer) -> int:
        """The next entry after which this seat may begin to move, or with no seat whoever is next; or else the last."""
        later = range(number + 1, self.last + 1)
        return next((each for each in later if self._begins_turn(each, seat)), self.last)

    def turn_before(self, number: int, seat: Viewer) -> int:
        """The same before; or else the first."""
        earlier = range(number - 1, self.first, -1)
        return next((each for each in earlier if self._begins_turn(each, seat)), self.first)

    def _begins_turn(self, number: int, seat: Viewer) -> bool:
        before, now = self.turns[number - 1], self.turns[number]
        return bool(now) and now != before if seat is None else seat in now and seat not in before

    def _play_up_to(self, number: int) -> None:
        at = (number - 1) // self._stride * self._stride
        match = self._checkpoints[at // self._stride]
        for each in range(at + 1, number + 1):
            step = self._steps.get(each) or self._after(match, each)
            match = step.match
            self._steps[each] = step
        for old in list(self._steps)[: max(0, len(self._steps) - MOST_STEPS)]:
            del self._steps[old]

    def _after(self, match: Match, number: int) -> Step:
        entry = self._entries[number - 1]
        try:
            after, told = apply(match, entry, self._secret, recorded=True)
        except Exception as error:
            raise illegal(number, error) from error
        return Step(entry, after, told)
