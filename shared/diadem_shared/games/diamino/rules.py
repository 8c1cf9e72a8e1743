"""The rules that change the table. Whether a move is allowed was settled before."""

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Happening, Seat
from diadem_shared.games.diamino.board import coordinates
from diadem_shared.games.diamino.placing import lay
from diadem_shared.games.diamino.table import (
    Cause,
    DiaminoEvent,
    Ended,
    Laid,
    Passed,
    Proposed,
    PutBack,
    State,
    TakenBack,
    Took,
    TurnPhase,
    Voted,
)
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import TILE_SETS, sorted_hand, without
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.games.diamino.words import judge_of, list_of, read_as, written

ATTEMPTS = 2
"""How many plays the table may refuse before the turn is lost (M-12)."""
GREEN_POINTS = 5
RED_POINTS = 10


def blocked_after(version: int, seats: int) -> tuple[int, int]:
    """M-17: how many passes in a row, and how many turns with nothing laid, end a round."""
    passes, idle = (1, 2) if version == 1 else (2, 3)
    return passes * seats, idle * seats


class Turn:
    """One move at work: the state as it becomes, and what is told on the way."""

    def __init__(self, rules: RuleSet, version: int, state: State, chance: Chance) -> None:
        self.state = state
        self.told: list[Happening[DiaminoEvent]] = []
        self._rules = rules
        self._version = version
        self._chance = chance

    @property
    def seat(self) -> Seat:
        return self.state.turn

    @property
    def hand(self) -> str:
        return self.state.hands[self.seat]

    # Laying

    def propose(self, legal: Legal) -> None:
        """M-12: it lies on the board while the others judge."""
        self.state = replace(
            self.state,
            phase=TurnPhase.JUDGE,
            pending=legal,
            votes=(None,) * len(self.state.hands),
            doubted=False,
        )
        runs = read_as(legal.runs, list_of(self.state.options))
        self._tell(Proposed(self.seat, legal.play, written(runs, None), runs))

    def vote(self, seat: Seat, *, accepts: bool, silent: bool = False) -> None:
        """One objection puts the play to a vote, in which the objector has voted."""
        votes = list(self.state.votes)
        if not accepts and not self.state.doubted:
            votes = [None] * len(votes)
        votes[seat] = accepts
        self.state = replace(
            self.state, votes=tuple(votes), doubted=self.state.doubted or not accepts
        )
        self._tell(Voted(seat, accepts, silent))
        opponents = len(votes) - 1
        if 2 * votes.count(False) > opponents:
            self._take_back()
        elif self.state.pending and (
            votes.count(True) == opponents
            or (self.state.doubted and 2 * votes.count(True) >= opponents)
        ):
            self.settle(self.state.pending)

    def settle(self, legal: Legal) -> None:
        """The play stands: M-20 to M-22 in Rummy, M-25 to M-30 in Bonus."""
        brought = self._points(legal)
        self.state = replace(
            self.state,
            board=lay(self.state.board, legal),
            points=tuple(map(sum, zip(self.state.points, brought, strict=True))),
            idle=0,
            passes=0,
            pending=None,
            votes=(),
            doubted=False,
        )
        self._hold(self.seat, legal.left)
        runs = read_as(legal.runs, list_of(self.state.options))
        self._tell(
            Laid(
                seat=self.seat,
                play=legal.play,
                words=written(runs, judge_of(self.state.options)),
                greens=len(legal.greens),
                reds=len(legal.reds),
                black=bool(legal.blacks),
                points=brought,
                fields=tuple(sorted(legal.laid, key=lambda field: coordinates(field) or ())),
                runs=runs,
            )
        )
        if legal.draws:
            rummy = self._rules is RuleSet.RUMMY
            self._take(legal.draws, Cause.GREEN if rummy else Cause.REFILL)
        if not self.hand:
            self._end(out=self.seat, doubled=bool(legal.blacks))
        elif legal.reds and self._rules is RuleSet.RUMMY:
            owed = min(len(legal.reds), len(self.hand))
            self.state = replace(self.state, phase=TurnPhase.GIVE, owed=owed)
        else:
            self._next()

    def _points(self, legal: Legal) -> tuple[int, ...]:
        """M-26 to M-28: greens for the others, reds and perhaps the words for the layer."""
        seats = len(self.state.hands)
        if self._rules is RuleSet.RUMMY:
            return (0,) * seats
        own = RED_POINTS * len(legal.reds)
        if self.state.options.words_score:
            own += legal.words_value(TILE_SETS[self.state.options.language])
        others = GREEN_POINTS * len(legal.greens)
        return tuple(own if seat == self.seat else others for seat in range(seats))

    def _take_back(self) -> None:
        """M-12: refused, everything is as before, but all have seen the tiles."""
        pending = self.state.pending
        votes = self.state.votes
        refused = self.state.refused + 1
        seen = pending.used if pending else ""
        runs = read_as(pending.runs, list_of(self.state.options)) if pending else ()
        proposed = written(runs, None)
        for viewer in range(len(self.state.witnessed)):
            if viewer != self.seat:
                self._audit(viewer, seen)
        self.state = replace(
            self.state, phase=TurnPhase.PLAY, pending=None, votes=(), doubted=False, refused=refused
        )
        self._tell(
            TakenBack(
                self.seat,
                again=refused < ATTEMPTS,
                words=proposed,
                against=votes.count(False),
                voters=len(votes) - 1,
            )
        )
        if refused == ATTEMPTS:
            self._idle(passed=self._version == 1)

    # Everything else

    def exchange(self, tiles: str) -> None:
        """M-13: takes new tiles first, then returns their own."""
        self._hold(self.seat, without(self.hand, tiles))
        self._take(len(tiles), Cause.EXCHANGE)
        self._return(tiles, Cause.EXCHANGE)
        self._idle(passed=False)

    def pass_(self) -> None:
        self._tell(Passed(self.seat))
        self._idle(passed=True)

    def give(self, tiles: str) -> None:
        """M-21: giving back the last tile wins, undoubled."""
        if tiles:
            self._hold(self.seat, without(self.hand, tiles))
            self._return(tiles, Cause.RED)
        if self.hand:
            self._next()
        else:
            self._end(out=self.seat, doubled=False)

    def block(self) -> None:
        """M-24, M-32: nobody is out."""
        self.state = replace(self.state, pending=None, votes=(), doubted=False)
        self._end(out=None, doubled=False)

    def _idle(self, *, passed: bool) -> None:
        """M-17: rounds of passes, or rounds in which nothing was laid, end it. A lost turn is no pass."""
        idle = self.state.idle + 1
        passes = self.state.passes + 1 if passed else 0
        self.state = replace(self.state, idle=idle, passes=passes)
        most_passes, most_idle = blocked_after(self._version, len(self.state.hands))
        if passes >= most_passes or idle >= most_idle:
            self.block()
        else:
            self._next()

    def _next(self) -> None:
        following = (self.seat + 1) % len(self.state.hands)
        self.state = replace(self.state, turn=following, phase=TurnPhase.PLAY, owed=0, refused=0)

    def _end(self, *, out: Seat | None, doubled: bool) -> None:
        self.state = replace(self.state, phase=TurnPhase.OVER, owed=0, out=out, doubled=doubled)
        self._tell(Ended(out, doubled, self.state.hands))

    def _take(self, count: int, why: Cause) -> None:
        reserve = list(self.state.reserve)
        taken = "".join(reserve.pop(self._chance.below(len(reserve))) for _ in range(count))
        self.state = replace(self.state, reserve="".join(reserve))
        self._hold(self.seat, sorted_hand(self.hand + taken))
        taken = sorted_hand(taken)
        self._tell_mover(Took(self.seat, count, why=why), Took(self.seat, count, taken, why))

    def _return(self, tiles: str, why: Cause) -> None:
        self.state = replace(self.state, reserve=sorted_hand(self.state.reserve + tiles))
        self._audit(self.seat, tiles)
        count = len(tiles)
        self._tell_mover(PutBack(self.seat, count, why=why), PutBack(self.seat, count, tiles, why))

    def _hold(self, seat: Seat, tiles: str) -> None:
        hands = list(self.state.hands)
        hands[seat] = tiles
        self.state = replace(self.state, hands=tuple(hands))

    def _audit(self, viewer: int, tiles: str) -> None:
        witnessed = list(self.state.witnessed)
        witnessed[viewer] = "".join(sorted({*witnessed[viewer], *tiles}))
        self.state = replace(self.state, witnessed=tuple(witnessed))

    def _tell(self, event: DiaminoEvent) -> None:
        self.told.append(Happening(event))

    def _tell_mover(self, event: DiaminoEvent, fuller: DiaminoEvent) -> None:
        """Which tiles come and go is the mover's own affair, unless hands are open (M-18)."""
        if self.state.options.open_hands:
            self._tell(fuller)
        else:
            self.told.append(Happening(event, fuller, self.seat))
