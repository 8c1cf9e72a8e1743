"""What a conversation needs of the line to its client, wherever that line is."""

from typing import Protocol

from websockets.frames import CloseCode

from diadem_server.net.outbox import Stream
from diadem_shared.protocol import MAX_FRAME, Bye, pack
from diadem_shared.refusals import Code, Refusal


class Backpressure(Protocol):
    """On the client: see net/backpressure.py."""

    def hold(self) -> None: ...
    def release(self) -> None: ...
    async def held(self) -> None: ...


class ClientStream(Stream, Protocol):
    """Where messages come from, too."""

    @property
    def backpressure(self) -> Backpressure: ...
    def fail(self, code: int, reason: str) -> None: ...


def last_words(code: int) -> bytes | None:
    """What is sent before a close frame with this code, where the client broke the protocol."""
    if code == CloseCode.MESSAGE_TOO_BIG:
        return pack(Bye(Refusal(Code.FRAME_TOO_LONG, {"most": MAX_FRAME})))
    return None
