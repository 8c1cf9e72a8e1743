"""Log and chat at a table: where they lie, how one gets there and back, and what is said."""

from textual import on
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input

from diadem_client.board.pane import GamePane
from diadem_client.i18n import N_
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.chat_notice import Hearing
from diadem_client.ui.widgets.log_and_chat import LogAndChat
from diadem_shared import protocol

TALK_ACTIONS = (
    Action("talk", ("tab",), N_("log, chat"), N_("Go to the log and the chat, and back.")),
    Action("older", ("pageup",), N_("older"), N_("Read further up in the log."), in_footer=False),
    Action(
        "newer", ("pagedown",), N_("newer"), N_("Read further down in the log."), in_footer=False
    ),
)
WIDE, TALL = 110, 36
"""From this size on log and chat are always open."""


class Talking(Hearing):
    """A part of the table screen."""

    DEFAULT_CSS = """
    Talking { layers: default over; }
    Talking LogAndChat { display: none; layer: over; dock: bottom; width: 100%; height: 14;
                       margin: 0 0 1 0; border-top: solid $border; border-left: none; }
    Talking.-talking LogAndChat { display: block; }
    Talking.-wide LogAndChat { display: block; layer: default; dock: right; width: 38; height: 1fr;
                             margin: 0; border-top: none; border-left: solid $border; }
    Talking.-wide Players { display: block; width: 100%; margin: 0 0 1 0; }
    Talking.-wide.-beside LogAndChat { layer: over; dock: none; position: absolute; padding: 0;
                             border: none; background: $background; }
    Talking.-wide.-beside Players { display: none; }
    """

    _is_wide = False
    """Whether there is room for log and chat all the time, if what is shown leaves it."""

    front: Widget | None = None
    """The panel that belongs to what goes on; log and chat lie over it or beside it."""

    def fit(self, size: Size) -> None:
        super().fit(size)
        self._is_wide = size.width >= WIDE and size.height >= TALL
        self.place_talk(self.front)

    @on(GamePane.TalkPlaced)
    def _place_talk_anew(self) -> None:
        self.place_talk(self.front)

    def place_talk(self, front: Widget | None) -> None:
        """Log and chat lie where the drawing leaves room for them, or beside what is shown; where there is no room,
        they come over it when they are wanted."""
        beside = isinstance(front, GamePane) and front.leaves_room
        place = front.talk if isinstance(front, GamePane) else None
        self.set_class(beside, "-beside")
        self.set_class(self._is_wide and (place is not None or not beside), "-wide")
        talk = self.query_one(LogAndChat)
        if place is None or not (beside and self._is_wide):
            talk.styles.clear_rule("width")
            talk.styles.clear_rule("height")
            talk.styles.clear_rule("offset")
            return
        talk.styles.width, talk.styles.height = place.width, place.height
        talk.styles.offset = (place.x, place.y)

    # What is said

    def on_log_and_chat_chat_entered(self, message: LogAndChat.ChatEntered) -> None:
        self.run_worker(self._say(message.text))

    async def _say(self, text: str) -> None:
        if await self.ask(protocol.Say, text) is None:
            self.query_one(LogAndChat).give_back(text)

    # Keys

    def action_talk(self) -> None:
        if self.has_class("-talking"):
            self.action_back()
        else:
            self._open()

    def _open(self) -> None:
        self.add_class("-talking")
        self.forget_heard()
        if isinstance(self.front, GamePane):
            self.front.forgo_focus()
        # What is not displayed yet cannot be given the focus.
        self.call_after_refresh(self._enter)

    def _enter(self) -> None:
        self.query_one("#say", Input).focus()
        self.show(self.client_state)

    def action_older(self) -> None:
        """The first time it comes into sight, with its end."""
        if self.talk_is_open:
            self.query_one(LogAndChat).older()
        else:
            self._open()

    def action_newer(self) -> None:
        self.query_one(LogAndChat).newer()

    def action_back(self) -> None:
        talk = self.query_one(LogAndChat)
        talks = self.focused is not None and talk in self.focused.ancestors_with_self
        if not (talks or self.has_class("-talking")):
            self.go_back()
            return
        self.remove_class("-talking")
        if self.front is not None:
            self.front.focus()

    def go_back(self) -> None:
        """From the game itself."""
        self.ask_to_leave()
