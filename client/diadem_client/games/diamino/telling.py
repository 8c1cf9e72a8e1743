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
from diadem_client.i18n import after_colon, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader


def tell(event: DiaminoEvent, reader: Reader) -> str:
    names = reader.names
    match event:
        case Opened(draws, seat):
            begins = reader.told(seat, _("{name} begins."), _("You begin."))
            return " ".join((*(_drawn(draw, names) for draw in draws), begins))
        case Proposed(seat, play, words):
            return reader.told(
                seat,
                _("{name} proposes {words} at {field}."),
                _("You propose {words} at {field}."),
                words=_listed(words),
                field=play.start,
            )
        case Voted(seat, accepts=True):
            return reader.told(seat, _("{name} accepts."), _("You accept."))
        case Voted(seat):
            return reader.told(seat, _("{name} objects."), _("You object."))
        case TakenBack(seat, again=True):
            return reader.told(
                seat,
                _("{name} takes the play back and may try once more."),
                _("You take the play back and may try once more."),
            )
        case TakenBack(seat):
            return reader.told(
                seat,
                _("{name} takes the play back and loses the turn."),
                _("You take the play back and lose the turn."),
            )
        case Laid():
            return " ".join((_laid(event, reader), *_covered(event), *_brought(event, names)))
        case Took(seat, count, tiles):
            of_them = ngettext(
                "{name} takes {count} tile from the reserve{tiles}.",
                "{name} takes {count} tiles from the reserve{tiles}.",
                count,
            )
            to_reader = ngettext(
                "You take {count} tile from the reserve{tiles}.",
                "You take {count} tiles from the reserve{tiles}.",
                count,
            )
            return reader.told(seat, of_them, to_reader, count=count, tiles=_shown(tiles))
        case PutBack(seat, count, tiles):
            of_them = ngettext(
                "{name} puts {count} tile back{tiles}.",
                "{name} puts {count} tiles back{tiles}.",
                count,
            )
            to_reader = ngettext(
                "You put {count} tile back{tiles}.", "You put {count} tiles back{tiles}.", count
            )
            return reader.told(seat, of_them, to_reader, count=count, tiles=_shown(tiles))
        case Passed(seat):
            return reader.told(seat, _("{name} passes."), _("You pass."))
        case Ended():
            return " ".join((_ended(event, reader), *_left(event, names)))


def _drawn(draw: Sequence[tuple[Seat, str]], names: Sequence[str]) -> str:
    drawn = ", ".join(f"{names[seat]} {tile}" for seat, tile in draw)
    return _("Drawn for the start: {tiles}.").format(tiles=drawn)


def _laid(event: Laid, reader: Reader) -> str:
    return reader.told(
        event.seat,
        _("{name} lays {words} at {field}."),
        _("You lay {words} at {field}."),
        words=_listed(event.words),
        field=event.play.start,
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


def _ended(event: Ended, reader: Reader) -> str:
    if event.out is None:
        return _("Nothing goes any more.")
    if event.doubled:
        return reader.told(
            event.out,
            _("{name} is out, with the last tile on black!"),
            _("You are out, with the last tile on black!"),
        )
    return reader.told(event.out, _("{name} is out!"), _("You are out!"))


def _left(event: Ended, names: Sequence[str]) -> Sequence[str]:
    hands = [f"{name} {hand}" for name, hand in zip(names, event.hands, strict=True) if hand]
    return [_("Left over: {hands}.").format(hands=_listed(hands))] if hands else []


def _shown(tiles: str | None) -> str:
    return after_colon(tiles) if tiles else ""


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)
