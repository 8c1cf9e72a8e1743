"""What is kept of a finished match for each of its players: a line for statistics and standings."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from diadem_shared.entries import (
    Changed,
    Entry,
    Lost,
    Moved,
    Resigned,
    Returned,
    Setup,
    Started,
    TakenOver,
    TimedOut,
)
from diadem_shared.game import Seat
from diadem_shared.games import GAMES
from diadem_shared.highlights import AnyHighlights, Highlight
from diadem_shared.lesson import is_lesson
from diadem_shared.match import Match, Told
from diadem_shared.match_events import RoundOver

VERSION = 1
"""Raised when results are made otherwise: those of matches that are still kept are then made anew."""
UNDECIDED = 0


class Other(Struct, frozen=True, array_like=True):
    """Somebody else at the table."""

    name: str
    bot: str | None
    """The level of a bot that sat there from the start."""
    place: int
    stayed: bool


class Result(Struct, frozen=True, array_like=True):
    """A match as one of its players has ended it."""

    game: str
    place: int
    """1 for whoever won, shared where it was; 0 where nothing is decided, as the match was ended before its last round."""
    stayed: bool
    """Whether the player made at least half of their moves, and was there at the end."""
    points: int
    others: tuple[Other, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    is_program: bool = False
    """Whether the player is a program of somebody's, as far as that is known."""


class Summary:
    """What is needed for the results of a match, gathered entry by entry."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._highlights: AnyHighlights | None = None
        self._away: set[Seat] = set()
        self._own: Counter[Seat] = Counter()
        """Moves that players have made themselves."""
        self._in_their_stead: Counter[Seat] = Counter()

    def follow(self, entry: Entry, told: Told) -> None:
        match entry:
            case Moved(seat):
                (self._in_their_stead if seat in self._away else self._own)[seat] += 1
            case TimedOut(seat) | Lost(seat) | Resigned(seat) | TakenOver(seat):
                self._away.add(seat)
            case Returned(seat):
                self._away.discard(seat)
            case Changed(setup):
                self._setup = setup
            case Started() if self._highlights is None:
                game = GAMES[self._setup.game]
                options = game.read_options(self._setup.options, strict=False)
                self._highlights = game.highlights_type(options)
            case _:
                pass
        if self._highlights is not None:
            for happening in told:
                if isinstance(happening.event, RoundOver):
                    self._highlights.end_round(happening.event.outcome.scores)
                else:
                    self._highlights.see(happening.event)

    def results(self, match: Match, programs: Sequence[Seat] = ()) -> tuple[Result | None, ...]:
        """Of a match that is over, by seat; None for bots, and all round for a lesson, and for one that never began."""
        if self._highlights is None or is_lesson(match.setup):
            return (None,) * len(match.players)
        stayed = [self._has_stayed(seat) for seat in range(len(match.players))]
        places = places_of(match, stayed)
        others = [
            Other(player.name, player.bot, places[seat], stayed[seat])
            for seat, player in enumerate(match.players)
        ]
        return tuple(
            None
            if player.bot
            else Result(
                match.setup.game,
                places[seat],
                stayed[seat],
                match.totals.scores[seat],
                (*others[:seat], *others[seat + 1 :]),
                self._highlights.of(seat) if stayed[seat] else (),
                seat in programs,
            )
            for seat, player in enumerate(match.players)
        )

    def _has_stayed(self, seat: Seat) -> bool:
        return seat not in self._away and self._own[seat] >= self._in_their_stead[seat]


def places_of(match: Match, stayed: Sequence[bool]) -> list[int]:
    """Whoever left is behind all who stayed; if the match was ended before its last round, nothing else is decided."""
    totals = list(zip(match.totals.scores, match.totals.tiebreaks, strict=True))
    ahead = [total for total, here in zip(totals, stayed, strict=True) if here]
    is_whole = len(match.rounds) == match.setup.rounds
    return [
        (1 + sum(other > total for other in ahead) if is_whole else UNDECIDED)
        if here
        else max(2, len(ahead) + 1)
        for total, here in zip(totals, stayed, strict=True)
    ]
