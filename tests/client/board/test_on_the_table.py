"""The panes where they belong: on the table screen, at a real server."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import LEAST
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.wording.outcome import what_next
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import PlayerLine
from tests.client.board.host import HUGE, LARGE, SMALL
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting
from tests.game_features import WITH_PANE
from tests.rig.wire import server

WAY_BACK = {"en": "F2 play on", "de": "F2 selbst spielen", "fr": "F2 reprendre ma place"}
TYPED = {
    "diamoniak": ("Stapel", "\u25ba Du", "noch nichts"),
    "piratatak": ("Stapel", "\u25ba Du", "noch nichts"),
    "diadingo": ("\u25ba Du", "Dollar"),
    "diamino-rummy": ("\u25ba Du", "Vorrat 32", "Hand "),
    "diamino-bonus": ("\u25ba Du", "Vorrat 88", "Hand "),
}
"""What is seen of a table where moves are typed, in German."""


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_PANE)
async def test_every_game_has_a_pane_with_room_enough(tmp_path: Path, game: str) -> None:
    """In each size; the way back to one's seat is always told; and where moves are typed the table is seen all the same."""
    async with (
        server(tmp_path, bot_pause=30.0) as app,
        client(tmp_path, app.port, setup=Setup(game, first_turn(game)), bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.my_turn)
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
        pane = seen.app.screen.query_one(DrawnPane)
        for size in (LARGE, HUGE, SMALL):
            await seen.pilot.resize_terminal(*size)
            await seen.idle()
            assert seen.screen_text.splitlines()[0]
            assert pane.size.width >= LEAST.width
            assert pane.size.height >= LEAST.height
            await seen.reads("\u25ba You")
        await seen.press("f2", "enter")
        for language, words in WAY_BACK.items():
            await seen.speaks(language)
            await seen.reads(words)
        await seen.press("f2")
        await seen.until(lambda: WAY_BACK["fr"] not in seen.screen_text)
        await seen.speaks("de")
        await seen.press("f6")
        await seen.reads("tippe einen Zug")
        for words in TYPED.get(game, ()):
            await seen.reads(words)
        await seen.pilot.resize_terminal(*LARGE)
        await seen.reads("\u25ba Du")
        before = await seen.settled()
        await seen.press("down")
        assert seen.screen_text == before  # there is nothing to scroll to


def first_turn(game: str) -> dict[str, bool | int | str | None]:
    return {"youngest": 0} if "youngest" in GAMES[game].options_type.__struct_fields__ else {}


TWO_ROUNDS = Setup("diamoniak", options={"youngest": 0}, rounds=2)


@pytest.mark.slow
async def test_who_is_played_for_comes_back_for_the_next_round(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=TWO_ROUNDS, bots=("strong",)) as seen,
    ):
        await seen.reads("Draw a card: D.")
        await seen.press("f2", "enter")
        await seen.reads("between two rounds")
        await seen.reads("A bot plays for you. Press F2 to take your seat back.")
        assert seen.screen_text.count("A bot plays for you.") == 1
        await seen.press("f2")
        await seen.reads("Press r when you are ready for the next round.")
        await seen.press("r")
        await seen.reads("round 2/2")


def test_who_looks_on_is_told_what_the_next_round_waits_for() -> None:
    client_state = Sitting(Setup("diamoniak", rounds=2)).play_out(
        ["bold"] * 2, lambda match: match.phase is Phase.BETWEEN
    )
    assert client_state.table is not None
    table = replace(client_state.table, seat=None)
    bob, bot = table.public.players
    bot = replace(bot, bot="strong")

    def told(player: PlayerLine) -> str:
        return what_next(replace(table, public=replace(table.public, players=[player, bot])))

    away = replace(bob, name="Bob", bot="strong", away=True, ready=False)
    assert told(away) == "Bots play for all: they begin the next round in a moment."
    assert told(replace(away, bot=None, away=False)) == "Waiting for Bob to be ready."


async def pass_round(seen: Seen) -> None:
    """Pass, and wait until the zombie has passed, too; two rounds of that end it, whoever began (M-17)."""
    before = seen.client_state.table
    assert before is not None

    def has_gone_round() -> bool:
        now = seen.client_state.table
        return now is not None and (
            now.entry >= before.entry + 2 or now.public.phase is not Phase.PLAYING
        )

    await seen.press("2", "enter")
    await seen.until(has_gone_round)


async def test_the_end_of_a_round_is_seen_before_its_result(tmp_path: Path) -> None:
    setup = Setup("diamino-rummy", rounds=2)
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("zombie",), last_look=600.0) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await pass_round(seen)
        await seen.reads("Your turn: lay a word.")
        await pass_round(seen)
        await seen.reads("between two rounds")
        await seen.reads("F7 result")
        assert "Reserve 32" in seen.screen_text
        await seen.press("f7")
        await seen.reads("Press r when you are ready for the next round.")
        await seen.press("r")
        await seen.reads("round 2/2")
        await seen.reads("Your turn: lay a word.")


async def test_the_result_comes_by_itself_and_is_followed_by_another_match(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(
            tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",), last_look=0.01
        ) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await pass_round(seen)
        await seen.reads("Your turn: lay a word.")
        await pass_round(seen)
        await seen.reads("V table")
        await seen.press("g")
        await seen.reads("Your turn: lay a word.")


async def test_what_lies_there_after_a_round_is_left_by_a_key_that_is_told(tmp_path: Path) -> None:
    """And a question that a key has brought up is read."""
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await pass_round(seen)
        await seen.reads("Your turn: lay a word.")
        await seen.press("2")
        await seen.reads("Pass? Enter passes")
        await seen.press("enter")
        await seen.reads("the match is over")
        await seen.reads("V table")
        await seen.press("v")
        await seen.reads("F7 result")
        assert "Enter lay" not in seen.screen_text
        await seen.press("f7")
        await seen.reads("V table")


async def test_the_last_line_fits_again_after_the_terminal_was_larger(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.reads("Your turn: lay a word.")
        await seen.reads("4 exchange")
        await seen.pilot.resize_terminal(110, 24)
        await seen.reads("Tab log, chat")
        await seen.pilot.resize_terminal(80, 24)
        await seen.until(lambda: "Tab log, chat" not in seen.screen_text)
        last = seen.screen_text.splitlines()[-1]
        assert len(last) <= 80
        assert last.endswith("? help")
