"""The score sheet of a round in GCG, the notation of the community of word games, as far as that knows what happens here.

Its specification is at https://www.poslfit.com/scrabble/gcg/. A rack shows a joker as `?`, a letter that lay already is a
dot in the word, and `8D` is across where `D8` is down. Whatever it has no line for is said in a `#note`: points of
opponents for green devils, tiles given back for red ones, and what going out brings.
"""

from collections.abc import Iterable, Iterator, Sequence

from diadem_shared.entries import Started
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import coordinates, field_name
from diadem_shared.games.diamino.play import Direction
from diadem_shared.games.diamino.scoring import hand_values, outcome
from diadem_shared.games.diamino.table import (
    Cause,
    Ended,
    Laid,
    Passed,
    Proposed,
    PublicState,
    PutBack,
    State,
    TakenBack,
)
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import JOKER
from diadem_shared.games.diamino.verdict import Run
from diadem_shared.match import Match
from diadem_shared.playout import Step


def score_sheets(steps: Iterable[Step]) -> list[str]:
    """One for each round that was dealt, of a match of Diamino."""
    sheets: list[_Sheet] = []
    before: Match | None = None
    for step in steps:
        if isinstance(step.entry, Started):
            sheets.append(_Sheet(step.match))
        elif sheets and before is not None and before.state is not None:
            sheets[-1].add(step, before.state)
        before = step.match
    return [sheet.text for sheet in sheets]


class _Sheet:
    def __init__(self, match: Match) -> None:
        names = [player.name for player in match.players]
        self._nicks = [_nick(name, seat) for seat, name in enumerate(names)]
        self._totals = [0] * len(names)
        self._lines = ["#character-encoding UTF-8"]
        for seat, name in enumerate(names):
            self._lines.append(f"#player{seat + 1} {self._nicks[seat]} {_line(name) or seat + 1}")
        options = match.game.read_options(match.setup.options, strict=False)
        words = options.word_list or options.language
        self._lines += [f"#title {match.setup.game}", f"#lexicon {_line(words)}"]
        self._is_proposed = False
        """Whether the last line is a play that is still judged."""

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)

    def add(self, step: Step, before: State) -> None:
        """What an entry has told; `before` is the table as it was until then."""
        after: State = step.match.state
        for happening in step.told:
            match happening.event if happening.fuller is None else happening.fuller:
                case Proposed(seat, play, _, runs):
                    fields = after.pending.laid if after.pending is not None else ()
                    self._move(seat, before, *_placed(runs, fields, play.start))
                    self._is_proposed = True
                case TakenBack(seat):
                    self._move(seat, before, "--")
                    self._is_proposed = False
                case Laid() as laid:
                    self._lay(laid, before)
                case PutBack(seat, _, tiles, Cause.EXCHANGE):
                    self._move(seat, before, f"-{_rack(tiles or '')}")
                case PutBack(seat, _, tiles):
                    self._note(f"{self._nicks[seat]} gives back {_rack(tiles or '')}")
                case Passed(seat):
                    self._move(seat, before, "-")
                case Ended():
                    self._end(step.match)
                case _:
                    pass

    def _move(self, seat: Seat, before: State, *what: str, points: int = 0) -> None:
        self._score(seat, " ".join(filter(None, (_rack(before.hands[seat]), *what))), points)

    def _lay(self, laid: Laid, before: State) -> None:
        if self._is_proposed:  # where the players judge: it scores now
            del self._lines[-1]
            self._is_proposed = False
        place = _placed(laid.runs, laid.fields, laid.play.start)
        self._move(laid.seat, before, *place, points=laid.points[laid.seat])
        others = {
            seat: points for seat, points in enumerate(laid.points) if points and seat != laid.seat
        }
        for seat, points in others.items():
            self._totals[seat] += points
        if others:
            gains = (f"{self._nicks[seat]} {points:+}" for seat, points in others.items())
            self._note(f"green devils: {', '.join(gains)}")

    def _end(self, match: Match) -> None:
        table: PublicState = match.game.public(match.state)
        ended = outcome(table)
        if ended is None or table.hands is None:
            return
        values = hand_values(table)
        others = "".join(_rack(hand) for seat, hand in enumerate(table.hands) if seat != table.out)
        if table.rules is RuleSet.BONUS:
            for seat, hand in enumerate(table.hands):
                if hand:
                    self._score(seat, f"{_rack(hand)} ({_rack(hand)})", -values[seat])
        if table.out is not None:
            gained = ended.scores[table.out] - self._totals[table.out]
            if gained != sum(values):
                self._note(
                    f"went out{' on black' if table.doubled else ''}: {gained - sum(values):+}"
                )
            self._score(table.out, f"({others})", gained)

    def _score(self, seat: Seat, what: str, points: int) -> None:
        self._totals[seat] += points
        self._lines.append(f">{self._nicks[seat]}: {what} {points:+} {self._totals[seat]}")

    def _note(self, words: str) -> None:
        self._lines.append(f"#note {words}")


def _placed(runs: Sequence[Run], fields: Iterable[str], start: str) -> tuple[str, str]:
    """Where the run along the play begins, and its word with dots for what lay there."""
    if not runs:
        return start, ""
    run, new = runs[0], set(fields)
    squares = list(_squares(run))
    word = "".join(
        tile if square in new else "." for tile, square in zip(run.tiles, squares, strict=False)
    )
    at = coordinates(run.start)
    if at is None:
        return run.start, word
    row, column = str(at[0] + 1), run.start[:1]
    place = row + column if run.direction is Direction.ACROSS else column + row
    return place, word


def _squares(run: Run) -> Iterator[str]:
    at = coordinates(run.start)
    if at is None:
        return
    for step in range(len(run.tiles)):
        if run.direction is Direction.ACROSS:
            yield field_name(at[0], at[1] + step)
        else:
            yield field_name(at[0] + step, at[1])


def _rack(tiles: str) -> str:
    return tiles.replace(JOKER, "?")


def _line(text: str) -> str:
    """Names may be anything in a file that somebody else has made."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _nick(name: str, seat: Seat) -> str:
    """Without blanks, and without what ends it."""
    return _line(name).replace(" ", "_").replace(":", "") or f"player{seat + 1}"
