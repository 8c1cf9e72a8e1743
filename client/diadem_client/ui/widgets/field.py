"""A line to type in."""

from collections.abc import Callable
from typing import Any

from textual import events
from textual.widgets import Input

LONGEST_PASTE = 2_000
"""Characters of a paste that are looked at."""


class Field(Input):
    def __init__(self, value: str | None = None, **given: Any) -> None:
        # Padded to its end even where it is empty, so that a line below it goes all the way.
        given["placeholder"] = given.get("placeholder") or " "
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

    def on_paste(self, event: events.Paste) -> None:
        """The first line, as far as it can be printed and there is room for it."""
        event.stop()
        event.prevent_default()
        line = next(iter(event.text[:LONGEST_PASTE].splitlines()), "")
        text = "".join(each for each in line if each.isprintable())
        start, end = sorted(self.selection)
        if self.max_length is not None:
            text = text[: max(0, self.max_length - len(self.value) + end - start)]
        self.replace(text, start, end)

    def on_key(self, event: events.Key) -> None:
        """At once: as bindings these would come after the letters that were typed behind them."""
        if edit := self._edits.get(event.key):
            edit()
            event.stop()
            event.prevent_default()
