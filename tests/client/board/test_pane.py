"""What a pane is given to draw, and what becomes of a scene that cannot be drawn."""

import pytest
from textual.app import App, ComposeResult

from diadem_client.board.pane import GamePane, Scene, guarded
from diadem_shared.entries import Started
from diadem_shared.games.castles.refusals import CastlesCode
from diadem_shared.games.castles.table import Drew, Stopped
from diadem_shared.refusals import Refusal
from tests.client.board.host import Desk


def scene(seat: int = 0) -> Scene:
    return Desk("diamoniak", seats=2, seed="amber", seat=seat).enter(Started())


def test_only_whose_turn_it_is_may_act() -> None:
    (turn,) = scene().actors
    assert scene(turn).may_act
    assert not scene(1 - turn).may_act


def test_events_are_told_to_whoever_looks() -> None:
    assert scene(0).sentences([Drew(0, "blue2"), Stopped(1)]) == ["You draw: blue 2.", "Bob stops."]
    assert scene(1).sentences([Drew(0, "blue2")]) == ["Ana draws: blue 2."]


def test_a_refusal_is_said_in_the_words_of_the_game() -> None:
    assert "witch" in scene().reason(Refusal(CastlesCode.DANGER_WAITS))


class Fragile(GamePane):
    @guarded
    def show(self, scene: Scene) -> None:
        raise KeyError(scene.game)


async def test_a_scene_that_cannot_be_drawn_is_said_and_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = []

    class Around(App[None]):
        def compose(self) -> ComposeResult:
            yield Fragile()

        def on_game_pane_nonsense(self, message: GamePane.Nonsense) -> None:
            said.append(message)

    app = Around()
    async with app.run_test() as pilot:
        app.query_one(Fragile).show(scene())
        await pilot.pause()
    assert len(said) == 1
    assert "makes no sense" in caplog.text
