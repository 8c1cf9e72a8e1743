"""What happened at a table, in one line a turn: it grows for as long as the turn goes on, and stays."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from diadem_client.i18n import after_colon
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_shared.entries import Started
from diadem_shared.game import Seat, Viewer
from diadem_shared.match_events import MatchOver, RoundOver

Happening = tuple[Any, str]
"""An event, and the sentence that tells it by itself."""


class Turns(Struct, frozen=True):
    """How turns are told in the log."""

    whose: Callable[[Any], Viewer]
    """Whose turn an event is a part of; None for one that is told by itself."""
    tell: Callable[[Sequence[Any], Sequence[Any], Reader], str] | None = None
    """All of a turn so far, by its events and by those of its round before it, without the name of who had it.
    Where there is none, each event is told by itself."""


class Line(Struct, frozen=True):
    text: str
    seat: Viewer = None
    """Whose turn it tells; None for all else."""
    is_new: bool = False
    """Whether it happened after the reader's last turn."""


class _Growing:
    """A line to be: a sentence, or a turn with all that happens in it."""

    def __init__(self, text: str = "", seat: Viewer = None, before: Sequence[Any] = ()) -> None:
        self.text = text
        self.seat = seat
        self.before = before
        self.events: list[Any] = []


def lines(
    turns: Turns | None, happened: Iterable[Happening], reader: Reader, *, acts: bool = False
) -> list[Line]:
    """`acts`: whether the reader's turn is on, so that a last line of theirs is not of their last turn.

    A turn in which something else happens (somebody is gone, a deck is shuffled) is still told in one line, below it
    once it goes on.
    """
    found: list[_Growing] = []
    begun: int | None = None
    """Where the last round begins."""
    turn: _Growing | None = None
    events: list[Any] = []
    for event, text in happened:
        seat = turns.whose(event) if turns else None
        if isinstance(event, Started | RoundOver | MatchOver):
            turn, events = None, []
            begun = len(found) if isinstance(event, Started) else begun
        if seat is None or turns is None or turns.tell is None:
            found.append(_Growing(text, seat))
        else:
            if turn is None or turn.seat != seat:
                turn = _Growing(seat=seat, before=tuple(events))
                found.append(turn)
            elif turn is not found[-1]:
                found.remove(turn)
                found.append(turn)
            turn.events.append(event)
        events.append(event)
    for each in found:
        if turns is not None and turns.tell is not None and each.seat is not None:
            deeds = turns.tell(each.events, each.before, reader)
            each.text = _named(each.seat, reader) + after_colon(deeds)
    first = _first_new(found, begun, reader.seat, acts=acts)
    return [
        Line(each.text, each.seat, at >= first and each.seat != reader.seat)
        for at, each in enumerate(found)
        if each.text
    ]


def since_last_turn(
    turns: Turns | None, past: Iterable[Any], seat: Viewer, *, acts: bool = False
) -> list[Any]:
    """The events of all turns after a player's last one; of the last turn, where there is none since or one
    looks on."""
    by_turn: list[tuple[Seat, list[Any]]] = []
    for event in past:
        mover = turns.whose(event) if turns else None
        if mover is None:
            continue
        if not by_turn or by_turn[-1][0] != mover:
            by_turn.append((mover, []))
        by_turn[-1][1].append(event)
    if acts and by_turn and by_turn[-1][0] == seat:
        by_turn.pop()
    found: list[Any] = []
    for mover, events in reversed(by_turn):
        if found and (seat is None or mover == seat):
            break
        found = events + found
        if mover == seat:
            break
    return found


def _first_new(found: Sequence[_Growing], begun: int | None, reader: Viewer, *, acts: bool) -> int:
    """The first line after the last turn of the reader's that is over; who looks on has none, nor is there one
    before a round."""
    if reader is None or begun is None:
        return len(found)
    told = [at for at, each in enumerate(found) if at >= begun and each.seat is not None]
    if acts and told and found[told[-1]].seat == reader:
        told.pop()
    own = [at for at in told if found[at].seat == reader]
    return own[-1] + 1 if own else begun


def _named(seat: Seat, reader: Reader) -> str:
    return _("You") if seat == reader.seat else reader.name(seat)
