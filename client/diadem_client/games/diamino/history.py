"""What happened in a round of Diamino, as far as its player was told: turn by turn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from diadem_client.games.diamino.event_text import ended
from diadem_client.games.diamino.opinion import is_upward
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_shared.game import Event, Viewer
from diadem_shared.games.diamino.board import Layout
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.table import (
    Cause,
    Ended,
    Laid,
    Passed,
    Proposed,
    PutBack,
    TakenBack,
    Voted,
)
from diadem_shared.games.diamino.terms import RuleSet

Turn: TypeAlias = Laid | Passed | PutBack | TakenBack
MOST_ITEMS = 30


class Round(Protocol):
    """What of a scene is needed to tell of its round."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def seat(self) -> Viewer: ...
    @property
    def public(self) -> Any: ...
    @property
    def past(self) -> tuple[Event, ...]: ...
    def sentences(self, events: Iterable[Event]) -> list[str]: ...


class Item(Struct, frozen=True):
    """A line that stays: a play, or a sentence."""

    sentence: str = ""
    name: str = ""
    words: tuple[str, ...] = ()
    greens: int = 0
    reds: int = 0
    gain: str = ""
    upward: frozenset[int] = frozenset()
    """Which of the words are read from below."""


def turns(past: Iterable[Event]) -> list[Turn]:
    """What players have done with their turns; to give tiles back for red devils is part of a play."""
    return [
        event
        for event in past
        if isinstance(event, Laid | Passed | PutBack | TakenBack)
        and not (isinstance(event, PutBack) and event.why is not Cause.EXCHANGE)
    ]


def marked(past: Iterable[Event], seat: Viewer, layout: Layout) -> frozenset[int]:
    """The squares of all that was laid since a seat's last turn; of the last play, if there is none since."""
    squares: set[int] = set()
    for event in reversed(turns(past)):
        ends = event.seat == seat and not (isinstance(event, TakenBack) and event.again)
        if isinstance(event, Laid) and not (ends and squares):
            found = map(layout.square, event.fields)
            squares.update(square for square in found if square is not None)
        if ends or (seat is None and squares):
            break
    return frozenset(squares)


def refused_play(past: Sequence[Event], seat: Viewer) -> Play | None:
    """The last play that the table refused in a seat's turn, if that is still on."""
    for event in reversed(past):
        match event:
            case Proposed(by, play) if by == seat:
                return play
            case Laid() | Passed() | PutBack():
                break
            case _:
                pass
    return None


def items(scene: Round) -> list[Item]:
    """The newest last. Votes and numbers of tiles are shown beside the names, and a proposal is told once
    it is decided."""
    return [item for event in scene.past[-MOST_ITEMS:] for item in _items(scene, event)]


def _items(scene: Round, event: Event) -> Iterator[Item]:
    match event:
        case Laid(seat):
            yield Item(
                name=who(scene, seat),
                words=event.words or (event.play.start,),
                greens=event.greens,
                reds=event.reds,
                gain=gain(scene, event),
                upward=frozenset(number for number, run in enumerate(event.runs) if is_upward(run)),
            )
        case Voted() | Proposed() | PutBack(why=Cause.RED):
            pass
        case Ended():
            yield Item(
                ended(event, Reader(scene.names, scene.seat))
            )  # the hands lie open beside it
        case _:
            yield from map(Item, scene.sentences([event]))


def who(scene: Round, seat: int) -> str:
    return _("You") if seat == scene.seat else scene.names[seat]


def gain(scene: Round, event: Laid) -> str:
    """What a play brought its player, where plays bring something."""
    points = event.points[event.seat]
    return f"+{points}" if points and scene.public.rules is RuleSet.BONUS else ""
