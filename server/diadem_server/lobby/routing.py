"""Where a table is, of those that are not here: on which node of a cluster."""

from typing import Protocol


class WrongNode(Exception):
    """What a command asks for is for another node to do."""


class Routing(Protocol):
    @property
    def node(self) -> int:
        """The number of this node."""

    async def owner(self, code: str) -> int | None:
        """The node that has this table; None where there is no such table.

        Waits while nobody has it, as its node has just been lost, and lets this node take it. Raises
        JournalUnavailable if that takes too long.
        """

    def forget(self, code: str) -> None:
        """That node says that it has not: look again when asked next."""
