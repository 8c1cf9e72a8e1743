"""The score sheet of a round: a row a turn with what it brought, over the whole pane, scrolled."""

from collections.abc import Iterator

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, wrapped
from diadem_client.games.diamino.event_text import placed
from diadem_client.games.diamino.history import Round, Turn, turns, who
from diadem_client.i18n import gettext as _
from diadem_shared.games.diamino.scoring import hand_values, outcome
from diadem_shared.games.diamino.table import Laid, PublicState, TurnPhase
from diadem_shared.games.diamino.terms import RuleSet

NAME, COLUMN = 10, 8
HEAD, FOOT = 2, 2


class Line(Struct, frozen=True):
    number: str = ""
    name: str = ""
    text: str = ""
    cells: tuple[str, ...] = ()


class Sheet(Struct, frozen=True):
    """What is seen of it: how many lines it is scrolled up from its end."""

    up: int = 0

    def scrolled(self, by: int, scene: Round, area: Rect) -> "Sheet":
        most = len(lines(scene, area.width)) - (area.height - HEAD - FOOT)
        return Sheet(max(0, min(self.up + by, most)))


def draw(canvas: Canvas, scene: Round, sheet: Sheet, area: Rect) -> None:
    """The head, the turns up to where it is scrolled, and the sums."""
    heads = _heads(scene)
    _draw_line(canvas, Line("", _("Player"), _("Words"), heads), area, area.y, faint=True)
    canvas.rule(area.x, area.y + 1, area.width)
    written, room = lines(scene, area.width), area.height - HEAD - FOOT
    end = len(written) - min(sheet.up, max(0, len(written) - room))
    shown = written[max(0, end - room) : end]
    for number, line in enumerate(shown):
        _draw_line(canvas, line, area, area.y + HEAD + number)
    if not shown:
        canvas.put(area.x, area.y + HEAD, _("Nobody has had a turn yet."), Ink.FAINT)
    y = area.y + HEAD + max(1, len(shown))
    canvas.rule(area.x, y, area.width)
    sums = _sums(scene)
    if sums:
        _draw_line(canvas, Line("", "", _("Sum"), sums), area, y + 1)


def lines(scene: Round, width: int) -> list[Line]:
    room = max(10, width - 4 - NAME - 1 - COLUMN * len(_heads(scene)))
    written: list[Line] = []
    for number, turn in enumerate(turns(scene.past), start=1):
        written += _lines(str(number), scene, turn, room)
    written += [Line(text=text, cells=cells) for text, cells in _end(scene)]
    return written


def _lines(number: str, scene: Round, turn: Turn, room: int) -> Iterator[Line]:
    if isinstance(turn, Laid):
        name, cells = who(scene, turn.seat), _cells(scene, turn)
        text = placed(turn.words, turn.runs, turn.play.start)
    else:
        name, cells = "", ()
        text = " ".join(scene.sentences([turn]))
    first, *others = wrapped(text, room) or [""]
    yield Line(number, name, first, cells)
    yield from (Line(text=f"  {other}") for other in others)


def _heads(scene: Round) -> tuple[str, ...]:
    """In Bonus what each has got, in Rummy how many tiles were laid."""
    if scene.public.rules is RuleSet.RUMMY:
        return (_("tiles"),)
    return tuple(fitted(who(scene, seat), COLUMN - 1) for seat in range(len(scene.names)))


def _cells(scene: Round, turn: Laid) -> tuple[str, ...]:
    if scene.public.rules is RuleSet.RUMMY:
        return (str(len(turn.fields)),)
    return tuple(f"+{points}" if points else "" for points in turn.points)


def _end(scene: Round) -> Iterator[tuple[str, tuple[str, ...]]]:
    """M-29 to M-32: the tiles that are left over, and what going out brings."""
    table: PublicState = scene.public
    if table.phase is not TurnPhase.OVER or table.rules is RuleSet.RUMMY:
        return
    values = hand_values(table)
    yield _("Left over"), tuple(f"-{value}" if value else "" for value in values)
    if table.out is not None:
        brings = totals(table)[table.out] - table.points[table.out]
        yield (
            _("Out"),
            tuple(f"+{brings}" if seat == table.out else "" for seat in range(len(values))),
        )


def totals(table: PublicState) -> tuple[int, ...]:
    """What each has; the end of the round is counted in as soon as it is over."""
    ended = outcome(table)
    return table.points if ended is None else ended.scores


def _sums(scene: Round) -> tuple[str, ...]:
    return () if scene.public.rules is RuleSet.RUMMY else tuple(map(str, totals(scene.public)))


def _draw_line(canvas: Canvas, line: Line, area: Rect, y: int, *, faint: bool = False) -> None:
    if y >= area.y + area.height:
        return
    canvas.right(area.x + 3, y, line.number, Ink.FAINT)
    canvas.put(area.x + 4, y, fitted(line.name, NAME), Ink.FAINT if faint else Ink.PLAIN)
    canvas.put(area.x + 5 + NAME, y, line.text, Ink.FAINT if faint else Ink.STRONG)
    end = area.x + area.width - COLUMN * (len(line.cells) - 1)
    for number, cell in enumerate(line.cells):
        canvas.right(end + COLUMN * number, y, cell, Ink.FAINT if faint else Ink.PLAIN)
