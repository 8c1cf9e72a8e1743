"""A line to type in."""

from collections.abc import Callable
from typing import Any

from textual import events
from textual.widgets import Input


class Field(Input):
    def __init__(self, value: str | None = None, **given: Any) -> None:
        super().__init__(value, **given)
        self.cursor_blink = False  # or else it would send something twice a second, for ever
        self._edits: dict[str, Callable[[], None]] = {
            "backspace": self.action_delete_left,
            "delete": self.action_delete_right,
            "left": self.action_cursor_left,
            "right": self.action_cursor_right,
            "home": self.action_home,
            "end": self.action_end,
        }

    def on_key(self, event: events.Key) -> None:
        """At once: as bindings these would come after the letters that were typed behind them."""
        if edit := self._edits.get(event.key):
            edit()
            event.stop()
            event.prevent_default()
