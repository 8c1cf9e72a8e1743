"""The middle of a table of the sample game: point at a number, and say it."""

from typing import ClassVar

from diadem_client.board.canvas import Canvas
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import Scene
from diadem_client.i18n import N_
from diadem_client.ui.actions import Action, bindings
from tests.sample_game import Numbers
from tests.sample_game.client.draft import Draft
from tests.sample_game.client.drawing import draw


class NumbersPane(DrawnPane):
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("say", ("enter",), N_("say"), N_("Say the number.")),
        Action("higher", ("up",), N_("higher"), N_("Point at a higher number.")),
        Action("lower", ("down",), N_("lower"), N_("Point at a lower number.")),
    )
    BINDINGS = bindings(ACTIONS)

    draft = Draft()

    def take_up(self, scene: Scene) -> None:
        self.draft = self.draft.moved(0, scene.public)

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        draw(canvas, scene.public)

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        draw(canvas, scene.public, self.draft if scene.may_act else None)

    def action_higher(self) -> None:
        self._move(1)

    def action_lower(self) -> None:
        self._move(-1)

    def _move(self, by: int) -> None:
        if self.scene is not None:
            self.draft = self.draft.moved(by, self.scene.public)
            self.redraw()

    def action_say(self) -> None:
        self.post_message(self.Played(Numbers().notate(self.draft.move)))
