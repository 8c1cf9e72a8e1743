"""Hints and reasons in words: what a move is worth, and what speaks for it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from math import isfinite
from typing import Any

from msgspec import Struct

from diadem_client.games import GAMES
from diadem_client.i18n import after_colon, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.wording.refusals import details
from diadem_client.wording.values import grouped
from diadem_shared.advice import Reason, Unit
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.game import AnyGame, View
from diadem_shared.protocol import HintLine
from diadem_shared.refusals import RefusalError


class Seen(Struct, frozen=True):
    """What a hint is given for."""

    game: str
    rules: AnyGame
    names: tuple[str, ...]
    view: View[Any, Any]


class MoveWords(ABC):
    """What a game says of its moves, and of reasons for them."""

    reasons: Mapping[str, str]
    """A sentence for each, as a gettext message id; "" for what the name of the move says."""

    @abstractmethod
    def named(self, seen: Seen, move: Any, why: Sequence[Reason]) -> str:
        """The move in a few words."""

    def detail(self, key: str, value: object) -> str | None:
        """What a reason is about, where that is not shown as it is."""
        return None

    def summary(self, decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
        """Sentences of an analysis on all decisions of a player, besides those that every game has."""
        yield from ()

    def kept(self, reasons: Sequence[Reason]) -> str:
        """The tiles that a move leaves in the hand, where its reasons tell that; else empty."""
        return ""


SURE = 500
"""Points or tiles from which a number says nothing: the round is won or lost by that move."""


def named(seen: Seen, line: HintLine) -> str:
    """A move as people say it; as it is typed where it cannot be read here."""
    words = words_of(seen.game)
    try:
        return words.named(seen, seen.rules.parse(line.move), line.reasons) if words else line.move
    except RefusalError:
        return line.move


def worth(line: HintLine) -> str:
    """ "" where it needs no number."""
    value = line.value if isfinite(line.value) else 0.0
    count = round(abs(value))
    match line.unit:
        case Unit.CHANCE:
            return _("wins {percent} of 100").format(percent=round(100 * min(1, max(0, value))))
        case Unit.DOLLARS:
            words = ngettext("{count} dollar on average", "{count} dollars on average", count)
            gained = words.format(count=grouped(count))
            return f"-{gained}" if value < 0 and count else gained
        case Unit.POINTS if 0 < value < SURE:
            words = ngettext(
                "{count} point better than passing", "{count} points better than passing", count
            )
            return words.format(count=grouped(count))
        case Unit.TILES if 0 < value < SURE:
            words = ngettext(
                "{count} tile better than passing", "{count} tiles better than passing", count
            )
            return words.format(count=grouped(count))
        case _:
            return ""


def hint(seen: Seen, lines: Sequence[HintLine], at: int) -> Iterator[str]:
    """The sentences about one of the moves, the most telling first."""
    line = lines[at]
    value = worth(line)
    name = named(seen, line)
    counted = f"{at + 1}/{len(lines)} " if len(lines) > 1 else ""
    yield counted + (name + after_colon(value) if value else name) + "."
    yield from sentences(line.reasons, seen.names, seen.game)


def sentences(reasons: Iterable[Reason], names: Sequence[str], game: str) -> Iterator[str]:
    """One for each reason that is known here."""
    words = words_of(game)
    for reason in reasons:
        if words and (sentence := words.reasons.get(reason.code)):
            shown = details(reason.about, names, game)
            for key, value in reason.about.items():
                shown[key] = words.detail(key, value) or shown[key]
            yield _(sentence).format_map(shown)


def words_of(game: str) -> MoveWords | None:
    """None for a game without an adviser, and for one that is not known here."""
    known = GAMES.get(game)
    if known is None or known.moves is None:
        return None
    words: MoveWords = getattr(import_module(f"{known.package}.advice"), known.moves)
    return words
