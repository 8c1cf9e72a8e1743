"""A framed panel over a screen that is dimmed."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen

from diadem_client.board.look_of_app import look_of
from diadem_client.look.palette import Paint, style_of

T = TypeVar("T")

PAINTED = str.maketrans(dict.fromkeys("█▀▁▂▃▄▅▆▇░▒▓▖▗▘▙▚▛▜▝▞▟", " "))
"""Parts of pictures and of bars: in one colour they are blots, of which some would look out at the edges."""

FRAME_CSS = """
{name} {{ align: center middle; }}
{name} #frame {{
    width: 66; max-width: 100%; height: {height}; max-height: 100%; border: round $accent;
    border-title-color: $accent; border-title-style: bold; background: $bar; padding: 0 1;
}}
"""


class Dimmed:
    """What is written, in one pale colour; of what is painted nothing."""

    def __init__(self, what: RenderableType, style: Style) -> None:
        self._what = what
        self._style = style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        rendered: Iterable[Segment] = console.render(self._what, options)
        for text, _style, control in rendered:
            yield Segment(text.translate(PAINTED), None if control else self._style, control)


class Overlay(ModalScreen[T], Generic[T]):
    """What lies below stays to be seen, in the colour of what is not there."""

    def render(self) -> RenderableType:
        below = super().render()
        if not isinstance(below, BackgroundScreen):
            return below
        style = style_of(Paint("dot", "bg"), look_of(self.app))
        return Dimmed(below, style)
