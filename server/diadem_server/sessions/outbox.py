"""Where a session is sent what it is told: the sending side of its newest connection."""

from typing import Protocol


class Outbox(Protocol):
    def send(self, message: bytes) -> None:
        """Answers, chat and the like: all of them, in order."""

    def offer(self, kind: str, message: bytes) -> None:
        """What the next of its kind replaces, should this one still wait by then."""

    def disconnect(self, code: int, reason: str) -> None:
        """Once what was sent before is written."""
