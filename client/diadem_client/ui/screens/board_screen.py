"""A board that is looked at without a table at a server: that of a match that is over, or of a puzzle."""

from textual.app import ComposeResult

from diadem_client.board.pane import GamePane
from diadem_client.board.registry import pane_for
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.ui.screens.chat_panel import Talking
from diadem_client.ui.screens.scene import scene_of
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.log import Log
from diadem_client.ui.widgets.log_and_chat import LogAndChat, Players, news
from diadem_client.ui.widgets.plain_container import Covered

NEWS_LINES = 2


class BoardScreen(Talking):
    BLANK = True  # as that of Covered
    AUTO_FOCUS = ""
    lies_over = True
    DEFAULT_CSS = """
    BoardScreen #middle { height: 1fr; layout: horizontal; }
    BoardScreen #game { width: 1fr; height: 1fr; }
    BoardScreen #game > *:disabled { opacity: 1; }
    BoardScreen #news { height: 2; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
                        color: $faint; }
    BoardScreen #chat, BoardScreen #say { display: none; }
    BoardScreen.-low Players { display: none; }
    BoardScreen.-beside #news, BoardScreen.-wide #news { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.header = Header()
        self.shown = ClientState()
        self.pane: GamePane | None = None

    def compose(self) -> ComposeResult:
        yield self.header
        with Covered(id="middle"):
            yield Covered(id="game")
            yield LogAndChat()
        yield FixedText(id="notice")
        yield FixedText(id="news")
        yield KeyHints()

    @property
    def client_state(self) -> ClientState:
        """Of the board that is looked at, whatever goes on elsewhere."""
        return self.shown

    def show_board(self, table: TableState, *, plays: bool) -> None:
        """With what is told of it. `plays`: whether moves can be made on it."""
        self.query_one("#news", FixedText).set_text(news(table, NEWS_LINES))
        self.query_one(Players).show(table)
        self.query_one(LogAndChat).show(table)
        if self.pane is None:
            self.pane = pane_for(table.public.setup.game)
            self.query_one("#game").mount(self.pane)
        self.pane.disabled = not plays
        self.pane.ascii_only = self.diadem.ascii_only
        self.pane.show(scene_of(table))
        self.front = self.pane
        self.place_talk(self.pane)

    def leave_server(self) -> None:
        """What is to be shown cannot be drawn."""
        self.show_notice(_("This cannot be shown."))

    def _enter(self) -> None:
        self.query_one("#log", Log).focus()

    def action_rules(self) -> None:
        if self.table is not None:
            self.diadem.show_rules(self.table.public.setup.game)

    def go_back(self) -> None:
        self.dismiss()
