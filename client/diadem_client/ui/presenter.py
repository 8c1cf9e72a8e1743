"""Shows on the screens of an application what arrives, as its time comes."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.presentation import PAUSES, Frame, Motion, Presentation

if TYPE_CHECKING:
    from diadem_client.app import DiademApp

LONGEST_ROUND_TRIP = 0.15
"""Seconds to the server or to the player's terminal, and back, over which nothing moves: frames would come in heaps."""


class Presenter:
    def __init__(self, app: "DiademApp") -> None:
        self._app = app
        self._presentation = Presentation(self._motion_of, self._pause)
        self.is_announced = False
        """Whether the application was sent word of newer pictures, and has not acted on it yet."""
        self._shown: ClientState | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due: float | None = None

    @property
    def is_behind(self) -> bool:
        """Whether something waits to be shown."""
        return self._presentation.is_behind

    @property
    def client_state(self) -> ClientState:
        return self._presentation.client_state

    @property
    def frame(self) -> Frame | None:
        return self._presentation.frame

    def arrive(self, client_state: ClientState) -> None:
        """Coalesce changes: one message is queued, and shows all that has changed until it is handled."""
        self.take(client_state)
        if not self.is_announced:
            self.is_announced = True
            self._app.post_message(self._app.StateChanged())

    def take(self, client_state: ClientState) -> None:
        """To be shown once its time has come; perhaps that is now."""
        self._presentation.take(client_state, time.monotonic())
        self._plan()

    def catch_up(self) -> None:
        """Before a key is heeded: the player sees, and acts on, what is there already."""
        if not (self._presentation.is_behind or self.frame or self.is_announced):
            return
        tables = self.client_state.table, self._presentation.newest.table
        if any(table is not None and table.my_turn for table in tables):
            self._presentation.catch_up(time.monotonic())
        else:
            self._presentation.settle(time.monotonic())
        self._show()

    def hurry(self) -> bool:
        """Show the rest of this turn at once; whether anything was left to be shown, or for a bot to do."""
        was_behind = self._presentation.is_behind or self.frame is not None or self._bot_is_on
        self._presentation.hurry(time.monotonic())
        self._show()
        return was_behind

    @property
    def _bot_is_on(self) -> bool:
        table = self._presentation.newest.table
        return table is not None and any(
            table.public.players[seat].bot is not None for seat in table.public.actors
        )

    def tell_pause(self) -> None:
        """The server, too, holds the player for no longer than they wish."""
        if self._app.client is not None:
            self._app.client.wish_pause(self._presentation.longest_pause)

    def _go_on(self) -> None:
        self._stop()
        if not self._app.is_closing:
            self._presentation.advance(time.monotonic())
            self._show()

    def _show(self) -> None:
        if self.client_state is self._shown:
            self._app.base_screen.show_frame()
        else:
            self._shown = self.client_state
            self._app.show_state(self.client_state)
        self._plan()

    def _plan(self) -> None:
        """A timer runs only while something waits or moves."""
        self.tell_pause()
        due = self._presentation.due
        if due == self._due:
            return
        self._stop()
        if due is not None:
            self._due = due
            self._timer = self.after(due - time.monotonic(), self._go_on)

    def after(self, seconds: float, then: Callable[[], None]) -> asyncio.TimerHandle:
        """Textual's own timers never fire if their time is over before they could begin to wait."""
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0.0, seconds), self._app.call_later, then)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._due = None

    @property
    def moves(self) -> bool:
        """Whether anything is to move: pictures need colours, and frames a line that carries them in time."""
        app = self._app
        trips = [line.round_trip for line in (app.client, app.terminal_driver) if line is not None]
        is_slow = max(trips, default=0.0) > LONGEST_ROUND_TRIP
        return app.settings.motion and not (app.no_color or app.ascii_only or is_slow)

    def _motion_of(self, table: TableState) -> Motion:
        motion = self._app.base_screen.motion_of(table)
        if self._app.terminal_driver is not None and (motion.before or motion.after):
            self._app.terminal_driver.measure_round_trip()  # a line may have become another one
        return motion if self.moves else Motion(look=motion.look)

    def _pause(self) -> float:
        return PAUSES.get(self._app.settings.pace, PAUSES["normal"])
