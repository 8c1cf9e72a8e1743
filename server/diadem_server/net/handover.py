"""A conversation on its way from one node to another: all that the next one has to know of it."""

from math import inf
from typing import Any

from msgspec import Struct

from diadem_server.sessions.answers import KeptAnswer


class Handover(Struct, array_like=True, frozen=True):
    session: int
    name: str
    prefix: str
    connection: int
    """The number by which the registry knows it, wherever it is held."""
    muted: tuple[int, ...] = ()
    table: str | None = None
    """Where the session is, if the conversation moves along with its table."""
    views: int = 0
    """How many views of that table it was sent."""
    last_line: int = 0
    """Of the chat there."""
    watches_lobby: bool = False
    answered: dict[int, KeptAnswer] = {}
    kept: int = 0
    """Answers that have a row of their own."""
    level: float = 0.0
    """Of its rate limit."""
    bad_frames: float = 0.0
    """What is left of the bad frames that are forgiven."""
    too_fast: int = 0
    messages: tuple[Any, ...] = ()  # bytes, or str: msgspec knows no union of them
    """What the client has sent, and what is not done yet."""
    sought: str | None = None
    """The table that the first of them wants to go to."""
    tries: int = 0
    """How many nodes in a row handed on the first of them."""
    longest_pause: float = inf
    """Seconds for which the player wants to be held by the move of a bot."""
    wants_moves: bool = False
    adds_chance: bool = False
    is_bot: bool = False
    has_bot_token: bool = False
