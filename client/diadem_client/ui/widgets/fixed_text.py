"""A text that stands where it stands."""

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static


class FixedText(Static):
    """A text of fixed size; a new one does not lay the screen out again."""

    def __init__(self, text: str | Content = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(as_content(text), id=id, markup=False)
        self._said = as_content(text)

    @property
    def text(self) -> str:
        return self._said.plain

    def set_text(self, text: str | Content, *, layout: bool = False) -> None:
        content = as_content(text)
        if content != self._said:
            self._said = content
            self.update(content, layout=layout)


def as_content(text: str | Content) -> Content:
    return text if isinstance(text, Content) else Content(text)


def lines(parts: Iterable[str | Content]) -> Content:
    return Content("\n").join(as_content(part) for part in parts)
