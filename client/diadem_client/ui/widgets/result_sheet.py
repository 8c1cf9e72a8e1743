"""The drawing of a result: the winner, the table of scores, and a bar of each player's rounds."""

from collections.abc import Sequence
from itertools import accumulate

from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.board.emblem import (
    CROWN_HEIGHT,
    CROWN_WIDTH,
    LARGE_HEIGHT,
    LARGE_WIDTH,
    draw_crown,
    draw_won,
)
from diadem_client.board.names import label
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.look.signs import Sign
from diadem_client.state.client_state import TableState
from diadem_client.wording.outcome import final, who_won, why
from diadem_client.wording.shuffle import doubt, praise
from diadem_client.wording.state import bots, trouble
from diadem_client.wording.values import grouped
from diadem_shared.match import Phase, add_up

BAR = 30
SHADES = ("bar.1", "bar.2", "bar.3")
FILLS = (Sign("\u2588", "#"), Sign("\u2593", "="), Sign("\u2592", "-"))
"""One for each round by turns: of colour where there is some, else of density."""
LEFT = 2
NAME = 4
LONGEST_NAME = 20
GAP = 2
LEAST_CELL = 6
"""Room for the number of a round behind a cell of its shade."""
ART = 64
"""From this width on there is room for a crown before what is said."""
WIDEST = 100
"""Where there is more room, the picture does not stand further away."""
FEW = 4
"""Of so many players the bars are parted by an empty row."""
LEAST_WORDS = 16
"""Columns of what is said before what was won with."""
BESIDE_CROWN = LEFT + CROWN_WIDTH + 3
HIGHEST = 400
"""More rows than any result has."""


def rows_of(table: TableState, width: int) -> int:
    """How many rows the drawing takes."""
    return draw(Canvas(width, HIGHEST), table)


def draw(canvas: Canvas, table: TableState, upto: int | None = None) -> int:
    """All of it, with the bars as they were after so many rounds; gives the rows it took."""
    outcome = final(table)
    client_state = outcome is not None and _draw_won(canvas, table, outcome.winners)
    end = _left_of_won(canvas) if client_state else canvas.width
    y = _draw_head(canvas, table, end, is_crowned=outcome is not None)
    if table.public.rounds:
        y = _draw_scores(canvas, table, Rect(0, y + 1, end, 0), upto)
    return max(y, LARGE_HEIGHT) if client_state else y


def _draw_head(canvas: Canvas, table: TableState, end: int, *, is_crowned: bool) -> int:
    left, below = LEFT, 0
    if canvas.width >= ART and is_crowned and end >= BESIDE_CROWN + LEAST_WORDS:
        draw_crown(canvas, LEFT, 0)
        left, below = BESIDE_CROWN, CROWN_HEIGHT
    width = end - left - 1
    y = 0
    for line in wrapped(who_won(table), width):
        canvas.put(left, y, line, Ink.KEY)
        y += 1
    for sentence in why(table):
        for line in wrapped(sentence, width):
            canvas.put(left, y, line)
            y += 1
    for line in wrapped(doubt(table.shuffle), width):
        canvas.put(left, y, line, Ink.BAD)
        y += 1
    if praised := praise(table.shuffle):
        canvas.put(left, y, fitted(praised, width), Ink.FAINT)
        y += 1
    return max(y, below)


def _draw_won(canvas: Canvas, table: TableState, winners: Sequence[int]) -> bool:
    """At the right, what the only winner of the only round has won with; whether there is a picture of it."""
    left = _left_of_won(canvas)
    if left < LEFT + LEAST_WORDS or table.view is None:
        return False
    if len(winners) != 1 or len(table.public.rounds) != 1:
        return False
    game = table.public.setup.game
    return draw_won(canvas, game, table.view.public, winners[0], left, 0)


def _left_of_won(canvas: Canvas) -> int:
    return min(canvas.width, WIDEST) - LARGE_WIDTH - GAP


