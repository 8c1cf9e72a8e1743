"""A short way for what comes most often: one short message, by itself, to a listener who waits for it.

The usual way leads through a parser for all there is, a queue and a turn of the listener's task,
which takes longer than to do what a message asks for.
"""

from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where it can be
from websockets.protocol import OPEN

FIN_BINARY, MASKED = 0x82, 0x80
MASK_AT, HEAD = 2, 6
"""Bytes before the mask, and before what is said."""
SHORT = 125
"""Bytes, the most that a frame says whose head is no longer."""


class Shortcut(ServerConnection):
    hear_at_once: Callable[[bytes], bool] | None = None
    """Asked to take a message; False sends it the usual way."""

    def data_received(self, data: bytes) -> None:
        if self.hear_at_once is not None and _is_one_message(data) and self._is_awaited:
            message = apply_mask(data[HEAD:], data[MASK_AT:HEAD])
            if self.hear_at_once(message):
                return
        super().data_received(data)

    @property
    def _is_awaited(self) -> bool:
        """Nothing that came before is still on its way, and somebody waits for what comes next."""
        incoming, protocol = self.recv_messages, self.protocol
        return (
            incoming.get_in_progress
            and not len(incoming.frames)
            and not protocol.reader.buffer
            and protocol.current_size is None
            and protocol.state is OPEN
        )


def _is_one_message(data: bytes) -> bool:
    size = len(data) - HEAD
    return 0 <= size <= SHORT and data[0] == FIN_BINARY and data[1] == MASKED | size
