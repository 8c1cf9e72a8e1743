"""What the player is asked at the table, and what they are told before it in the same rows."""

from textual.content import Content

from diadem_client.board.canvas import cut_behind
from diadem_client.board.pane import GamePane
from diadem_client.net.transport import Connected, Link
from diadem_client.ui.screens.chat_panel import Talking


class Asking(Talking):
    _told = ""
    """What was said last before a question."""
    _hint = ""
    """What was said last of a key or a move; it is over once something has happened."""

    _was_connected = True

    def follow_link(self, link: Link) -> None:
        """What was said while the line was lost is over once it is back."""
        is_connected = isinstance(link, Connected)
        if is_connected and not self._was_connected:
            self.forget_hint()
        self._was_connected = is_connected

    def set_question(self, question: str) -> None:
        """A new question takes the place of what was said before; one that is over goes."""
        if question == self.question:
            return
        if question or self.notice == self.question:
            self.show_notice(question)
        self.question = question

    def tell(self, sentence: str) -> None:
        """Before the question, which is still the question."""
        if not sentence or sentence == self.question or not self.question:
            self.show_notice(sentence or self.question)
        else:
            self._put_before_question(sentence, self.app.size.width)

    def _put_before_question(self, sentence: str, width: int) -> None:
        self._told, question = sentence, self.question
        if isinstance(self.front, GamePane) and self.front.leaves_room:
            question = cut_behind(sentence, question, width - 2)
        self.show_notice(Content.assemble((sentence, "$bad"), "  ", question))

    def make_room_for_notice(self, width: int) -> None:
        if self._told and self.notice.startswith(f"{self._told}  "):
            is_hint = self.notice == self._hint
            self._put_before_question(self._told, width)
            self._hint = self.notice if is_hint else self._hint
        super().make_room_for_notice(width)

    def keep_as_hint(self) -> None:
        self._hint = self.notice

    def forget_hint(self) -> None:
        if self._hint and self.notice == self._hint:
            self.show_notice(self.question)
        self._hint = ""
