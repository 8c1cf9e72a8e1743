"""What has happened, what was said, and a line to say something."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from diadem.protocol import Said
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.state.picture import TablePicture
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText, lines
from diadem_client.ui.widgets.log import Log
from diadem_client.wording.state import player_state

LONGEST_CHAT = 500


class Players(FixedText):
    """Everybody, one under the other, for a terminal with room."""

    DEFAULT_CSS = "Players { height: auto; padding: 0 1; }"

    def show(self, table: TablePicture) -> None:
        self.set_text(
            lines(_standing(table, seat) for seat in range(len(table.names))), layout=True
        )


class LogAndChat(Vertical):
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
        yield Field(max_length=LONGEST_CHAT, id="say", compact=True)

    def on_mount(self) -> None:
        self.retranslate()

    def retranslate(self) -> None:
        self.query_one("#say", Field).placeholder = _("say something")

    def show(self, table: TablePicture) -> None:
        self.query_one("#log", Log).show([line.text for line in table.log if line.text])
        heard = [said for said in table.chat if said.name not in table.muted]
        self.query_one("#chat", Log).show([chat_line(said) for said in heard])

    def give_back(self, text: str) -> None:
        """What was not said stays to be said."""
        field = self.query_one("#say", Field)
        if not field.value:
            field.value = text
            field.cursor_position = len(text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if text := event.value.strip():
            event.input.clear()
            self.post_message(self.ChatEntered(text))


def chat_line(said: Said) -> str:
    return f"{said.name}: {said.text}"


def news(table: TablePicture, count: int) -> str:
    """The last lines of the log."""
    return "\n".join([line.text for line in table.log if line.text][-count:])


def _standing(table: TablePicture, seat: int) -> Content:
    player = table.public.players[seat]
    acts = seat in table.public.actors
    parts: list[str | tuple[str, str]] = [(f"{signs.TURN.own} ", "bold $accent") if acts else "  "]
    parts.append((player.name, "bold" if seat == table.seat else ""))
    if table.public.rounds:
        parts.append(f" {table.scores[seat]}")
    state = player_state(table, player)
    if state:
        parts.append(f" ({state})")
    return Content.assemble(*parts)
