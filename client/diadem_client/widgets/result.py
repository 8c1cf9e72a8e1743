"""How a round or a match ended: scores of each round, winners, and what comes next."""

from typing import ClassVar

from rich.cells import set_cell_size
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message

from diadem.match import Phase, add_up
from diadem_client.actions import Action, bindings
from diadem_client.store import TablePicture
from diadem_client.text import N_, listed, ngettext
from diadem_client.text import gettext as _
from diadem_client.widgets.words import Words, lines

NAME_WIDTH = 20
SCORE_WIDTH = 8


class Result(VerticalScroll, can_focus=True):
    ACTIONS = (
        Action("ready", ("r",), N_("next round"), N_("Say that you are ready for it.")),
        Action("again", ("a",), N_("again"), N_("Make a table with the same terms.")),
        Action("look", ("v",), N_("table"), N_("See what lies on the table, and come back.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    Result { height: 1fr; padding: 1 2; scrollbar-size-vertical: 1; }
    Result Words { height: auto; }
    Result #winners { text-style: bold; margin: 0 0 1 0; }
    Result #next { margin: 1 0 0 0; }
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
        yield Words(id="winners")
        yield Words(id="scores")
        yield Words(id="next")

    def show(self, table: TablePicture) -> None:
        self._table = table
        self.query_one("#winners", Words).say(winners(table), layout=True)
        self.query_one("#scores", Words).say(lines(score_rows(table)), layout=True)
        self.query_one("#next", Words).say(_next(table), layout=True)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table = self._table
        over = table is not None and table.public.phase is Phase.OVER
        if action == "ready":
            return table is not None and table.seat is not None and not over
        if action == "again":
            return over
        return super().check_action(action, parameters)

    def action_ready(self) -> None:
        self.post_message(self.Wanted("ready"))

    def action_again(self) -> None:
        self.post_message(self.Wanted("again"))

    def action_look(self) -> None:
        self.post_message(self.Wanted("look"))


def winners(table: TablePicture) -> str:
    public = table.public
    if not public.rounds:
        return _("The match ended before a round was played out: it counts for nobody.")
    if public.phase is Phase.OVER:
        totals = add_up(public.rounds, len(public.players))
        names = [table.names[seat] for seat in totals.winners]
        return ngettext("{names} has won!", "{names} share the win!", len(names)).format(
            names=listed(names)
        )
    names = [table.names[seat] for seat in public.rounds[-1].winners]
    return ngettext("{names} has won this round.", "{names} share this round.", len(names)).format(
        names=listed(names)
    )


def score_rows(table: TablePicture) -> list[str | Content]:
    rounds = table.public.rounds
    if not rounds:
        return []
    totals = add_up(rounds, len(table.names))
    head = [""] + [str(number) for number in range(1, len(rounds) + 1)]
    rows: list[str | Content] = []
    if len(rounds) > 1:
        rows.append(_row([*head, _("sum")]))
    for seat, name in enumerate(table.names):
        mark = "*" if seat in totals.winners else " "
        scores = [str(each.scores[seat]) for each in rounds]
        if len(rounds) > 1:
            scores.append(str(totals.scores[seat]))
        rows.append(_row([f"{mark} {name}", *scores]))
    return rows


def _row(cells: list[str]) -> str:
    name, *scores = cells
    return set_cell_size(name, NAME_WIDTH + 2) + "".join(
        f"{each:>{SCORE_WIDTH}}" for each in scores
    )


def _next(table: TablePicture) -> str:
    if table.public.phase is Phase.OVER:
        return _("Press a to play again with the same terms, F10 to go back to the lobby.")
    own = None if table.seat is None else table.public.players[table.seat]
    if own is not None and own.away:
        return _("A bot plays for you. Press F2 to take your seat back, then r.")
    if own is not None and not own.ready:
        return _("Press r when you are ready for the next round.")
    waited = [each.name for each in table.public.players if not each.ready and each.bot is None]
    if not waited:
        return _("All are away: the next round waits until somebody is back.")
    return _("Waiting for {names} to be ready.").format(names=listed(waited))