def _draw_scores(canvas: Canvas, table: TableState, area: Rect, upto: int | None) -> int:
    y = area.y
    rounds, names = table.public.rounds, table.names
    totals = add_up(rounds, len(names))
    ranked = sorted(
        range(len(names)), key=lambda seat: (-totals.scores[seat], -totals.tiebreaks[seat])
    )
    names = tuple(_label(canvas, table, seat) for seat in range(len(names)))
    name_width = min(LONGEST_NAME, max(map(cells_of, (*names, _("Players")))))
    cell = GAP + max(
        len(grouped(each)) for each in (*totals.scores, *(s for one in rounds for s in one.scores))
    )
    cell = max(cell, LEAST_CELL)
    sum_width = max(cell, GAP + cells_of(_("sum")))
    beside = area.width - NAME - name_width - sum_width
    tells = len(rounds) > 1 or max(totals.scores) > 1
    bars = tells and beside > BAR + GAP
    inline = len(rounds) if 1 < len(rounds) <= (beside - BAR - GAP) // cell else 0
    columns = [*rounds[:inline]]
    x = NAME + name_width
    for number in range(inline):
        x += cell
        canvas.right(x, y, f"{number + 1}.", Ink.FAINT)
        _draw_shade(canvas, number, x - len(f"{number + 1}.") - 2, y)
    end = x + sum_width
    canvas.put(NAME, y, fitted(_("Players"), name_width), Ink.FAINT)
    canvas.right(end, y, _("sum"), Ink.FAINT)
    y += 1
    apart = bars and len(names) <= FEW and area.width >= ART
    best = [max(each.scores) for each in rounds]
    for seat in ranked:
        first = seat in totals.winners and table.public.phase is Phase.OVER
        if first:
            canvas.fill(Rect(1, y, area.width - 2, 1), "row")
            canvas.put(LEFT, y, canvas.sign(signs.STONE), Paint("gold.t"))
        strong = Ink.STRONG if first or seat == table.seat else Ink.PLAIN
        canvas.put(NAME, y, fitted(names[seat], name_width), strong)
        x = NAME + name_width
        for number, outcome in enumerate(columns):
            x += cell
            leads = outcome.scores[seat] == best[number]
            canvas.right(x, y, grouped(outcome.scores[seat]), Ink.STRONG if leads else Ink.FAINT)
        canvas.right(end, y, grouped(totals.scores[seat]), Ink.KEY if first else Ink.STRONG)
        if bars:
            draw_bar(canvas, table, seat, end + GAP, y, upto)
        y += 2 if apart else 1
    if len(rounds) > 1 and not inline:
        y = _draw_rounds(canvas, table, ranked, y + 1, name_width, cell)
    return y


def _label(canvas: Canvas, table: TableState, seat: int) -> str:
    """A name, with a sign for a bot, and why somebody is not here."""
    player = table.public.players[seat]
    note = trouble(player)
    room = LONGEST_NAME - (cells_of(note) + 3 if note else 0)
    name = label(canvas, player.name, room, is_bot=seat in bots(table))
    return f"{name} ({note})" if note else name


def draw_bar(
    canvas: Canvas, table: TableState, seat: int, x: int, y: int, upto: int | None = None
) -> None:
    """A player's rounds, one after the other; what a round took away is taken off again."""
    rounds = table.public.rounds
    sums = [list(accumulate(each.scores[at] for each in rounds)) for at in range(len(table.names))]
    most = max((each for one in sums for each in one), default=0)
    if most <= 0:
        return
    shown: list[int] = []
    for number, done in enumerate(sums[seat][:upto]):
        length = round(BAR * max(0, done) / most)
        shown = shown[:length] + [number] * (length - len(shown))
    for offset, number in enumerate(shown):
        _draw_shade(canvas, number, x + offset, y)


def _draw_shade(canvas: Canvas, number: int, x: int, y: int) -> None:
    """One cell in the shade of a round."""
    shade = number % len(SHADES)
    sign = FILLS[shade] if canvas.line_drawn else FILLS[0]
    canvas.put(x, y, canvas.sign(sign), Paint(SHADES[shade]))


def _draw_rounds(
    canvas: Canvas, table: TableState, ranked: Sequence[int], y: int, name_width: int, cell: int
) -> int:
    """The scores of each round, the best in bold, as many rounds abreast as there is room for."""
    rounds = table.public.rounds
    abreast = max(1, (canvas.width - NAME - name_width - 1) // cell)
    for first in range(0, len(rounds), abreast):
        some = rounds[first : first + abreast]
        for offset in range(len(some)):
            canvas.right(
                NAME + name_width + cell * (offset + 1), y, f"{first + offset + 1}.", Ink.FAINT
            )
        y += 1
        for seat in ranked:
            canvas.put(NAME, y, fitted(_label(canvas, table, seat), name_width))
            for offset, outcome in enumerate(some):
                leads = outcome.scores[seat] == max(outcome.scores)
                paint = Ink.STRONG if leads else Ink.FAINT
                canvas.right(
                    NAME + name_width + cell * (offset + 1), y, grouped(outcome.scores[seat]), paint
                )
            y += 1
        y += 1
    return y - 1
