"""A pane for every game: what lies there as text, and moves as somebody types them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.widgets import Input

from diadem_client.board.canvas import Canvas
from diadem_client.board.pane import LEAST, GamePane, Scene, guarded
from diadem_client.games import GAMES
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.wording.plain import plain_words
from diadem_shared.described_game import DescribedGame
from diadem_shared.refusals import Refusal, RefusalError

MOST_KEPT = 50
"""Lines that were sent, and come back with the arrows."""
FIELD = 1
"""Rows of the line where one types."""
MOST_LINES = 500
"""Of what lies there, told field by field."""
MOST_SHOWN = 12
"""Moves listed; where there are more, these are examples."""


class Sent:
    """What was sent before, to be taken up again; what was being typed meanwhile is not lost."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MOST_KEPT)
        self._back = 0
        """How far back the line is that is looked at; 0 for the new one."""
        self._new = ""

    def keep(self, typed: str) -> None:
        if not self._lines or self._lines[-1] != typed:
            self._lines.append(typed)
        self._back = 0

    def recall(self, by: int, now: str) -> str:
        """The line so much further back, instead of the one that is there now."""
        back = max(0, min(self._back + by, len(self._lines)))
        if back == self._back:
            return now
        if not self._back:
            self._new = now
        self._back = back
        return self._lines[-back] if back else self._new


class MoveField(Field):
    """The arrows up and down bring back what was sent before."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.sent = Sent()

    def on_key(self, event: events.Key) -> None:
        if event.key in {"up", "down"}:
            self.value = self.sent.recall(1 if event.key == "up" else -1, self.value)
            self.cursor_position = len(self.value)
            event.stop()
            event.prevent_default()
            return
        super().on_key(event)

    def offer(self, typed: str) -> None:
        """It is in the line, marked as a whole: the arrows mend it, and another move takes its place."""
        self.value = typed
        self.select_all()


class LinePane(GamePane):
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("scroll_up", ("pageup",), N_("scroll"), N_("Scroll what lies there up.")),
        Action("scroll_down", ("pagedown",), N_("scroll"), N_("Scroll it down."), in_footer=False),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    LinePane { height: 1fr; }
    LinePane VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    LinePane #lying { height: auto; }
    LinePane Input { padding: 0 1; }
    """

    def __init__(self, sketch: Callable[[Canvas, Scene], None] | None = None) -> None:
        """`sketch` draws what lies there; without one it is told field by field."""
        super().__init__()
        self._sketch = sketch
        self.leaves_room = sketch is not None
        self._asked = ""
        self._scene: Scene | None = None
        self._is_laid_out = False
        self._wants_focus = False
        # Kept, not looked for: a pane may be taken away again while it is being laid out.
        self._scroll = VerticalScroll(can_focus=False)
        self._lying_words = FixedText(id="lying")
        self._field = MoveField(max_length=600, select_on_focus=False, compact=True)
        self._typed = ""
        """The last move that was sent, as it was typed."""

    def compose(self) -> ComposeResult:
        with self._scroll:
            yield self._lying_words
        yield self._field

    def on_mount(self) -> None:
        self._is_laid_out = True
        self.retranslate()
        if self._wants_focus:
            self.focus()

    @guarded
    def show(self, scene: Scene) -> None:
        if not scene.events and self._scene is not None:
            scene = replace(scene, events=self._scene.events)  # they are told until others come
        self._scene = scene
        if not self._is_laid_out:
            return
        self._lying_words.set_text(self._lying(scene), layout=True)
        if self.question != self._asked:
            self._asked = self.question
            self.ask()

    @property
    def question(self) -> str:
        return self.may(self._scene) if self._scene is not None else ""

    def _lying(self, scene: Scene) -> str:
        if self._sketch is None:
            return "\n".join(islice(table_as_text(scene), MOST_LINES))
        size = self.size - Size(0, FIELD)
        canvas = Canvas(*size, ascii_only=self.ascii_only, without_colour=True)
        if size.width >= LEAST.width and size.height >= LEAST.height - FIELD:
            self._sketch(canvas, scene)
        if canvas.talk != self.talk:
            self.talk = canvas.talk
            self.post_message(self.TalkPlaced())
        return canvas.text().removesuffix("\n")

    def on_resize(self) -> None:
        if self._scene:
            self.show(self._scene)

    def watch_ascii_only(self) -> None:
        self.on_resize()

    def retranslate(self) -> None:
        self._field.placeholder = _("type a move, then Enter")
        if self._scene:
            self.show(self._scene)

    def focus(self, scroll_visible: bool = True) -> "LinePane":  # noqa: FBT001, FBT002, as in Widget
        self._wants_focus = True
        if self._is_laid_out:
            self._field.focus(scroll_visible)
        return self

    def forgo_focus(self) -> None:
        self._wants_focus = False

    def refused(self, refusal: Refusal) -> None:
        """What was typed stays, to be mended or sent again."""
        if not self._field.value:
            self._field.offer(self._typed)

    @guarded
    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.catch_up()
        scene, typed = self._scene, event.value.strip()
        if scene is None or not typed:
            return
        self._field.sent.keep(typed)
        meant = GAMES[scene.game].meant if scene.game in GAMES else None
        refusal = None  # what cannot be judged here, the server judges
        try:
            move = scene.rules.parse(meant(scene.view, typed) if meant else typed)
            if scene.rules.can_judge(scene.public):
                refusal = scene.rules.explain(scene.view, move)
        except RefusalError as refused:
            refusal = refused.refusal
        if refusal is not None:
            self.hint(scene.reason(refusal))
            self._field.offer(typed)
            return
        self._typed = typed
        event.input.clear()
        self.post_message(self.Played(scene.rules.notate(move)))

    @staticmethod
    def may(scene: Scene) -> str:
        """What can be typed now: the moves where they are few, examples, or how moves are written."""
        if not scene.may_act:
            return ""
        rules, game = scene.rules, GAMES.get(scene.game)
        if game is not None and game.forms is not None:
            return game.forms(scene.public)
        if isinstance(rules, DescribedGame) and rules.forms:
            return _("You may, for example: {moves}").format(moves=listed(rules.forms[:MOST_SHOWN]))
        if not rules.can_judge(scene.public):
            return ""
        moves = rules.moves(scene.view)
        some = [rules.notate(move) for move in islice(moves, MOST_SHOWN + 1)]
        if len(some) <= MOST_SHOWN:
            return _("You may: {moves}").format(moves=listed(some))
        return _("You may, for example: {moves}").format(moves=listed(some[:4]))

    def action_scroll_up(self) -> None:
        self._scroll.scroll_page_up(animate=False)

    def action_scroll_down(self) -> None:
        self._scroll.scroll_page_down(animate=False)


