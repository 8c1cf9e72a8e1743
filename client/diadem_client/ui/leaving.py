"""The ways out of a program that takes every key for itself: Ctrl+Q, Ctrl+C twice, Ctrl+Z for a while."""

import os
import time
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.widgets import Input

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.terminal.driver import TerminalDriver
from diadem_client.ui.actions import Action, bindings

AGAIN_SECONDS = 5.0
"""Within which a second Ctrl+C leaves."""


class LeavingApp(App[None]):
    ACTIONS = (
        Action("quit", ("ctrl+q",), N_("quit"), N_("Leave Diadem; your seat is kept.")),
        Action(
            "interrupt",
            ("ctrl+c",),
            N_("quit"),
            N_("Leave Diadem, if pressed twice."),
            in_footer=False,
            at_once=True,  # and so heard before the field that has it would copy
        ),
        Action(
            "background",
            ("ctrl+z",),
            N_("to the background"),
            N_("Go back to the shell for a while; fg comes back."),
            in_footer=False,
        ),
        Action(
            "repaint", ("ctrl+l",), N_("repaint"), N_("Paint the screen anew."), in_footer=False
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    terminal_driver: TerminalDriver | None = None
    _interrupted = -AGAIN_SECONDS
    """When Ctrl+C was pressed last."""

    def say(self, sentence: str) -> None:
        """A sentence for the player."""
        raise NotImplementedError

    def show_window_title(self) -> None:
        raise NotImplementedError

    async def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, self._come_back)

    async def action_interrupt(self) -> None:
        """Copy what is marked, as elsewhere; else leave, if it is meant."""
        if isinstance(self.focused, Input) and self.focused.selected_text:
            self.focused.action_copy()
            return
        now = time.monotonic()
        if now - self._interrupted < AGAIN_SECONDS:
            await self.run_action("quit")
            return
        self._interrupted = now
        self.say(_("Press Ctrl+C again to leave Diadem."))

    def action_background(self) -> None:
        if self.terminal_driver is None or not self.terminal_driver.can_suspend:
            self.say(_("There is no shell here to go back to. Ctrl+Q leaves."))
        elif is_orphaned():
            self.say(_("Diadem was not started from a shell that could bring it back."))
        else:
            self.action_suspend_process()

    def _come_back(self, _app: App[None]) -> None:
        self.show_window_title()
        self.action_repaint()

    def action_repaint(self) -> None:
        """Paint everything again, after another program has written on the terminal."""
        if self.terminal_driver is not None:
            self.terminal_driver.invalidate()
        self.screen.refresh()


def is_orphaned() -> bool:
    """Whether no shell of this terminal would notice that the process group stops, and nobody could go on with it."""
    try:
        above = os.getppid()
        while os.getpgid(above) == os.getpgrp():
            above = _parent_of(above)
        return os.getsid(above) != os.getsid(0)
    except (
        OSError,
        ValueError,
        IndexError,
    ):  # one of them has just ended, or the system does not tell
        return True


def _parent_of(process: int) -> int:
    stat = Path(f"/proc/{process}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])
