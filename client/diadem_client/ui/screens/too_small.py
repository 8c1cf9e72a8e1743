"""What is shown where there is not room enough; everything goes on underneath."""

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen

from diadem_client.i18n import gettext as _
from diadem_client.ui.widgets.fixed_text import FixedText

MIN_WIDTH, MIN_HEIGHT = 60, 20


def is_too_small(size: Size) -> bool:
    return size.width < MIN_WIDTH or size.height < MIN_HEIGHT


class TooSmallScreen(ModalScreen[None]):
    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen FixedText { width: auto; height: auto; }
    """

    def compose(self) -> ComposeResult:
        yield FixedText()

    def on_mount(self) -> None:
        self._say(self.app.size.width, self.app.size.height)

    def on_resize(self, event: events.Resize) -> None:
        self._say(event.size.width, event.size.height)

    def _say(self, width: int, height: int) -> None:
        needs = _("Diadem needs {least}, this is {found}.").format(
            least=f"{MIN_WIDTH}x{MIN_HEIGHT}", found=f"{width}x{height}"
        )
        self.query_one(FixedText).set_text(needs, layout=True)
