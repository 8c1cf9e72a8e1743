"""The log tells each turn in one line, marks what happened since one's own last turn, and forgets what has to be."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.i18n import set_language
from diadem_client.wording.events import tell
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Line, lines
from diadem_shared.entries import Lost, Moved, Setup, Started
from diadem_shared.game import Event
from diadem_shared.games import GAMES
from diadem_shared.games.castles.editions import CURRENCY, DANGER, SHIELD
from diadem_shared.games.castles.table import (
    Bought,
    CastleEvent,
    Completed,
    Drew,
    Founded,
    Paid,
    Razed,
    Shielded,
    Shuffled,
    Stopped,
)
from diadem_shared.games.diadingo.board import THEFT
from diadem_shared.games.diadingo.table import (
    Declined,
    DiadingoEvent,
    Missed,
    Stole,
    Tried,
    Turned,
    Useless,
)
from diadem_shared.playout import Step, play_out
from tests.cases import cases
from tests.thoroughness import times

NAMES = ("Ana", "Bob", "Cem", "Dee")

BLUE = [Founded(0, "blue", ())]

CASTLES: list[tuple[Sequence[CastleEvent], Sequence[CastleEvent], str]] = [
    ([], [Drew(0, "blue3")], "Ana: drew blue 3"),
    (
        [],
        [Drew(0, "blue3"), Founded(0, "blue", ("blue5",)), Drew(0, CURRENCY), Stopped(0)],
        "Ana: began the blue castle with blue 3, blue 5; drew diamond; stopped",
    ),
    (
        BLUE,
        [Drew(0, CURRENCY), Drew(0, "blue1"), Drew(0, CURRENCY), Drew(0, "pink2"), Stopped(0)],
        "Ana: built blue 1; drew diamond x2, pink 2; stopped",
    ),
    ([*BLUE, Razed(0, "blue")], [Drew(0, "blue1")], "Ana: drew blue 1"),
    (
        BLUE,
        [Drew(0, SHIELD), Drew(0, DANGER), Paid(0, ("blue1", SHIELD)), Razed(0, "blue")],
        "Ana: drew fairy, WITCH; gave up blue 1, fairy; lost the castle",
    ),
    ([], [Drew(0, DANGER), Paid(0, ())], "Ana: drew WITCH; had nothing to give up"),
    ([], [Drew(0, DANGER), Shielded(0)], "Ana: drew WITCH; saved by a fairy"),
    (
        BLUE,
        [Bought(0, 1, "blue6"), Completed(0, "blue")],
        "Ana: bought blue 6 from Bob; completed the blue castle!",
    ),
]

DIADINGO: list[tuple[Sequence[DiadingoEvent], str]] = [
    ([Turned(0, 3000)], "Ana: a ring of 3 000 dollars"),
    ([Turned(0, 3000), Tried(0, "C4", 3000, loose=True)], "Ana: C4 comes off: +3 000 dollars"),
    (
        [Turned(0, 3000), Tried(0, "C4", 3000, loose=False)],
        "Ana: C4 does not move, ring of 3 000 stays empty",
    ),
    ([Turned(0, 3000), Missed(0, 3000)], "Ana: missed, ring of 3 000 stays empty"),
    (
        [Turned(0, THEFT), Useless(0), Turned(0, THEFT), Declined(0), Turned(0, THEFT)],
        "Ana: THEFT: nothing to steal; THEFT: took nothing; THEFT",
    ),
    ([Turned(0, THEFT), Stole(0, 1, 6000)], "Ana: THEFT: 6 000 dollars from Bob"),
]


def told(game: str, events: Sequence[Event], seat: int | None = None) -> list[Line]:
    happened = [(event, tell(game, event, NAMES, seat) or "") for event in events]
    return lines(CLIENT_GAMES[game].turns, happened, Reader(NAMES, seat))


@cases(("before", "turn", "line"), CASTLES)
def test_a_turn_of_castles_is_one_line(
    before: Sequence[CastleEvent], turn: Sequence[CastleEvent], line: str
) -> None:
    assert told("diamoniak", [*before, Drew(1, "pink1"), *turn])[-1].text == line
    ships = line
    for castle, ship in (
        ("castle", "ship"),
        ("diamond", "gold coin"),
        ("fairy", "cannon"),
        ("WITCH", "PIRATE"),
    ):
        ships = ships.replace(castle, ship)
    assert told("piratatak", [*before, Drew(1, "pink1"), *turn])[-1].text == ships


@cases(("turn", "line"), DIADINGO)
def test_a_turn_of_diadingo_is_one_line(turn: Sequence[DiadingoEvent], line: str) -> None:
    assert [each.text for each in told("diadingo", turn)] == [line]


def test_what_concerns_the_reader_is_said_to_them() -> None:
    assert told("diamoniak", [Bought(0, 1, "blue6")], 1)[0].text == "Ana: bought blue 6 from you"
    assert told("diamoniak", [Stopped(1)], 1)[0].text == "You: stopped"
    robbed = told("diadingo", [Turned(0, THEFT), Stole(0, 1, 6000)], 1)
    assert robbed[0].text == "Ana: THEFT: 6 000 dollars from you"


def test_a_turn_is_one_line_whatever_happens_in_it() -> None:
    happened = [
        (Drew(0, CURRENCY), ""),
        (Lost(0), "Ana is gone; a bot plays on."),
        (Shuffled(9), "The 9 cards put aside make a new deck."),
        (Drew(0, SHIELD), ""),
    ]
    assert [
        line.text for line in lines(CLIENT_GAMES["diamoniak"].turns, happened, Reader(NAMES))
    ] == [
        "Ana is gone; a bot plays on.",
        "The 9 cards put aside make a new deck.",
        "Ana: drew diamond, fairy",
    ]


def test_before_a_round_nothing_is_new() -> None:
    happened = [(Lost(1), "Bob is gone; a bot plays on.")]
    turns = CLIENT_GAMES["diamoniak"].turns
    assert not lines(turns, happened, Reader(NAMES, 0))[0].is_new
    assert lines(turns, [(Started(), ""), *happened], Reader(NAMES, 0))[0].is_new


def test_a_round_ends_the_turn_in_which_it_ends() -> None:
    events = [Drew(0, CURRENCY), Completed(0, "blue")]
    happened = [(each, "") for each in (*events, Started(), Drew(0, SHIELD))]
    assert [
        line.text for line in lines(CLIENT_GAMES["diamoniak"].turns, happened, Reader(NAMES))
    ] == [
        "Ana: drew diamond; completed the blue castle!",
        "Ana: drew fairy",
    ]


def test_a_line_is_told_in_the_language_that_is_spoken_now() -> None:
    try:
        for language, line in (
            ("de", "Ana: gebaut: Blau 1; gezogen: Diamant x2"),
            ("fr", "Ana : construit : bleu 1 ; pioché : diamant x2"),
        ):
            set_language(language)
            events = [*BLUE, Drew(1, "pink1"), Drew(0, CURRENCY), Drew(0, "blue1")]
            assert told("diamoniak", [*events, Drew(0, CURRENCY)])[-1].text == line
    finally:
        set_language("en")


class Kept:
    """The log of one who has been there from the start, as a client keeps it."""

    def __init__(self, game: str, seat: int | None) -> None:
        self.game = GAMES[game]
        self.seat = seat
        self.names: list[str] = []
        self.happened: list[tuple[Any, str]] = []
        self.movers: list[int] = []
        """Who has moved, move by move."""
        self.acts = False

    def take(self, step: Step) -> None:
        match = step.match
        self.names = [player.name for player in match.players]
        self.acts = self.seat in match.actors
        self.movers += [step.entry.seat] if isinstance(step.entry, Moved) else []
        self.happened += [(step.entry, "")] if isinstance(step.entry, Started) else []
        if match.state is not None:
            public = self.game.view(match.state, self.seat).public
            recalled = (self._recalled(public, event) for event, _text in self.happened)
            self.happened = [(each, self._told(each)) for each in recalled if each is not None]
        for happening in step.told:
            if (event := happening.told(self.seat)) is not None:
                self.happened.append((event, self._told(event)))

    def _recalled(self, public: Any, event: Any) -> Any:
        is_game_s = isinstance(event, self.game.event_type)
        return self.game.recall(public, event) if is_game_s else event

    def _told(self, event: Any) -> str:
        return tell(self.game.name, event, self.names, self.seat) or ""

    @property
    def lines(self) -> list[Line]:
        reader = Reader(self.names, self.seat)
        return lines(CLIENT_GAMES[self.game.name].turns, self.happened, reader, acts=self.acts)


@pytest.mark.parametrize(
    ("game", "level"), [("diamoniak", "easy"), ("piratatak", "bold"), ("diadingo", "human")]
)
@settings(max_examples=times(8, 200))
@given(
    seed=st.binary(min_size=4, max_size=4),
    seats=st.integers(2, 4),
    reader=st.integers(-1, 3),
    looked=st.sets(st.integers(0, 150), max_size=5),
)
def test_every_turn_of_a_match_is_told_once(
    game: str, level: str, seed: bytes, seats: int, reader: int, looked: set[int]
) -> None:
    """D-12: what a log tells later names no diamond that proved fixed."""
    kept = Kept(game, reader if 0 <= reader < seats else None)
    for number, step in enumerate(play_out(Setup(game), [level] * seats, seed)):
        kept.take(step)
        if number in looked:
            _check(kept)
    _check(kept)


def _check(kept: Kept) -> None:
    turns = [seat for seat, _moves in groupby(kept.movers)]
    told = [line for line in kept.lines if line.seat is not None]
    seats = [line.seat for line in told]
    assert turns in (seats, seats[:-1])  # a card may lie there for who has not moved yet
    for line in told:
        assert line.seat is not None
        head = "You" if line.seat == kept.seat else kept.names[line.seat]
        assert line.text.startswith(f"{head}: ")
        assert line.text.count(head) == 1
    for line in told[:-2]:  # what happened last is told as it was
        assert "does not move" not in line.text
    _check_marks(kept.lines, kept.seat, acts=kept.acts)


def _check_marks(found: Sequence[Line], seat: int | None, *, acts: bool) -> None:
    """Of those who play, all that is told after one's own last turn is new, but for a turn that is still on."""
    own = [at for at, line in enumerate(found) if line.seat == seat and seat is not None]
    if acts and own and not any(line.seat is not None for line in found[own[-1] + 1 :]):
        own.pop()
    expected = [at for at, line in enumerate(found) if line.seat is not None and line.seat != seat]
    if own:
        expected = [at for at in expected if at > own[-1]]
    marked = [at for at, line in enumerate(found) if line.is_new and line.seat is not None]
    assert marked == ([] if seat is None else expected)
