"""Sentences for what happens at a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from diadem_client.games import GAMES
from diadem_client.i18n import gettext as _
from diadem_client.wording.match_events import UnknownEvent, tell_match_event
from diadem_client.wording.plain import LONGEST, plain_words
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Turns
from diadem_client.wording.values import grouped
from diadem_shared.described_game import DescribedEvent
from diadem_shared.game import Event, Outcome, Viewer
from diadem_shared.match_events import MatchOver, RoundOver, Stalled


def tell(game: str, event: Any, names: Sequence[str], seat: Viewer = None) -> str | None:
    """A sentence for an event; players are named, and the reader is addressed.

    None for events that need no sentence, such as the change of turn.
    """
    reader = Reader(names, seat)
    match event:
        case Stalled(moves):
            told = _("No winner after {moves} moves: the round is scored as it stands (C-5).")
            return told.format(moves=grouped(moves))
        case RoundOver(outcome):
            return _("The round is over: {scores}.").format(scores=scores(outcome, names))
        case MatchOver(totals, (winner,)):
            return reader.told(
                winner,
                _("{name} has won: {scores}."),
                _("You have won: {scores}."),
                scores=scores(totals, names),
            )
        case MatchOver(totals, winners):
            best = ", ".join(names[seat] for seat in winners)
            words = _("{names} share the win: {scores}.")
            return words.format(names=best, scores=scores(totals, names))
        case DescribedEvent(fields) | UnknownEvent(fields):
            return tell_unknown(fields, reader)
        case Event():
            return GAMES[game].tell(event, reader)
        case _:
            return tell_match_event(event, reader, game)


def tell_unknown(fields: Mapping[str, Any], reader: Reader) -> str:
    """In the game's own words: what happened, who did it, and all that is told of it."""
    seat = fields.get("seat")
    told = {key: each for key, each in fields.items() if key not in {"type", "seat"}}
    what = str(fields.get("type", "")).replace("_", " ") + "".join(
        f"; {key.replace('_', ' ')} {plain_words(each)}" for key, each in told.items()
    )
    what = what[:LONGEST]
    return f"{reader.name(seat)}: {what}" if isinstance(seat, int) else what


def turns_of(game: str) -> Turns | None:
    """How the turns of a game are told; None where it is not known."""
    return GAMES[game].turns if game in GAMES else None


def scores(outcome: Outcome, names: Sequence[str]) -> str:
    return ", ".join(
        f"{name} {grouped(score)}" for name, score in zip(names, outcome.scores, strict=True)
    )
