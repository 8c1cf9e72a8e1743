"""The guided first games of Diamino: a word, what others lay, a word across, a red devil, a joker, and an exchange or a
tile given back. The players judge, so that there is something to object to."""

from collections.abc import Callable, Sequence

from diadem_client.i18n import N_
from diadem_client.state.coach import Lesson, Step, happened
from diadem_shared.entries import OptionValue
from diadem_shared.game import Event
from diadem_shared.games.diamino.notation import parse
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.table import (
    Laid,
    Lay,
    PutBack,
    TableView,
    TakenBack,
    TurnPhase,
    Voted,
)
from diadem_shared.games.diamino.verdict import Legal

OPTIONS: dict[str, OptionValue] = {"judging": "table", "judging_time": 300}
VOWELS = frozenset("AEIOUY")


def _can_be_laid(view: TableView, move: str) -> bool:
    """Whether the very word can be, as far as its place and the tiles go."""
    table, lay = view.public, parse(move)
    if table.phase is not TurnPhase.PLAY or view.private is None or not isinstance(lay, Lay):
        return False
    verdict = judge(table.board, lay.play, view.private.tiles, table.terms, None)
    return isinstance(verdict, Legal)


def _may_exchange(view: TableView, _move: str) -> bool:
    return view.public.phase is TurnPhase.PLAY and view.public.reserve > 0


def _may_give(view: TableView, _move: str) -> bool:
    return view.public.phase is TurnPhase.GIVE


def _put_back(view: TableView, events: Sequence[Event]) -> bool:
    return any(isinstance(each, PutBack) and each.seat == view.seat for each in events)


def _judges(*, looks_like_word: bool) -> Callable[[TableView, str], bool]:
    """Of what has no vowel the player sees that it is no word."""

    def fits(view: TableView, _move: str) -> bool:
        pending = view.public.pending
        return pending is not None and looks_like_word == all(
            not VOWELS.isdisjoint(run.tiles.upper()) for run in pending.runs
        )

    return fits


def _voted(*, accepts: bool) -> Callable[[TableView, Sequence[Event]], bool]:
    def done(view: TableView, events: Sequence[Event]) -> bool:
        votes = (each for each in events if isinstance(each, Voted) and each.seat == view.seat)
        return any(each.accepts is accepts for each in votes)

    return done


def _lays(say: str, clause: str) -> Step:
    """A word of the deal, which the other player may refuse where it was another."""
    return Step(say, clause, _can_be_laid, happened(Laid), happened(TakenBack))


def _judging(say: str, *, accepts: bool) -> Step:
    """A word of the other player, which is accepted where it looks like one."""
    return Step(say, "M-12", _judges(looks_like_word=accepts), _voted(accepts=accepts))


_OPENING = _lays(N_("The first word begins in the middle. Type {word1}, then press Enter."), "M-4")
_ACCEPTING = _judging(
    N_("The players judge what is laid. {theirs} is a word: press + to accept it."), accepts=True
)
_OBJECTING = _judging(
    N_("{nonsense} is no word. Press - to object, and {other} has to take it back."), accepts=False
)
_ACCEPTING_AGAIN = _judging(
    N_("{other} may try once more, and {again} is a word: press +."), accepts=True
)
_CROSSING = _lays(
    N_(
        "Now {word2}, down: arrows lead to {field2}, Space turns. Type {tiles2}; what lies there is skipped."
    ),
    "M-5",
)
_JOKER = _lays(
    N_(
        "Your joker is any letter. Lay {word4} down from {field4}: type {tiles4}, with . before {joker}."
    ),
    "M-10",
)
BONUS = Lesson(
    (
        _OPENING,
        _ACCEPTING,
        _CROSSING,
        _OBJECTING,
        _ACCEPTING_AGAIN,
        _lays(
            N_(
                "Red devils bring you 10, green ones 5 to others. Lay {word3} down from {field3}: type {tiles3}."
            ),
            "M-28",
        ),
        _JOKER,
        Step(
            N_(
                "Bad tiles can be exchanged, for your turn: 4, then the letters {worst}, then Enter."
            ),
            "M-13",
            _may_exchange,
            _put_back,
        ),
    ),
    OPTIONS,
)
RUMMY = Lesson(
    (
        _OPENING,
        _ACCEPTING,
        _CROSSING,
        _OBJECTING,
        _ACCEPTING_AGAIN,
        _lays(
            N_("Red devils take a tile off you. Lay {word3} down from {field3}: type {tiles3}."),
            "M-21",
        ),
        Step(
            N_("Give back a tile that is hard to lay: its letter, such as {worst}, then Enter."),
            "M-21",
            _may_give,
            _put_back,
        ),
        _JOKER,
    ),
    OPTIONS,
)
LESSONS = {"diamino-bonus": BONUS, "diamino-rummy": RUMMY}
