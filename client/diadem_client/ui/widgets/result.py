"""How a round or a match ended: scores of each round, winners, and what comes next."""

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from diadem.game import Seat
from diadem.match import Phase, add_up
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.state.picture import TablePicture
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.fixed_text import FixedText, lines
from diadem_client.wording.again import may_ask_again, may_begin_again, next_match
from diadem_client.wording.reader import Reader
from diadem_client.wording.state import blocked, waited_for

ROWS_WIDTH = 66
"""What a terminal of 110 columns leaves beside log and chat; one of 80 has more."""
GAP = 3


class Result(VerticalScroll, can_focus=True):
    ACTIONS = (
        Action("ready", ("r",), N_("next round"), N_("Say that you are ready for it.")),
        Action("again", ("a",), N_("again"), N_("Say that you would like to play again, or not.")),
        Action("start", ("s",), N_("start"), N_("Play again with those who said so.")),
        Action("look", ("v",), N_("table"), N_("See what lies on the table, and come back.")),
        Action("scroll_down", ("down",), N_("scroll"), N_("See the rounds further down.")),
        Action("scroll_up", ("up",), N_("scroll"), N_("See those further up."), in_footer=False),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    Result { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
    Result FixedText { height: auto; }
    Result #winners { text-style: bold; margin: 0 0 1 0; }
    Result #next { margin: 0 0 1 0; }
    """

    class Wanted(Message):
        """What the player wants done."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="result")
        self._table: TablePicture | None = None

    def compose(self) -> ComposeResult:
        yield FixedText(id="winners")
        yield FixedText(id="next")
        yield FixedText(id="scores")

    def show(self, table: TablePicture) -> None:
        self._table = table
        self.query_one("#winners", FixedText).set_text(who_won(table), layout=True)
        self.query_one("#scores", FixedText).set_text(lines(score_rows(table)), layout=True)
        self.query_one("#next", FixedText).set_text(_next(table), layout=True)
        self.call_after_refresh(self.refresh_bindings)  # there may be more now than can be seen

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table = self._table
        over = table is not None and table.public.phase is Phase.OVER
        if action == "ready":
            return table is not None and table.seat is not None and not over
        if action == "again":
            return table is not None and may_ask_again(table)
        if action == "start":
            return table is not None and may_begin_again(table)
        if action in {"scroll_down", "scroll_up"}:
            return self.max_scroll_y > 0
        return super().check_action(action, parameters)

    def action_ready(self) -> None:
        self.post_message(self.Wanted("ready"))

    def action_again(self) -> None:
        self.post_message(self.Wanted("again"))

    def action_start(self) -> None:
        self.post_message(self.Wanted("start"))

    def action_look(self) -> None:
        self.post_message(self.Wanted("look"))


def who_won(table: TablePicture) -> str:
    public = table.public
    if not public.rounds:
        return _("The match ended before a round was played out: it counts for nobody.")
    reader = Reader(table.names, table.seat)
    if public.phase is Phase.OVER:
        match add_up(public.rounds, len(public.players)).winners:
            case (winner,):
                return reader.told(winner, _("{name} has won!"), _("You have won!"))
            case winners:
                return _("{names} share the win!").format(names=_named(table, winners))
    match public.rounds[-1].winners:
        case (winner,):
            return reader.told(
                winner, _("{name} has won this round."), _("You have won this round.")
            )
        case winners:
            return _("{names} share this round.").format(names=_named(table, winners))


def _named(table: TablePicture, seats: Iterable[Seat]) -> str:
    return listed(table.names[seat] for seat in seats)


def score_rows(table: TablePicture) -> list[str]:
    """A row a player, their sum first; rounds for which there is no room follow below."""
    rounds, names = table.public.rounds, table.names
    if not rounds:
        return []
    totals = add_up(rounds, len(names))
    who = ["", *(f"{'*' if seat in totals.winners else ' '} {n}" for seat, n in enumerate(names))]
    columns = [
        [str(number), *map(str, outcome.scores)] for number, outcome in enumerate(rounds, start=1)
    ]
    if len(rounds) > 1:
        columns.insert(0, [_("sum"), *map(str, totals.scores)])
    name_width = max(map(cell_len, who))
    width = max(cell_len(cell) for column in columns for cell in column) + GAP
    abreast = (ROWS_WIDTH - name_width) // width
    rows = []
    for first in range(0, len(columns), abreast):
        for name, *cells in zip(who, *columns[first:][:abreast], strict=True):
            scores = "".join(f"{cell:>{width}}" for cell in cells)
            rows.append(set_cell_size(name, name_width) + scores)
        rows.append("")
    return rows[1 if len(rounds) == 1 else 0 : -1]


def _next(table: TablePicture) -> str:
    if table.public.phase is Phase.OVER:
        return next_match(table)
    if why := blocked(table):
        return why
    if table.resigned is not None:
        return _("You gave up. Press F2 to take your seat back.")
    own = None if table.seat is None else table.public.players[table.seat]
    if own is not None and own.away:
        return _("A bot plays for you. Press F2 to take your seat back, then r.")
    if own is not None and not own.ready:
        return _("Press r when you are ready for the next round.")
    waited = waited_for(table)
    if not waited:
        return _("Bots play for all: they begin the next round in a moment.")
    return _("Waiting for {names} to be ready.").format(names=listed(waited))
