"""A part of the screen on which one looks back."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual.containers import Vertical

if TYPE_CHECKING:
    from diadem_client.ui.screens.look_back import LookBackScreen


class Section(Vertical, can_focus=False):
    label: ClassVar[str]
    """What it is called; a gettext message id."""
    is_at_home: ClassVar[bool] = True
    """Whether there is such a thing of what was played on this machine."""
    is_at_server: ClassVar[bool] = True
    """Whether there is of what was played at a server."""

    DEFAULT_CSS = """
    Section { height: 1fr; width: 100%; }
    """

    @property
    def look_back(self) -> "LookBackScreen":
        return cast("LookBackScreen", self.screen)

    def begin(self) -> None:
        """It comes into sight, and is to take the focus."""
        raise NotImplementedError
