"""What happens at a table of Diamino, in words."""

from collections.abc import Sequence

from diadem_client.i18n import N_, after_colon, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_shared.game import Seat, Viewer
from diadem_shared.games.diamino.board import coordinates, field_name
from diadem_shared.games.diamino.table import (
    Cause,
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
from diadem_shared.games.diamino.verdict import Run, Way

PLACES = {
    Way.ACROSS: N_("{word} ({field} across)"),
    Way.DOWN: N_("{word} ({field} down)"),
    Way.UP: N_("{word} ({field} up)"),
}


def tell(event: DiaminoEvent, reader: Reader) -> str | None:
    """One line a turn: what a play draws from the reserve is told only to whoever draws it."""
    match event:
        case Opened(draws, seat):
            begins = reader.told(seat, _("{name} begins."), _("You begin."))
            return " ".join((*(_drawn(draw, reader) for draw in draws), begins))
        case Proposed(seat, play):
            return reader.told(
                seat,
                _("{name} proposes {words}."),
                _("You propose {words}."),
                words=placed(event.words, event.runs, play.start),
            )
        case Voted(seat, silent=True):
            return reader.told(
                seat,
                _("{name} says nothing, and so accepts."),
                _("You say nothing, and so accept."),
            )
        case Voted(seat, accepts=True):
            return reader.told(seat, _("{name} accepts."), _("You accept."))
        case Voted(seat):
            return reader.told(seat, _("{name} objects."), _("You object."))
        case TakenBack():
            return _taken_back(event, reader)
        case Laid():
            return " ".join((_laid(event, reader), *_covered(event), *_brought(event, reader)))
        case Took(seat, why=Cause()) if seat != reader.seat:
            return None
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
        case PutBack(why=Cause.EXCHANGE):
            return _exchanged(event, reader)
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
            return " ".join((ended(event, reader), *_left(event, reader)))


def whose(event: DiaminoEvent) -> Viewer:
    """Whose turn is over with an event: each is told by itself."""
    match event:
        case Laid(seat) | Passed(seat) | TakenBack(seat, again=False):
            return seat
        case PutBack(seat, why=Cause.EXCHANGE):
            return seat
        case _:
            return None


def _drawn(draw: Sequence[tuple[Seat, str]], reader: Reader) -> str:
    drawn = _listed([f"{reader.listed(seat)} {tile}" for seat, tile in draw])
    return _("Drawn for the start: {tiles}.").format(tiles=drawn)


def placed(words: Sequence[str], runs: Sequence[Run], start: str) -> str:
    """The words of a play, the first with where it begins and which way it reads."""
    if not words:
        return start
    first, *others = words
    return _listed([_placed(first, runs[0]) if runs else f"{first} ({start})", *others])


def _placed(word: str, run: Run) -> str:
    way = run.readings[0].way if run.readings else Way(run.direction)
    return _(PLACES[way]).format(word=word, field=begins(run, way))


def begins(run: Run, way: Way) -> str:
    """The field of the first letter: the lower end of what is read upward."""
    at = coordinates(run.start)
    if way is not Way.UP or at is None:
        return run.start
    return field_name(at[0] + len(run.tiles) - 1, at[1])


def _taken_back(event: TakenBack, reader: Reader) -> str:
    refused = _("Refused, {against} of {voters} against: {words}.").format(
        against=event.against, voters=event.voters, words=_listed(event.words)
    )
    if event.again:
        then = reader.told(event.seat, _("{name} may try once more."), _("You may try once more."))
    else:
        then = reader.told(event.seat, _("{name} loses the turn."), _("You lose the turn."))
    return f"{refused} {then}"


def _exchanged(event: PutBack, reader: Reader) -> str:
    of_them = ngettext(
        "{name} exchanges {count} tile.", "{name} exchanges {count} tiles.", event.count
    )
    to_reader = ngettext(
        "You exchange {count} tile{tiles}.", "You exchange {count} tiles{tiles}.", event.count
    )
    return reader.told(event.seat, of_them, to_reader, count=event.count, tiles=_shown(event.tiles))


def _laid(event: Laid, reader: Reader) -> str:
    return reader.told(
        event.seat,
        _("{name} lays {words}."),
        _("You lay {words}."),
        words=placed(event.words, event.runs, event.play.start),
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


def _brought(event: Laid, reader: Reader) -> Sequence[str]:
    gained = enumerate(event.points)
    gains = [f"{reader.listed(seat)} +{points}" for seat, points in gained if points]
    return [_("Points: {gains}.").format(gains=_listed(gains))] if gains else []


def ended(event: Ended, reader: Reader) -> str:
    if event.out is None:
        return _("Nothing goes any more.")
    if event.doubled:
        return reader.told(
            event.out,
            _("{name} is out, with the last tile on black!"),
            _("You are out, with the last tile on black!"),
        )
    return reader.told(event.out, _("{name} is out!"), _("You are out!"))


def _left(event: Ended, reader: Reader) -> Sequence[str]:
    hands = [f"{reader.listed(seat)} {hand}" for seat, hand in enumerate(event.hands) if hand]
    return [_("Left over: {hands}.").format(hands=_listed(hands))] if hands else []


def _shown(tiles: str | None) -> str:
    return after_colon(tiles) if tiles else ""


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)
