"""The table before its start: who sits there, what was agreed, what is still to do."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from diadem_client.i18n import N_, after_colon, listed
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.state.client_state import TableState
from diadem_client.state.invitation import Way
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.fixed_text import FixedText, lines
from diadem_client.wording.options import agreed, game_name
from diadem_client.wording.rules import goal_of
from diadem_client.wording.state import blocked, bots, player_state, waited_for, watchers
from diadem_shared.match import Phase
from diadem_shared.protocol import WEB

FOR_MAKERS = frozenset({"start", "add_bot", "remove", "change"})


class Gathering(Vertical, can_focus=True):
    ACTIONS = (
        Action("begin", ("enter", "r", "space", "s"), N_("begin"), N_("Begin against these bots.")),
        Action("ready", ("r", "space"), N_("ready"), N_("Say that you are ready, or not yet.")),
        Action("start", ("s",), N_("start"), N_("Begin now, without waiting for all.")),
        Action("add_bot", ("b",), N_("bot"), N_("Seat a bot.")),
        Action("remove", ("x",), N_("send off"), N_("Take a player or a bot off the table.")),
        Action("change", ("o",), N_("options"), N_("Agree on something else.")),
        Action("sit", ("t",), N_("sit down"), N_("Take a free seat.")),
        Action("invite", ("i",), N_("invite"), N_("See how others come here.")),
        Action("copy", ("c",), N_("copy"), N_("Copy what others type to come here.")),
        Action("stand", ("t",), N_("stand up"), N_("Give up your seat and look on.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    Gathering { height: 1fr; padding: 1 2; }
    Gathering FixedText { height: auto; }
    Gathering #goal { color: $accent; margin: 0 0 1 0; }
    Gathering #seats { margin: 1 0 0 0; }
    Gathering #onlookers { height: 1; padding: 0 0 0 5; text-wrap: nowrap; text-overflow: ellipsis; }
    Gathering #todo { margin: 1 0 0 0; color: $accent; text-style: bold; }
    Gathering #invitation { margin: 1 0 0 0; color: $faint; }
    """

    class Wanted(Message):
        """What the player wants done."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="gathering")
        self._table: TableState | None = None
        self._way: Way | None = None
        self._copies = False

    def compose(self) -> ComposeResult:
        yield FixedText(id="goal")
        yield FixedText(id="terms")
        yield FixedText(id="seats")
        yield FixedText(id="onlookers")
        yield FixedText(id="todo")
        yield FixedText(id="invitation")

    def show(self, table: TableState, way: Way | None = None, *, copies: bool = True) -> None:
        """With the simplest way by which others come here, if they can."""
        self._table = table
        self._way = way
        self._copies = copies
        invited = self.query_one("#invitation", FixedText)
        invited.display = way is not None and _free_seats(table) > 0
        if way is not None:
            words = _("Others open:") if way.kind == WEB else _("Others type:")
            invited.set_text(Content.assemble(f"{words}  ", (way.text, "bold")), layout=True)
        setup = table.public.setup
        terms = ", ".join(agreed(setup))
        heading = Content.assemble((game_name(setup.game), "bold"), after_colon(terms))
        self.query_one("#terms", FixedText).set_text(heading, layout=True)
        self.query_one("#goal", FixedText).set_text(goal_of(setup.game), layout=True)
        self.query_one("#seats", FixedText).set_text(lines(_seats(table)), layout=True)
        onlookers = self.query_one("#onlookers", FixedText)
        onlookers.display = table.public.watchers > 0
        onlookers.set_text(watchers(table))
        self.query_one("#todo", FixedText).set_text(_to_do(table), layout=True)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table = self._table
        if table is None:
            return False
        if action == "begin":
            return _only_bots_play_too(table)
        if action == "copy":
            return self._way is not None and self._copies
        if action == "invite":
            return self._way is not None
        if action in {"ready", "start"} and _only_bots_play_too(table):
            return False
        if action in FOR_MAKERS:
            return table.is_maker
        if action in {"ready", "stand"}:
            return table.seat is not None
        if action == "sit":
            return table.seat is None and _free_seats(table) > 0
        return super().check_action(action, parameters)

    def action_ready(self) -> None:
        self.post_message(self.Wanted("ready"))

    def action_begin(self) -> None:
        self.post_message(self.Wanted("start"))

    def action_invite(self) -> None:
        self.post_message(self.Wanted("invite"))

    def action_copy(self) -> None:
        if self._way is not None:
            self.app.copy_to_clipboard(self._way.text)
            self.post_message(self.Wanted("copied"))

    def action_start(self) -> None:
        self.post_message(self.Wanted("start"))

    def action_add_bot(self) -> None:
        self.post_message(self.Wanted("add_bot"))

    def action_remove(self) -> None:
        self.post_message(self.Wanted("remove"))

    def action_change(self) -> None:
        self.post_message(self.Wanted("change"))

    def action_sit(self) -> None:
        self.post_message(self.Wanted("sit"))

    def action_stand(self) -> None:
        self.post_message(self.Wanted("stand"))


def _only_bots_play_too(table: TableState) -> bool:
    """Whether the maker waits for nobody."""
    others = [each for seat, each in enumerate(table.public.players) if seat != table.seat]
    enough = len(table.public.players) >= table.game.seats[0]
    return table.is_maker and enough and all(each.bot is not None for each in others)


def _free_seats(table: TableState) -> int:
    return table.game.seats[-1] - len(table.public.players)


def _seats(table: TableState) -> list[str | Content]:
    rows: list[str | Content] = []
    for seat, player in enumerate(table.public.players):
        mark = signs.TURN.own if seat == table.seat else " "
        state = player_state(table, player)
        if seat in bots(table):
            state = f"{signs.BOT.own} {state}"
        if seat == table.public.maker:
            state = ", ".join(filter(None, (_("decides for the table"), state)))
        rows.append(
            Content.assemble(
                (mark, "$accent"), f" {seat + 1}  ", (f"{player.name:<20}", "bold"), f"  {state}"
            )
        )
    if table.public.phase is Phase.GATHERING:
        rows += _free_rows(len(table.public.players) + 1, table.game.seats[-1])
    return rows


def _free_rows(first: int, last: int) -> list[str]:
    """In one row, however many: what is to be done stands below."""
    if first > last:
        return []
    numbers = f"{first}" if first == last else f"{first}-{last}"
    return [f"  {numbers}  " + _("free")]


def _to_do(table: TableState) -> str:
    players = table.public.players
    if why := blocked(table):
        return why
    if table.seat is None:
        return _("You look on. Sit down to play.") if _free_seats(table) else _("You look on.")
    missing = table.game.seats[0] - len(players)
    if missing > 0:
        return _("One more player is needed: wait for somebody, or add a bot.")
    if _only_bots_play_too(table):
        return _("Press Enter to begin.")
    if not players[table.seat].ready:
        return _("Press r when you are ready. The round is dealt when everybody is.")
    return _("Waiting for {names} to be ready.").format(names=listed(waited_for(table)))
