"""Events of the match itself, told beside those of its game."""

from diadem_shared.game import Event, Outcome, Seat


class Stalled(Event, frozen=True, tag="stalled"):
    """The round was stopped, as it took more moves than any round that gets anywhere (C-5)."""

    moves: int


class RoundOver(Event, frozen=True, tag="round_over"):
    outcome: Outcome


class MatchOver(Event, frozen=True, tag="match_over"):
    totals: Outcome
    winners: tuple[Seat, ...]
