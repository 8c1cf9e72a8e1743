"""What a player does around the game itself: sits down, gets ready, hands over, leaves."""

from functools import partial

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.net.match_audit import fetch
from diadem_client.state.client_state import TableState
from diadem_client.state.forms import explain_options
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen
from diadem_client.ui.widgets.dialogs import ConfirmDialog, SelectDialog
from diadem_client.wording.again import wants_again
from diadem_client.wording.options import levels, temper_and_habit
from diadem_client.wording.people import Measure, Person, described, measures, people
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.state import player_state
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import LookedUp, PlayerLine, Refused

RESIGN = Action(
    "resign",
    ("f8",),
    N_("give up"),
    N_("Let a bot play on, and be free to go."),
    in_footer=False,
)


class Seating(BaseScreen):
    """One half of the table screen; the other one shows the game."""

    @property
    def table(self) -> TableState | None:
        return self.client_state.table

    def want(self, action: str) -> None:
        """Something that one of the panels has a key for."""
        match action:
            case "ready":
                self._say_ready()
            case "start":
                self.send(protocol.Start)
            case "add_bot":
                self._add_bot()
            case "remove":
                self._remove()
            case "change":
                self._change()
            case "sit":
                self.send(protocol.Sit)
            case "stand":
                self.send(protocol.Stand)
            case "copied":
                self.tell(_("Copied, if your terminal lets programs copy."))
            case "again":
                self._play_again()
            case _:
                pass

    def look_at_match(self) -> None:
        from diadem_client.ui.screens.replay import ReplayScreen  # noqa: PLC0415, few do

        client, table = self.diadem.client, self.table
        if client is not None and table is not None:
            load = partial(fetch, client.ask, table.code)
            self.app.push_screen(ReplayScreen(load, client.own_seat))

    def analyse_match(self) -> None:
        client, table = self.diadem.client, self.table
        if client is not None and table is not None:
            self.analyse(partial(fetch, client.ask, table.code), client.own_seat)

    def _say_ready(self) -> None:
        table = self.table
        if table is not None and table.seat is not None:
            self.send(protocol.Ready, ready=not table.public.players[table.seat].ready)

    def _play_again(self) -> None:
        """Say so, or no longer; or follow those who do."""
        table = self.table
        if table is not None:
            self.send(protocol.Again, on=table.public.again is not None or not wants_again(table))

    def _levels(self) -> list[tuple[str, str]]:
        if self.table is None:
            return []
        game = self.table.game.name
        return [(level, temper_and_habit(level, game)) for level in levels(game)]

    def _add_bot(self) -> None:
        def add(level: str | None) -> None:
            if level:
                self.send(protocol.AddBot, level)

        self.app.push_screen(SelectDialog(_("Which bot?"), self._levels()), add)

    def _remove(self) -> None:
        def remove(seat: str | None) -> None:
            if seat:
                self.send(protocol.Remove, int(seat.removeprefix("seat-")))

        table = self.table
        if table is not None:
            others = [
                (f"seat-{seat}", _named(table, player))
                for seat, player in enumerate(table.public.players)
                if seat != table.seat
            ]
            if others:
                self.app.push_screen(SelectDialog(_("Who has to go?"), others), remove)
            else:
                self.tell(_("Nobody else sits here."))

    def _change(self) -> None:
        def change(setup: Setup | None) -> None:
            if setup is not None:
                self.send(protocol.Change, setup)

        from diadem_client.ui.screens.make import MakeScreen  # noqa: PLC0415, few change a table

        if self.table is not None:
            setup = self.table.public.setup
            if why := explain_options(setup):
                self.show_refusal(why)
            else:
                screen = MakeScreen(
                    setup,
                    reader=self.diadem.launch.file_reader,
                    lists=self.client_state.word_lists,
                    hints=protocol.HINTS in self.client_state.features,
                )
                self.app.push_screen(screen, change)

    def action_look_up(self) -> None:
        async def ask(word: str) -> LookedUp | str:
            client = self.diadem.client
            answer = await client.ask(protocol.LookUp, word) if client else None
            if isinstance(answer, Refused) and self.table is not None:
                return sentence_for(answer.why, game=self.table.public.setup.game)
            return answer if isinstance(answer, LookedUp) else ""

        from diadem_client.ui.screens.look_up import LookUpScreen  # noqa: PLC0415, as above

        self.app.push_screen(LookUpScreen(ask))

    # The others

    def action_people(self) -> None:
        table = self.table
        if table is None:
            return
        others = people(table, self.client_state.name)
        if not others:
            self.tell(_("Nobody else is here."))
            return

        def choose(chosen: str | None) -> None:
            if chosen:
                self._choose_measure(others[int(chosen)])

        among = [(str(number), described(each)) for number, each in enumerate(others)]
        self.app.push_screen(SelectDialog(_("Who is it about?"), among), choose)

    def _choose_measure(self, person: Person) -> None:
        table = self.table
        found = measures(table, person) if table is not None else []
        if not found:
            self.tell(_("Nothing can be done about {name} now.").format(name=person.name))
            return

        def take(chosen: str | None) -> None:
            if chosen:
                self.run_worker(self._take_measure(found[int(chosen)], person.name))

        among = [(str(number), _(each.label)) for number, each in enumerate(found)]
        question = _("What about {name}?").format(name=person.name)
        self.app.push_screen(SelectDialog(question, among), take)

    async def _take_measure(self, measure: Measure, name: str) -> None:
        if await self.ask(measure.kind, name, **measure.given) is not None:
            self.tell(_(measure.done).format(name=name))

    # While a match runs

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action not in {"hand_over", "play_on", "resign"}:
            return super().check_action(action, parameters)
        table = self.table
        playing = (
            table is not None
            and table.seat is not None
            and table.public.phase in {Phase.PLAYING, Phase.BETWEEN}
        )
        stood_in = table is not None and table.is_stood_in
        if action == "play_on":
            return (playing and stood_in) or (table is not None and table.resigned is not None)
        return playing and not stood_in

    def action_hand_over(self) -> None:
        def hand_over(level: str | None) -> None:
            if level:
                self.send(protocol.HandOver, level)

        self.app.push_screen(
            SelectDialog(_("Which bot plays on for you?"), self._levels()), hand_over
        )

    def action_play_on(self) -> None:
        self.send(protocol.TakeBack)

    def action_resign(self) -> None:
        def resign(sure: bool | None) -> None:  # noqa: FBT001, as the question answers it
            if sure:
                self.send(protocol.Resign)

        question = _(
            "Give up this match? A bot plays on; you may take the seat back until it is over."
        )
        self.app.push_screen(ConfirmDialog(question), resign)

    def ask_to_leave(self) -> None:
        """Whoever has a seat is asked first."""

        def leave(sure: bool | None) -> None:  # noqa: FBT001, as the question answers it
            if sure:
                self.action_leave()

        table = self.table
        if (
            table is None
            or table.seat is None
            or table.public.phase is Phase.OVER
            or table.is_lesson
        ):
            self.action_leave()
        elif table.public.phase is Phase.GATHERING:
            self.app.push_screen(ConfirmDialog(_("Leave this table?")), leave)
        else:
            question = _("Leave this table? Your seat is kept.")
            self.app.push_screen(ConfirmDialog(question), leave)

    def action_leave(self) -> None:
        table = self.table
        client = self.diadem.client
        connected = client is not None and client.is_connected
        runs = table is not None and table.public.phase in {Phase.PLAYING, Phase.BETWEEN}
        if self.diadem.local.is_alone:
            self.diadem.go_home(self.diadem.local.kept(table) if table is not None and runs else "")
            return
        if connected and table is not None and self.check_action("hand_over", ()):
            self.diadem.keep_seat(table.code)
        self.send(protocol.Part)


def _named(table: TableState, player: PlayerLine) -> str:
    state = player_state(table, player)
    return f"{player.name} ({state})" if state else player.name
