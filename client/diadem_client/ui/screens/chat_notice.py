"""How a player hears of what is said while the chat is not in sight."""

from diadem_client.board.canvas import fitted
from diadem_client.i18n import ngettext
from diadem_client.state.client_state import TableState
from diadem_client.ui.screens.seat_actions import Seating
from diadem_client.ui.unread import unread
from diadem_client.ui.widgets.log_and_chat import LogAndChat, chat_line
from diadem_shared.protocol import Said

HEARD_SECONDS = 8.0
"""For which a line of the chat stands in place of the question, if nothing else does."""


class Hearing(Seating):
    question = ""
    """What the game asks the player now."""
    _read: tuple[Said, ...] | None = None
    """The chat as it was when it was in sight last, or when the player came."""
    _unread = 0
    _heard = ""
    """The line that stands in place of the question."""

    @property
    def talk_is_open(self) -> bool:
        return self.query_one(LogAndChat).display

    def unread_words(self) -> str:
        if not self._unread:
            return ""
        words = ngettext("{count} unread (Tab)", "{count} unread (Tab)", self._unread)
        return words.format(count=self._unread)

    def hear(self, table: TableState) -> None:
        """Count what is said while the chat is not in sight, and show the newest line as it comes."""
        if self._read is None or self.talk_is_open:
            self._read, self._unread = table.chat, 0
            return
        own = self.client_state.name if table.seat is None else table.names[table.seat]
        new = [
            said
            for said in unread(table.chat, self._read)
            if said.name != own and said.name not in table.muted
        ]
        if len(new) > self._unread:
            self._show_heard(fitted(chat_line(new[-1]), max(1, self.app.size.width - 2)))
        self._unread = len(new)

    def _show_heard(self, line: str) -> None:
        """Unless something is said there that the player has to know."""
        if self.notice in {"", self.question, self._heard}:
            self._heard = line
            self.show_notice(line)
            self.set_timer(HEARD_SECONDS, self.forget_heard)

    def forget_heard(self) -> None:
        if self._heard and self.notice == self._heard:
            self.show_notice(self.question)
        self._heard = ""
