"""The guided first games of Diamino: a word, one across it, a red devil, a joker, and an exchange or a tile given back."""

from collections.abc import Sequence

from diadem.game import Event
from diadem.games.diamino.notation import parse
from diadem.games.diamino.placing import judge
from diadem.games.diamino.table import Laid, Lay, PutBack, TableView, TurnPhase
from diadem.games.diamino.verdict import Legal
from diadem_client.i18n import N_
from diadem_client.state.coach import Lesson, Step, happened


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


_OPENING = Step(
    N_("The first word begins in the middle. Type {word1}, then press Enter."),
    "M-4",
    _can_be_laid,
    happened(Laid),
)
_CROSSING = Step(
    N_(
        "Now {word2}, down: arrows lead to {field2}, Space turns. Type {tiles2}; what lies there is skipped."
    ),
    "M-5",
    _can_be_laid,
    happened(Laid),
)
_JOKER = Step(
    N_(
        "Your joker is any letter. Lay {word4} down from {field4}: type {tiles4}, with . before {joker}."
    ),
    "M-10",
    _can_be_laid,
    happened(Laid),
)
BONUS = Lesson(
    (
        _OPENING,
        _CROSSING,
        Step(
            N_(
                "Red devils bring you 10, green ones 5 to others. Lay {word3} down from {field3}: type {tiles3}."
            ),
            "M-28",
            _can_be_laid,
            happened(Laid),
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
)
RUMMY = Lesson(
    (
        _OPENING,
        _CROSSING,
        Step(
            N_("Red devils take a tile off you. Lay {word3} down from {field3}: type {tiles3}."),
            "M-21",
            _can_be_laid,
            happened(Laid),
        ),
        Step(
            N_("Give back a tile that is hard to lay: its letter, such as {worst}, then Enter."),
            "M-21",
            _may_give,
            _put_back,
        ),
        _JOKER,
    ),
)
LESSONS = {"diamino-bonus": BONUS, "diamino-rummy": RUMMY}
