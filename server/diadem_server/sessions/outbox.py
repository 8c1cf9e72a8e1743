"""Where a session is sent what it is told: the sending side of its newest connection."""

import asyncio
from typing import NamedTuple, Protocol, TypeAlias


class Destination(NamedTuple):
    """Where a conversation goes on."""

    node: int
    table: str | None = None
    """Which it goes along with."""
    views: int = 0
    """How many of that its session was sent."""
    last_line: int = 0
    """Of chat."""


Going: TypeAlias = asyncio.Future[Destination | None]
"""None where it stays."""


class Outbox(Protocol):
    def send(self, message: bytes) -> None:
        """Answers, chat and the like: all of them, in order."""

    def offer(self, kind: str, message: bytes) -> None:
        """What the next of its kind replaces, should this one still wait by then."""

    def hold(self) -> Going | None:
        """Nothing more is done for the client until it is known where that goes on; None if it can not be held now."""

    def disconnect(self, code: int, reason: str) -> None:
        """Once what was sent before is written."""
