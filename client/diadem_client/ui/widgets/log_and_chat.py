"""What has happened, what was said, and a line to say something."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.state.client_state import TableState
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.fixed_text import lines as set_below
from diadem_client.ui.widgets.log import Log
from diadem_client.wording import turns
from diadem_client.wording.events import turns_of
from diadem_client.wording.reader import Reader
from diadem_client.wording.state import bots, player_state
from diadem_client.wording.turns import Line
from diadem_client.wording.values import grouped
from diadem_shared.protocol import Said

LONGEST_CHAT = 500


class Players(FixedText):
    """Everybody, one under the other, for a terminal with room."""

    DEFAULT_CSS = "Players { height: auto; padding: 0 1; }"

    def show(self, table: TableState) -> None:
        self.set_text(
            set_below(_standing(table, seat) for seat in range(len(table.names))), layout=True
        )


class Say(Field):
    class LogWanted(Message):
        """To its beginning, or to its end: in an empty line there is nowhere else to go."""

        def __init__(self, *, end: bool) -> None:
            super().__init__()
            self.end = end

    class Entered(Message):
        """What is to be said, or looked for."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            self._enter()  # at once: what is typed behind it is of the next line
        elif event.key in {"home", "end"} and not self.value:
            self.post_message(self.LogWanted(end=event.key == "end"))
        else:
            return
        event.stop()
        event.prevent_default()

    def _enter(self) -> None:
        text = self.value.strip()
        if not text:
            return
        if not text.startswith("/"):
            self.clear()
        self.post_message(self.Entered(text))


SCROLLING = tuple(
    Action(id_, (key,), label, help_, in_footer=False)
    for id_, key, label, help_ in (
        ("oldest", "home", N_("begin"), N_("To the beginning of the log.")),
        ("newest", "end", N_("end"), N_("To the end of the log.")),
        ("said_before", "up", N_("up"), N_("Read further up in the chat.")),
        ("said_after", "down", N_("down"), N_("Read further down in the chat.")),
    )
)


class LogAndChat(Vertical):
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCROLLING)
    DEFAULT_CSS = """
    LogAndChat { background: $background; border-left: solid $border; padding: 0 0 0 1; }
    LogAndChat #log { height: 2fr; }
    LogAndChat #chat { height: 1fr; border-top: dashed $border; }
    """

    class ChatEntered(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="talk")

    def compose(self) -> ComposeResult:
        yield Players()
        yield Log(id="log")
        yield Log(id="chat")
        yield Say(max_length=LONGEST_CHAT, id="say", compact=True)

    def on_mount(self) -> None:
        self.retranslate()

    def retranslate(self) -> None:
        self.query_one("#say", Field).placeholder = _("chat, or /word to search")

    def show(self, table: TableState) -> None:
        told = lines_of(table)
        new = [number for number, line in enumerate(told) if line.is_new]
        self.query_one("#log", Log).show([line.text for line in told], new)
        heard = [said for said in table.chat if said.name not in table.muted]
        self.query_one("#chat", Log).show([chat_line(said) for said in heard])

    def give_back(self, text: str) -> None:
        """What was not said stays to be said."""
        field = self.query_one("#say", Field)
        if not field.value:
            field.value = text
            field.cursor_position = len(text)

    def on_say_entered(self, message: Say.Entered) -> None:
        message.stop()
        if message.text.startswith("/"):
            self._find(self.query_one("#say", Field), message.text[1:].strip())
        else:
            self.post_message(self.ChatEntered(message.text))

    def _find(self, field: Field, words: str) -> None:
        """The words stay, so that Enter goes on to the line before."""
        self.retranslate()
        found = [log.find(words) for log in self.query(Log)] if words else []
        if words and True not in found:
            field.clear()
            field.placeholder = _("{words} is in no line").format(words=words)

    def on_say_log_wanted(self, message: Say.LogWanted) -> None:
        (self.action_newest if message.end else self.action_oldest)()

    def older(self) -> None:
        self.query_one("#log", Log).scroll_page_up(animate=False)

    def newer(self) -> None:
        self.query_one("#log", Log).scroll_page_down(animate=False)

    def action_oldest(self) -> None:
        self.query_one("#log", Log).scroll_home(animate=False)

    def action_newest(self) -> None:
        self.query_one("#log", Log).scroll_end(animate=False)

    def action_said_before(self) -> None:
        self.query_one("#chat", Log).scroll_up(animate=False)

    def action_said_after(self) -> None:
        self.query_one("#chat", Log).scroll_down(animate=False)


def chat_line(said: Said) -> str:
    return f"{said.name}: {said.text}"


def news(table: TableState, count: int) -> str:
    """The last lines of the log."""
    return "\n".join([line.text for line in lines_of(table)][-count:])


def lines_of(table: TableState) -> list[Line]:
    """The log, in one line a turn."""
    happened = ((line.event, line.text) for line in table.log)
    reader = Reader(table.names, table.seat)
    return turns.lines(turns_of(table.game.name), happened, reader, acts=table.my_turn)


def _standing(table: TableState, seat: int) -> Content:
    player = table.public.players[seat]
    acts = seat in table.public.actors
    parts: list[str | tuple[str, str]] = [(f"{signs.TURN.own} ", "bold $accent") if acts else "  "]
    parts.append((player.name, "bold" if seat == table.seat else ""))
    if table.public.rounds:
        parts.append(f" {grouped(table.scores[seat])}")
    state = player_state(table, player)
    if seat in bots(table):
        parts.append(f" {signs.BOT.own}")
    if state:
        parts.append(f" ({state})")
    return Content.assemble(*parts)
