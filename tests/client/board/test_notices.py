"""What is said stands beside what is asked, and F6 answers wherever one is."""

from pathlib import Path

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.typed import LinePane, MoveField
from diadem_client.net.transport import Connected
from diadem_client.state.client_state import ClientState, apply_change
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.entries import Sat, Setup
from diadem_shared.match import Phase
from tests.client.scenes.stage import show
from tests.client.state.views import views_of
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, StagedClient, at_server
from tests.game_features import WITH_PANE

LATER = "Moves are typed while a round is played."


def types(seen: Seen) -> bool:
    return isinstance(seen.app.focused, MoveField)


async def shows(seen: Seen, client_state: ClientState) -> None:
    seen.app.client = StagedClient(client_state)
    seen.app.present(client_state)
    await seen.on(TableScreen)


def playing(game: str = "diamoniak", levels: str = "zombie") -> ClientState:
    """Ana's turn in a round."""
    return Sitting(Setup(game)).play_out(
        [levels] * 2, lambda match: 0 in match.actors and match.entries > 2
    )


def in_danger() -> ClientState:
    """A witch wants three of Ana's cards."""
    sitting = Sitting(Setup("diamoniak", {"youngest": 0}))

    def waits(client_state: ClientState) -> bool:
        table = client_state.table
        assert table is not None
        if table.view is None or not table.my_turn:
            return False
        public = table.view.public
        return public.phase == "danger" and len(public.mover.cards) >= 3

    return sitting.play_out(["bold"] * 2, lambda _match: waits(sitting.client_state))


async def test_a_warning_leaves_the_question_in_sight(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await shows(seen, in_danger())
        question = seen.notice()
        assert question.startswith("Give up 3 cards")
        await seen.press("enter")
        await seen.reads_whole("Mark 3 more cards first. Give up 3 cards")
        await seen.press("1")
        assert "first" not in seen.notice()
        await seen.reads_whole("Marked 1 of 3.")
        await seen.press("ctrl+t")
        assert seen.notice().startswith("Pace of the others: ")
        await seen.reads_whole("Give up 3 cards")


async def test_a_warning_moves_no_board(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await shows(seen, playing("diadingo"))
        question, board = seen.notice(), seen.app.screen.query_one(DrawnPane).region
        await seen.press("0")
        said, _, rest = seen.notice().partition("  ")
        assert said == "There is no theft to decline now."
        assert rest.endswith("…")
        assert question.startswith(rest.removesuffix("…"))
        await seen.idle()
        assert seen.app.screen.query_one(DrawnPane).region == board
        await seen.press("right")
        assert seen.notice().startswith("A ring of")


async def test_f6_opens_and_closes_in_a_round(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        for game in WITH_PANE:
            await show(seen, at_server())
            await shows(seen, playing(game))
            for _each in range(2):
                await seen.press("f6")
                await seen.until(lambda: isinstance(seen.app.screen, TableScreen))
                await seen.until(lambda: types(seen))
                await seen.press("f6")
                await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
            await seen.press("f6", "f6", "f6")
            await seen.until(lambda: types(seen))


async def test_f6_leads_from_log_and_chat_and_whatever_lies_over_the_table_to_the_line(
    tmp_path: Path,
) -> None:
    async with client(tmp_path) as seen:
        await shows(seen, playing())
        await seen.press("tab")
        await seen.until(lambda: seen.app.screen.has_class("-talking"))
        await seen.press("f6")
        await seen.until(lambda: types(seen))
        assert not seen.app.screen.has_class("-talking")
        for key in ("f1", "f3", "f8", "f9", "question_mark", "ctrl+p"):
            await seen.press("f6")
            await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
            await seen.press(key)
            await seen.until(lambda: not isinstance(seen.app.screen, TableScreen))
            await seen.press("f6")
            await seen.on(TableScreen)
            await seen.until(lambda: types(seen))


async def test_f6_answers_while_a_card_is_to_be_given_up_or_something_moves(
    tmp_path: Path,
) -> None:
    async with client(tmp_path, pace="slow", motion=True) as seen:
        await shows(seen, in_danger())
        await seen.press("f6")
        await seen.until(lambda: types(seen))
        await seen.press("f6")
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
    views = iter(list(views_of(Setup("diamoniak", options={"youngest": 1}), ["strong"] * 3))[4:])
    client_state = apply_change(
        ClientState(name="Ana", link=Connected(), welcomed=True), next(views), 0.0
    )
    async with client(tmp_path, pace="slow", motion=True) as seen:
        await shows(seen, client_state)
        for _each in range(3):
            client_state = apply_change(client_state, next(views), 0.0)
            seen.app.present(client_state)
        assert seen.app.presenter.is_behind
        await seen.press("f6")
        await seen.until(lambda: types(seen))


async def test_f6_says_why_nothing_is_typed_before_and_after_a_round(tmp_path: Path) -> None:
    gathering = Sitting(Setup("diamoniak", rounds=2)).enter(Sat("Ana"), Sat("Bob"))
    over = Sitting(Setup("diamoniak", rounds=2)).play_out(
        ["bold"] * 2, lambda match: match.phase is Phase.BETWEEN
    )
    async with client(tmp_path) as seen:
        for client_state in (gathering, over):
            await shows(seen, client_state)
            await seen.press("f6")
            assert seen.notice().startswith(LATER)
            assert not seen.app.screen.query(LinePane)


async def test_the_question_stays_until_a_move_is_answered(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await shows(seen, playing())
        question = seen.notice()
        await seen.press("d")
        assert seen.notice() == question
        await seen.press("b", "d")
        assert seen.notice().endswith(question)
        assert seen.notice() != question
