"""What the table screen and the pane of a game say to each other."""

import logging
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import wraps
from itertools import chain
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

from msgspec import Struct
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from diadem_client.board.canvas import Rect
from diadem_client.state.known_games import game_of
from diadem_client.state.presentation import STILL, Motion
from diadem_client.ui.actions import Action
from diadem_client.ui.direct_painter import DirectPainter
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.wording import turns
from diadem_client.wording.events import tell, turns_of
from diadem_client.wording.reader import Reader
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.turns import Line
from diadem_shared.entries import Started
from diadem_shared.game import AnyGame, Event, Seat, View, Viewer
from diadem_shared.refusals import Refusal

log = logging.getLogger(__name__)

W = TypeVar("W", bound="GamePane")
P = ParamSpec("P")

LEAST = Size(60, 14)
"""What every game can be drawn in: 60x20 leaves it that many rows under the longest of sentences."""


class Scene(Struct, frozen=True):
    """All a pane is given to draw: one view, and what happened just before it."""

    game: str
    names: tuple[str, ...]
    view: View[Any, Any]
    actors: tuple[Seat, ...]
    is_stood_in: bool = False
    """Whether a bot plays for the player."""
    events: tuple[Event, ...] = ()
    """Those of the game that came with this view."""
    skipped: tuple[Event, ...] = ()
    """Those of earlier ones that were not shown."""
    past: tuple[Event, ...] = ()
    """Those of this round so far, as far as they are known here, with the newest."""
    notes: tuple[str, ...] = ()
    """What is to be known of each player besides the game: who is away, whose line is lost."""
    bots: frozenset[Seat] = frozenset()
    """Where no person has the seat."""
    scores: tuple[int, ...] = ()
    """What each has from the rounds before."""

    @property
    def rules(self) -> AnyGame:
        return game_of(self.game)

    @property
    def seat(self) -> Viewer:
        return self.view.seat

    @property
    def public(self) -> Any:
        return self.view.public

    @property
    def may_act(self) -> bool:
        return self.seat in self.actors and not self.is_stood_in

    def sentences(self, events: Iterable[Event]) -> list[str]:
        """What is told of these events to whoever looks."""
        told = (tell(self.game, event, self.names, self.seat) for event in events)
        return list(filter(None, told))

    def lines(self, past: Iterable[Event] | None = None) -> list[Line]:
        """What is told of this round, in one line a turn."""
        events = self.past if past is None else past
        told = ((event, tell(self.game, event, self.names, self.seat) or "") for event in events)
        happened = chain([(Started(), "")], told)
        reader = Reader(self.names, self.seat)
        return turns.lines(turns_of(self.game), happened, reader, acts=self.may_act)

    def since_last_turn(self) -> list[Event]:
        """What is to be marked: the events of all turns after the player's last one."""
        return turns.since_last_turn(turns_of(self.game), self.past, self.seat, acts=self.may_act)

    def reason(self, refusal: Refusal) -> str:
        return sentence_for(refusal, self.names, self.game)


def guarded(draw: Callable[Concatenate[W, P], None]) -> Callable[Concatenate[W, P], None]:
    """A scene can be so odd that it can neither be drawn nor played; that is said, and no more."""

    @wraps(draw)
    def attempt(pane: W, /, *given: P.args, **named: P.kwargs) -> None:
        try:
            draw(pane, *given, **named)
        except Exception:
            log.exception("a scene makes no sense")
            pane.post_message(pane.Nonsense())

    return attempt


class Showing(Protocol):
    @property
    def is_behind(self) -> bool:
        """Whether something waits to be shown."""

    def catch_up(self) -> None:
        """Show it, before the player acts."""


class Listener(Protocol):
    """Whoever shows what a pane says. Told by a message, it would do so one frame after the pane."""

    def show_hint(self, sentence: str) -> None:
        """A sentence for the player, such as why a key does nothing now."""

    def show_question(self, question: str) -> None:
        """The question is another one now, by a scene or by a key."""

    def try_out(self, draft: Mapping[str, str]) -> None:
        """Tiles lie on the board for a try: what would the server's judge say?"""


class GamePane(Widget):
    """Draws scenes and turns keys into moves. It knows no connection and asks no server itself."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    """What its keys do; the screen adds them to footer, help and palette."""

    ascii_only: reactive[bool] = reactive(default=False, init=False)
    """Whether to draw with letters of ASCII: a terminal without others has no like for some signs."""

    class Played(Message):
        """The player has decided on a move, in notation."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Nonsense(Message):
        """What is to be drawn cannot be."""

    class TalkPlaced(Message):
        """The room for log and chat is another one now."""

    leaves_room: bool = False
    """Whether its drawing leaves room for log and chat on a large terminal."""
    talk: Rect | None = None
    """Where the drawing leaves room for log and chat, in cells of the pane."""

    listener: Listener | None = None
    direct_painter: DirectPainter | None = None
    """Where there is a terminal to paint on at once."""
    key_hints: KeyHints | None = None
    """The footer of its screen, where that is told by signals of all else."""

    def hint(self, sentence: str) -> None:
        if self.listener is not None:
            self.listener.show_hint(sentence)

    def ask(self) -> None:
        """Have the question shown, in place of what was said before."""
        if self.listener is not None:
            self.listener.show_question(self.question)

    def offer(self, offer: Hashable) -> None:
        """Have the footer follow, as its keys do something else now: `offer` is all that decides what."""
        if self.key_hints is not None:
            self.key_hints.show_offer(offer)
        else:
            self.refresh_bindings()

    frame: int | None = None
    """The number of the frame, while something moves or is still looked at (see state/presentation.py)."""
    coming: Scene | None = None
    """In the frames before it: what is shown next."""
    showing: Showing | None = None
    """What shows one entry after another here."""

    def catch_up(self) -> None:
        """Before a key is heeded: `show` may be called in it."""
        if self.showing is not None:
            self.showing.catch_up()

    def uses(self, action: Action) -> bool:
        """Whether its key is for this pane now; if not it is for the screen."""
        return True

    def motion(self, scene: Scene) -> Motion:
        """How the events of a scene are shown when it comes next."""
        return STILL

    def pose(self, frame: int | None, coming: Scene | None) -> None:
        """Take up a frame, to be drawn at the next `show` or `redraw`."""
        self.frame, self.coming = frame, coming

    def redraw(self) -> None:
        """Draw anew what has changed."""

    def show(self, scene: Scene) -> None:
        """Draw this; a draft in progress survives as far as it still can."""
        raise NotImplementedError

    def forgo_focus(self) -> None:
        """Somebody has gone elsewhere, perhaps before this was laid out."""

    def propose(self, move: Any) -> None:
        """Prepare a move that was given as a hint, where that needs nothing but a look; Enter makes it as always."""

    def judged(self, draft: Mapping[str, str], verdict: Any) -> None:
        """The server's word on a draft, in plain values; one for an older draft is ignored."""

    def refused(self, refusal: Refusal) -> None:
        """The server would not have the move: keep the draft, the screen says why."""

    def retranslate(self) -> None:
        """Every word in the language that is spoken now; what is half made stays."""
        raise NotImplementedError

    @property
    def question(self) -> str:
        """What the player is asked now, in a sentence; "" if nothing."""
        return ""
