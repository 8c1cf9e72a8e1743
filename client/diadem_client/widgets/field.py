"""A line to type in."""

from typing import Any

from textual.widgets import Input


class Field(Input):
    def __init__(self, value: str | None = None, **given: Any) -> None:
        super().__init__(value, **given)
        self.cursor_blink = False  # or else it would send something twice a second, for ever
