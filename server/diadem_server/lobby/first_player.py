"""Who sits at a new table from the first."""

from typing import NamedTuple


class FirstPlayer(NamedTuple):
    """Somebody, or a bot, who sits at a new table from the first."""

    name: str
    bot: str | None = None
    session: int | None = None
    command: int | None = None
    """That made the table, if this is who sent it."""
    content: int | None = None