def table_as_text(scene: Scene) -> Iterator[str]:
    """What is seen, field by field, one's own first; what each player has beside their name."""
    if scene.view.private is not None:
        yield from _fields(scene.view.private, scene.names, "")
    yield from _fields(scene.public, scene.names, "")


def _fields(value: Any, names: tuple[str, ...], indent: str) -> Iterator[str]:
    for name, each in _parts(value):
        if name == "options":
            continue  # what was agreed does not lie on the table
        yield from _field(name.replace("_", " "), each, names, indent)


def _field(label: str, value: Any, names: tuple[str, ...], indent: str) -> Iterator[str]:
    if isinstance(value, list | tuple) and len(value) == len(names) and _is_deep(value):
        yield f"{indent}{label}:"
        for name, each in zip(names, value, strict=True):
            yield from _field(name, each, names, indent + "  ")
    elif _has_parts(value) and not _is_deep(each for _name, each in _parts(value)):
        parts = "; ".join(f"{name} {plain_words(each)}" for name, each in _parts(value))
        yield f"{indent}{label}: {parts}"
    elif _has_parts(value):
        yield f"{indent}{label}:"
        yield from _fields(value, names, indent + "  ")
    elif label in {"turn", "seat"} and isinstance(value, int) and value in range(len(names)):
        yield f"{indent}{label}: {names[value]}"
    else:
        yield f"{indent}{label}: {plain_words(value)}"


def _parts(value: Any) -> Iterable[tuple[str, Any]]:
    """By name; of a game that is not known here they come as a map."""
    if isinstance(value, dict):
        return value.items()
    return [(name, getattr(value, name)) for name in value.__struct_fields__]


def _has_parts(value: Any) -> bool:
    return isinstance(value, Struct | dict)


def _is_deep(values: Iterable[Any]) -> bool:
    return any(map(_has_parts, values))
