"""A pane that is one widget: drawn whole in memory, and repainted where it differs."""

from collections.abc import Iterable

from textual.events import Click, Key, Resize

from diadem_client.board.canvas import Canvas, Kept
from diadem_client.board.held_keys import HeldKeys
from diadem_client.board.painted import PaintedPane
from diadem_client.board.pane import LEAST, Scene, guarded
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, either_case
from diadem_shared.refusals import Refusal


class DrawnPane(PaintedPane, can_focus=True):
    DEFAULT_CSS = """
    DrawnPane { width: 1fr; height: 1fr; }
    """

    leaves_room = True
    scene: Scene | None = None

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as every widget calls it
        super().__init__(id=id)
        self._asked = ""
        self._offered: tuple[str, ...] = ()
        self._canvas = Canvas(0, 0)
        self._kept: dict[str, Kept] = {}
        self._tapped: int | None = None
        """What was tapped last, if nothing has happened since."""
        self.held_keys = HeldKeys()
        self._meanings: dict[str, list[Action]] = {}
        """What each key may do."""
        for action in self.ACTIONS:
            for key in either_case(action.keys):
                self._meanings.setdefault(key, []).append(action)

    @guarded
    def show(self, scene: Scene) -> None:
        self.scene = scene
        if scene.events:
            self._tapped = None
        self.take_up(scene)
        self.redraw()

    def take_up(self, scene: Scene) -> None:
        """Fit what is half made to a new scene."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        raise NotImplementedError

    @classmethod
    def sketch(cls, canvas: Canvas, scene: Scene) -> None:
        """What lies there, with nothing of what is half made."""
        raise NotImplementedError

    @guarded
    def redraw(self) -> None:
        """Draw anew, and have only those cells repainted that changed."""
        self._ask_anew()
        self.offer_anew()
        self.draw_in_time()

    @guarded
    def draw_now(self) -> None:
        size = self.size  # of which the reckoning takes longer than a row of the drawing
        canvas = Canvas(
            *size,
            ascii_only=self.ascii_only,
            without_colour=self.app.no_color,
            kept=self._kept,
        )
        # Too small, or not laid out yet, nothing is drawn; the screen says what it needs.
        if self.scene is not None and size.width >= LEAST.width and size.height >= LEAST.height:
            self.draw(canvas, self.scene)
        self._canvas = canvas
        if canvas.talk != self.talk:
            self.talk = canvas.talk
            self.post_message(self.TalkPlaced())
        self.take_rows(canvas.rows())

    def retranslate(self) -> None:
        self._kept.clear()  # it may be in another language
        self.redraw()

    def _ask_anew(self) -> None:
        if self.question != self._asked:
            self._asked = self.question
            if self._asked:
                self.ask()

    def offer_anew(self) -> None:
        """Have the footer follow, if other keys do something now."""
        shown = (action.id for action in self.ACTIONS if action.in_footer)
        offered = tuple(filter(self.offers, shown))
        if offered != self._offered:
            self._offered = offered
            self.refresh_bindings()

    @guarded
    def on_key(self, event: Key) -> None:
        """Keys are dealt with here, one after the other.

        A binding's action runs only once its key has bubbled up to the app, and by then a letter
        typed right behind an arrow would have been set down where the cursor was before.
        """
        self._tapped = None
        if self.held_keys.is_held(event.key, event.time):
            event.stop()
            if self.scene is not None and self.scene.may_act:
                self.hint(_("One press, one move: let go of the key first."))
            return
        meanings = self._meanings.get(event.key, ())
        if self._heeds(event, meanings):
            self.catch_up()
        if self.typed(event.key, event.character or ""):
            event.stop()
            return
        meant = [action for action in meanings if self.uses(action)]
        offered = [action for action in meant if self.offers(action.id)]
        if meant and (offered or event.key != "escape"):  # with nothing to leave here, the screen's
            event.stop()
            getattr(self, f"action_{(offered or meant)[0].id}")()

    def decide(self, move: str) -> None:
        """Post a move, in notation."""
        self.held_keys.moved()
        self.post_message(self.Played(move))

    def refused(self, refusal: Refusal) -> None:
        self.held_keys.refused()

    def _heeds(self, event: Key, meanings: Iterable[Action]) -> bool:
        """Whether a key may mean something here, and not to the screen."""
        if any(map(self.uses, meanings)):
            return True
        return event.is_printable and event.key != "space"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nobody is offered what can only be refused; pressed all the same, it is still answered."""
        own = next((each for each in self.ACTIONS if each.id == action), None)
        if own is not None and (
            self._only_looks_on or not self.uses(own) or not self.offers(action)
        ):
            return False
        return super().check_action(action, parameters)

    def offers(self, action: str) -> bool:
        """Whether an action does something now. The footer shows no other; of two with one key it says which."""
        return True

    @property
    def _only_looks_on(self) -> bool:
        """Without a seat, or once the round is over."""
        return self.scene is not None and (self.scene.seat is None or not self.scene.actors)

    def typed(self, key: str, character: str) -> bool:
        """A key that is no action, such as a letter; whether it was one that means something."""
        return False

    @guarded
    def on_click(self, event: Click) -> None:
        """What is tapped is pointed at; tapped once more, it is done."""
        self.finish_drawing()
        what = self._canvas.placed_at(event.x, event.y)
        self.catch_up()
        if what is None or self.scene is None or self.held_keys.is_held(f"tap {what}", event.time):
            return
        again, self._tapped = what == self._tapped, what
        self.clicked(what)
        if again and self.scene.may_act:
            self.clicked_again(what)
        self.redraw()

    def clicked(self, what: int) -> None:
        """A place that the drawing has given a number."""

    def clicked_again(self, what: int) -> None:
        """The same one, on which nothing has happened in between, on one's turn."""

    def on_resize(self, _: Resize) -> None:
        self.redraw()

    def watch_ascii_only(self) -> None:
        self.redraw()
