"""What is shown where there is not room enough; everything goes on underneath."""

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from diadem_client.i18n import gettext as _
from diadem_client.ui.widgets.words import Words

LEAST_WIDTH, LEAST_HEIGHT = 80, 24


class SmallScreen(ModalScreen[None]):
    DEFAULT_CSS = """
    SmallScreen { align: center middle; background: $background; }
    SmallScreen Words { width: auto; height: auto; }
    """

    def compose(self) -> ComposeResult:
        yield Words()

    def on_mount(self) -> None:
        self._say(self.app.size.width, self.app.size.height)

    def on_resize(self, event: events.Resize) -> None:
        self._say(event.size.width, event.size.height)

    def _say(self, width: int, height: int) -> None:
        needs = _("Diadem needs {least}, this is {found}.").format(
            least=f"{LEAST_WIDTH}x{LEAST_HEIGHT}", found=f"{width}x{height}"
        )
        self.query_one(Words).say(needs, layout=True)
