"""The screens around the boards."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace
from textual.command import CommandInput, CommandPalette

from diadem_client.hosted.app import IdleScreen
from diadem_client.local.host import HostServer
from diadem_client.local.servers import LocalServers
from diadem_client.net.address import Address
from diadem_client.net.transport import Closed, Connecting, Reconnecting
from diadem_client.settings import SettingsStore
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.ui.screens import host
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.games import GamesScreen
from diadem_client.ui.screens.help import HelpScreen, ReasonsScreen, RulesScreen
from diadem_client.ui.screens.hints import told_why
from diadem_client.ui.screens.invite import InviteScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_up import LookUpScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.resume import ResumeScreen
from diadem_client.ui.screens.settings import SettingsScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.screens.too_small import TooSmallScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_client.ui.widgets.dialogs import ConfirmDialog, SelectDialog, TextDialog
from diadem_shared.advice import Reason
from diadem_shared.entries import MAX_ROUNDS, GameClock, Sat, Setup, Started, TurnClock
from diadem_shared.game import Outcome
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.match import Phase
from diadem_shared.protocol import Door, Explanation, LookedUp
from diadem_shared.refusals import Code, Refusal
from tests.client.refused import refusal
from tests.client.scenes.stage import scene, show
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import NOW, TABLES, Sitting, at_server

DOORS = (Door("client", 7453), Door("ssh", 7422), Door("web", 7480))


async def go_to_the_menu(seen: Seen) -> None:
    seen.app.local.servers = LocalServers(seen.app.store)
    seen.app.go_home()
    await seen.on(StartScreen)


@scene(StartScreen)
async def menu(seen: Seen) -> None:
    await go_to_the_menu(seen)


@scene(GamesScreen)
async def which_game(seen: Seen) -> None:
    await go_to_the_menu(seen)
    await seen.press("p", "down", "down", "down")


class OpenServers(LocalServers):
    """One server is open already, for others to come to."""

    def __init__(self, store: SettingsStore) -> None:
        super().__init__(store)
        self.host = cast("HostServer", SimpleNamespace(open_port=7453, doors=DOORS))


@scene(host.HostScreen)
async def host_here(seen: Seen) -> None:
    with pytest.MonkeyPatch.context() as patch:
        found = [Address("192.0.2.7", 7453), Address("198.51.100.3", 7453)]
        patch.setattr(host, "addresses", lambda _port: found)
        seen.app.local.servers = OpenServers(seen.app.store)
        seen.app.go_offline(host.HostScreen)
        await seen.on(host.HostScreen)


@scene(ConnectScreen)
async def connect(seen: Seen) -> None:
    seen.app.screen.set_focus(seen.app.screen.query_one("#host"))


@scene(ConnectScreen)
async def connecting(seen: Seen) -> None:
    await show(seen, ClientState(link=Connecting()))


@scene(ConnectScreen)
async def refused_by_password(seen: Seen) -> None:
    await show(seen, ClientState(link=Closed(Refusal(Code.PASSWORD_WRONG))))


@scene(ConnectScreen)
async def nobody_answers(seen: Seen) -> None:
    await show(seen, ClientState(link=Closed(refusal("connection_refused"))))


@scene(LobbyScreen)
async def lobby_empty(seen: Seen) -> None:
    await show(seen, at_server())


@scene(LobbyScreen)
async def lobby(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES))


@scene(LobbyScreen)
async def lobby_reconnecting(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES, link=Reconnecting(NOW + 3)))


@scene(TextDialog)
async def code_of_a_table(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES))
    await seen.press("c")


@scene(MakeScreen)
async def make(seen: Seen) -> None:
    await show(seen, at_server())
    await seen.press("m")


@scene(MakeScreen)
async def make_with_everything(seen: Seen) -> None:
    """The longest form there is."""
    await show(seen, at_server())
    await seen.press("m")
    await seen.app.screen.query_one("#game", Choice).choose("diamino-bonus")
    await seen.until(lambda: seen.app.screen.query("#option-judging"))
    await seen.app.screen.query_one("#option-judging", Choice).choose("table")
    await seen.app.screen.query_one("#around-clock", Choice).choose("game")


def gathering(*, ready: tuple[int, ...] = ()) -> Sitting:
    setup = Setup(
        "diamino-rummy",
        {"language": "fr", "judging": "table", "open_hands": True},
        rounds=3,
        clock=GameClock(900, 10),
        spectators=False,
        private=True,
    )
    sitting = Sitting(setup)
    sitting.enter(Sat("Ana"), Sat("Bartholomea Fitzroya"), Sat("Cem", "strong"), ready=ready)
    sitting.says("Bartholomea Fitzroya", "Bonjour, [b]c'est moi[/b] !")
    return sitting


@scene(TableScreen)
async def seating(seen: Seen) -> None:
    await show(seen, gathering().client_state)


@scene(SelectDialog)
async def seating_a_bot(seen: Seen) -> None:
    await show(seen, gathering().client_state)
    await seen.press("b")


@scene(TableScreen)
async def table_waiting(seen: Seen) -> None:
    await show(seen, gathering(ready=(0,)).client_state)


@scene(InviteScreen)
async def inviting(seen: Seen) -> None:
    await show(seen, replace(gathering().client_state, doors=DOORS))
    await seen.press("i")


@scene(InviteScreen)
async def inviting_without_a_page(seen: Seen) -> None:
    await show(seen, replace(at_server(tables=TABLES), doors=DOORS[:2]))
    await seen.press("i")


@scene(SelectDialog)
async def people_at_the_table(seen: Seen) -> None:
    await show(seen, gathering().client_state)
    await seen.press("f3")


@scene(SelectDialog)
async def what_about_one_of_them(seen: Seen) -> None:
    await show(seen, gathering().client_state)
    await seen.press("f3", "enter")


@scene(TableScreen)
async def log_and_chat(seen: Seen) -> None:
    await show(seen, gathering(ready=(0,)).client_state)
    await seen.press("tab")


def begun() -> Sitting:
    sitting = Sitting(Setup("diamoniak", {"youngest": 0}, clock=TurnClock(90)))
    sitting.enter(Sat("Ana"), Sat("Bob"), Sat("Cem", "strong"), Started())
    return sitting


@scene(TableScreen)
async def refused_move(seen: Seen) -> None:
    await show(seen, begun().client_state)
    also = (refusal("gap"), refusal("unknown_words"))
    seen.app.base_screen.show_refusal(Refusal(LayingCode.TOUCHES_NOTHING, also=also))


@scene(TableScreen)
async def reconnecting(seen: Seen) -> None:
    sitting = Sitting(Setup("diamoniak", {"youngest": 0}), link=Reconnecting(NOW + 3))
    sitting.enter(Sat("Ana"), Sat("Bob"), Started())
    await show(seen, sitting.client_state)


@scene(IdleScreen)
async def still_there(seen: Seen) -> None:
    await show(seen, begun().client_state)
    await seen.app.push_screen(IdleScreen(60))


@scene(LookUpScreen)
async def a_word_looked_up(seen: Seen) -> None:
    async def answer(_word: str) -> LookedUp:
        return LookedUp(1, "SCHON", ("schon", "schön"))

    await show(seen, gathering().client_state)
    await seen.app.push_screen(LookUpScreen(answer))
    await seen.types("schon")
    await seen.press("enter")
    await seen.reads("sch")


@scene(ConfirmDialog)
async def leaving_for_good(seen: Seen) -> None:
    await show(seen, begun().client_state)
    await seen.press("f8")


@scene(TableScreen)
async def result_of_a_round(seen: Seen) -> None:
    sitting = Sitting(Setup("diadingo", rounds=3))
    await show(seen, sitting.play_out(["zombie"] * 4, lambda match: match.phase is Phase.BETWEEN))


@scene(TableScreen)
async def result(seen: Seen) -> None:
    sitting = Sitting(Setup("diadingo", rounds=3))
    await show(seen, sitting.play_out(["zombie"] * 4, lambda match: match.phase is Phase.OVER))


@scene(TableScreen)
async def result_of_twenty_rounds(seen: Seen) -> None:
    """As many scores as there can be, and wide ones."""
    names = ("Ana", "Bartholomea Fitzroya", "Cem", "[b]Dee[/b]", "Eve", "Flo", "Gus", "Ida")
    sitting = Sitting(Setup("diadingo", rounds=MAX_ROUNDS))
    table = sitting.enter(*map(Sat, names), Started()).table
    assert table is not None
    scores = [tuple(1000 * (7 * at % (11 + seat) - 4) for seat in range(8)) for at in range(20)]
    rounds = [Outcome(each, tiebreaks=(0,) * 8) for each in scores]
    public = replace(table.public, phase=Phase.OVER, rounds=rounds, actors=[])
    await show(seen, replace(sitting.client_state, table=replace(table, public=public)))


@scene(TableScreen)
async def result_of_a_castle(seen: Seen) -> None:
    sitting = Sitting(Setup("diamoniak", {"youngest": 0}))
    await show(seen, sitting.play_out(["easy"] * 3, lambda match: match.phase is Phase.OVER))


@scene(TableScreen, more=True)
async def result_of_a_ship(seen: Seen) -> None:
    sitting = Sitting(Setup("piratatak", {"youngest": 0}))
    await show(seen, sitting.play_out(["easy"] * 4, lambda match: match.phase is Phase.OVER))


@scene(TableScreen, more=True)
async def result_of_letters(seen: Seen) -> None:
    sitting = Sitting(Setup("diamino-bonus", {"language": "en"}))
    await show(seen, sitting.play_out(["easy"] * 2, lambda match: match.phase is Phase.OVER))


@scene(TableScreen, more=True)
async def result_of_rummy(seen: Seen) -> None:
    sitting = Sitting(Setup("diamino-rummy", {"language": "de"}))
    await show(seen, sitting.play_out(["easy"] * 3, lambda match: match.phase is Phase.OVER))


@scene(ReasonsScreen)
async def why_bots_moved_so(seen: Seen) -> None:
    reasons = [Reason(DiadingoReason.UNTRIED, {"loose": 26, "spots": 40, "percent": 65})]
    reasons.append(Reason(DiadingoReason.AVOIDED, {"spots": ["A1", "C4"]}))
    moves = [
        Explanation(number, 1, f"take C{number - 4}", tuple(reasons)) for number in range(5, 13)
    ]
    sitting = Sitting(Setup("diadingo"))
    client_state = sitting.play_out(["zombie"] * 2, lambda match: match.phase is Phase.OVER)
    await show(seen, client_state)
    assert client_state.table is not None
    await seen.app.push_screen(ReasonsScreen("\n".join(told_why(client_state.table, moves))))


@scene(ResumeScreen)
async def go_on(seen: Seen) -> None:
    table = begun().client_state.table
    assert isinstance(table, TableState)
    await seen.app.push_screen(ResumeScreen(table))


@scene(HelpScreen)
async def help_in_the_lobby(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES))
    await seen.press("question_mark")


@scene(HelpScreen)
async def help_at_the_table(seen: Seen) -> None:
    await show(seen, gathering().client_state)
    await seen.press("question_mark")


@scene(RulesScreen)
async def rules(seen: Seen) -> None:
    await show(seen, begun().client_state)
    await seen.press("f1")


@scene(RulesScreen)
async def rules_at_a_clause(seen: Seen) -> None:
    await show(seen, begun().client_state)
    await seen.on(TableScreen)
    seen.app.show_rules("diamoniak", "K-11")
    await seen.on(RulesScreen)


@scene(SettingsScreen)
async def settings(seen: Seen) -> None:
    await show(seen, begun().client_state)
    await seen.press("f9")


@scene(CommandPalette)
async def palette(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES))
    await seen.press("ctrl+p")
    seen.app.screen.query_one(CommandInput).cursor_blink = False
    await seen.reads("(J)")


@scene(TooSmallScreen)
async def too_small(seen: Seen) -> None:
    await show(seen, at_server(tables=TABLES))
    await seen.pilot.resize_terminal(59, 19)
