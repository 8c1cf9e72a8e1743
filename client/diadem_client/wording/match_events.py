"""Sentences for entries and events of the match: who sits down, leaves, comes back."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import Struct

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed
from diadem_client.state.known_games import game_of
from diadem_client.wording.options import temper
from diadem_client.wording.reader import Reader
from diadem_shared.described_game import DescribedGame
from diadem_shared.entries import (
    Adjudicated,
    Changed,
    Hinted,
    Left,
    Lost,
    Resigned,
    Returned,
    Sat,
    Sealed,
    Started,
    TakenOver,
    TimedOut,
)
from diadem_shared.frames import pack
from diadem_shared.lenient import convert_known
from diadem_shared.match_events import MatchOver, RoundOver, Stalled

Around: TypeAlias = (
    Sat
    | Left
    | Changed
    | Sealed
    | Started
    | Hinted
    | Adjudicated
    | TimedOut
    | Lost
    | Resigned
    | TakenOver
    | Returned
    | Stalled
    | RoundOver
    | MatchOver
)
AROUND_TAGS = frozenset(kind.__struct_config__.tag for kind in get_args(Around))


LONGEST_UNKNOWN = 2_000
"""Bytes of an unknown event that are kept for the log; of a longer one its name and seat are."""


class UnknownEvent(Struct, frozen=True):
    """An event of a game whose rules are known here, which only later servers know."""

    fields: dict[str, Any]


def read_event(game: str, plain: Any) -> Any:
    """Decode an event from the wire: one of the match, one of the game, or one that only later servers know."""
    kind = plain.get("type") if isinstance(plain, dict) else None
    rules = game_of(game)
    is_around = kind in AROUND_TAGS
    if isinstance(rules, DescribedGame):
        return _read_one_unheard_of(rules, plain, is_around=is_around)
    if isinstance(kind, str) and not is_around and kind not in _tags_of(rules.event_type):
        return _unknown(plain)
    if is_around:
        # A game may use the same tag for an event with more fields.
        with suppress(msgspec.ValidationError):
            return convert_known(plain, rules.event_type)
        return convert_known(plain, Around)
    return convert_known(plain, rules.event_type)


@cache
def _tags_of(union: Any) -> frozenset[str]:
    return frozenset(kind.__struct_config__.tag for kind in get_args(union) or (union,))


def _unknown(plain: dict[str, Any]) -> UnknownEvent:
    if len(pack(plain)) > LONGEST_UNKNOWN:
        short = {"type": str, "seat": int}
        plain = {key: plain[key] for key in short if isinstance(plain.get(key), short[key])}
    return msgspec.convert({"fields": plain}, UnknownEvent)


def _read_one_unheard_of(game: DescribedGame, plain: Any, *, is_around: bool) -> Any:
    """Whatever it has of a game can be read; so what may be of the match is."""
    if is_around:
        with suppress(msgspec.ValidationError):
            return convert_known(plain, Around)
    return game.read_event(plain)


def _begun(openings: Sequence[str | None], reader: Reader) -> str:
    silent = [reader.name(seat) for seat, opening in enumerate(openings) if opening is None]
    if not silent:
        return _("A round begins.")
    told = _("A round begins, shuffled without {names}: no answer came in time.")
    return told.format(names=listed(silent))


def tell_match_event(entry: Any, reader: Reader, game: str) -> str | None:
    """A sentence for an event of the match; None if it is none."""
    match entry:
        case Sat(name, None):
            return _("{name} sits down.").format(name=name)
        case Sat(name, str(level)):
            return _("{name} sits down, a bot ({level}).").format(
                name=name, level=temper(level, game)
            )
        case Left(seat):
            return _("{name} gives up the seat.").format(name=reader.name(seat))
        case Changed():
            return _("The table was changed.")
        case Started(openings):
            return _begun(openings, reader)
        case Hinted(seat):
            return reader.told(seat, _("{name} is given a hint."), _("You are given a hint."))
        case Adjudicated():
            return _("The match is ended here; a round not played out counts for nobody.")
        case TimedOut(seat):
            return reader.told(
                seat,
                _("{name} ran out of time; a bot plays on."),
                _("You ran out of time; a bot plays on."),
            )
        case Lost(seat):
            return reader.told(
                seat, _("{name} is gone; a bot plays on."), _("You were gone; a bot plays on.")
            )
        case Resigned(seat):
            return _("{name} gives up; a bot plays on.").format(name=reader.name(seat))
        case TakenOver(seat, bot):
            return reader.told(
                seat,
                _("{name} lets a bot play ({level})."),
                _("You let a bot play ({level})."),
                level=temper(bot, game),
            )
        case Returned(seat):
            return reader.told(seat, _("{name} is back."), _("You are back."))
        case _:
            return None
