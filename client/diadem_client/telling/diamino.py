"""What happens at a table of Diamino, in words."""

from collections.abc import Sequence

from diadem.game import Seat
from diadem.games.diamino.table import (
    DiaminoEvent,
    Ended,
    Laid,
    Opened,
    Passed,
    Proposed,
    PutBack,
    TakenBack,
    Took,
    Voted,
)
from diadem_client.text import after_colon, ngettext
from diadem_client.text import gettext as _


def tell(event: DiaminoEvent, names: Sequence[str]) -> str:
    match event:
        case Opened(draws, seat):
            begins = _("{name} begins.").format(name=names[seat])
            return " ".join((*(_drawn(draw, names) for draw in draws), begins))
        case Proposed(seat, play, words):
            return _("{name} proposes {words} at {field}.").format(
                name=names[seat], words=_listed(words), field=play.start
            )
        case Voted(seat, accepts=True):
            return _("{name} accepts.").format(name=names[seat])
        case Voted(seat):
            return _("{name} objects.").format(name=names[seat])
        case TakenBack(seat, again=True):
            return _("{name} takes the play back and may try once more.").format(name=names[seat])
        case TakenBack(seat):
            return _("{name} takes the play back and loses the turn.").format(name=names[seat])
        case Laid():
            return " ".join((_laid(event, names), *_covered(event), *_brought(event, names)))
        case Took(seat, count, tiles):
            sentence = ngettext(
                "{name} takes {count} tile from the reserve{tiles}.",
                "{name} takes {count} tiles from the reserve{tiles}.",
                count,
            )
            return sentence.format(name=names[seat], count=count, tiles=_shown(tiles))
        case PutBack(seat, count, tiles):
            sentence = ngettext(
                "{name} puts {count} tile back{tiles}.",
                "{name} puts {count} tiles back{tiles}.",
                count,
            )
            return sentence.format(name=names[seat], count=count, tiles=_shown(tiles))
        case Passed(seat):
            return _("{name} passes.").format(name=names[seat])
        case Ended():
            return " ".join((_ended(event, names), *_left(event, names)))


def _drawn(draw: Sequence[tuple[Seat, str]], names: Sequence[str]) -> str:
    drawn = ", ".join(f"{names[seat]} {tile}" for seat, tile in draw)
    return _("Drawn for the start: {tiles}.").format(tiles=drawn)


def _laid(event: Laid, names: Sequence[str]) -> str:
    return _("{name} lays {words} at {field}.").format(
        name=names[event.seat], words=_listed(event.words), field=event.play.start
    )


def _covered(event: Laid) -> Sequence[str]:
    greens = ngettext("{count} green devil", "{count} green devils", event.greens)
    reds = ngettext("{count} red devil", "{count} red devils", event.reds)
    covered = [
        *([greens.format(count=event.greens)] if event.greens else []),
        *([reds.format(count=event.reds)] if event.reds else []),
        *([_("a black field")] if event.black else []),
    ]
    return [_("Covered: {fields}.").format(fields=_listed(covered))] if covered else []


def _brought(event: Laid, names: Sequence[str]) -> Sequence[str]:
    gains = [
        f"{name} +{points}" for name, points in zip(names, event.points, strict=True) if points
    ]
    return [_("Points: {gains}.").format(gains=_listed(gains))] if gains else []


def _ended(event: Ended, names: Sequence[str]) -> str:
    if event.out is None:
        return _("Nothing goes any more.")
    if event.doubled:
        return _("{name} is out, with the last tile on black!").format(name=names[event.out])
    return _("{name} is out!").format(name=names[event.out])


def _left(event: Ended, names: Sequence[str]) -> Sequence[str]:
    hands = [f"{name} {hand}" for name, hand in zip(names, event.hands, strict=True) if hand]
    return [_("Left over: {hands}.").format(hands=_listed(hands))] if hands else []


def _shown(tiles: str | None) -> str:
    return after_colon(tiles) if tiles else ""


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)
