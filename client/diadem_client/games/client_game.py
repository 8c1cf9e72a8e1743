"""What the client has to know of a game: one value a game, made in the game's own folder."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from diadem_client.i18n import ngettext
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Turns
from diadem_client.wording.values import grouped


class Wording(Struct, frozen=True):
    """What a game calls things, as gettext message ids."""

    options: Mapping[str, str] = {}
    """Its options, by name."""
    helps: Mapping[str, str] = {}
    """What each of its options means, in a line."""
    values: Mapping[tuple[str, Any], str] = {}
    """Values of its options, by option and value."""
    formats: Mapping[str, Callable[[Any], str]] = {}
    """How a value that is not in `values` is written, by option."""
    tempers: Mapping[str, str] = {}
    """A word or two for how each level of its bots plays."""
    habits: Mapping[str, str] = {}
    """The same in a few words more."""
    refusals: Mapping[str, str] = {}
    """A sentence for each of its refusals, by code; also better ones for codes that all games have."""
    reasons: Mapping[str, str] = {}
    """Codes that its refusals give as a reason ("why")."""
    highlights: Mapping[str, tuple[str, str]] = {}
    """What each kind of what is worth remembering is called, and how it is written with its `{value}` and `{text}`."""
    listings: Mapping[str, Callable[[Any], str]] = {}
    """How the lists in its refusals are read out, by the key they come under."""


def _points(count: int) -> str:
    return ngettext("{count} point", "{count} points", count).format(count=grouped(count))


class Ending(Struct, frozen=True):
    """Why a round or a match was won, in sentences."""

    reason: Callable[[Any, int], str] = lambda _table, _winner: ""
    """By the table as everybody sees it once a round is over, and the seat of who won it."""
    scored: Callable[[int], str] = _points
    """A sum of scores with its unit."""
    tie: Callable[[int, int], str] = lambda _mine, _other: ""
    """Which rule decided where scores are equal, by the tiebreaks of the winner and of the next."""


class ClientGame(Struct, frozen=True):
    title: str
    package: str
    """The folder of the game: its module `pane` and the texts of its rules are looked for there."""
    tell: Callable[[Any, Reader], str | None]
    """One sentence on an event of the game; None for what goes without saying."""
    wording: Wording
    turns: Turns | None = None
    """How its turns are told in the log."""
    ending: Ending = Ending()
    goal: str = ""
    """What one wants in it, in one line; a gettext message id."""
    emblem: str | None = None
    """The module in the package that has a small and a large picture of it, loaded when one is shown."""
    lesson: str | None = None
    """The module in the package that has LESSONS: its guided first game, by its name; loaded when somebody learns it."""
    forms: Callable[[Any], str] | None = None
    """What can be typed now, by the public view, where to list the moves themselves would be a hint."""
    meant: Callable[[Any, str], str] | None = None
    """The notation of what was typed loosely, by the view."""
    moves: str | None = None
    """What in the module `advice` names moves, and has words for reasons; loaded when somebody asks."""
    pane: str | None = None
    """A class in the module `pane`, which is loaded when somebody plays: who plays one game needs none
    of the others in memory. Without a pane moves are typed."""
