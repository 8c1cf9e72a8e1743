"""What a server tells the clients that it runs for others, besides the protocol.

A nursery is a client that is loaded but plays for nobody: for each player it makes a copy of itself.
It is asked in frames of one size, over a socket that carries open files too.
"""

import re
from enum import IntEnum
from struct import Struct as Layout

from msgspec import Struct

TABLE_CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""All that a player may ask for behind `ssh -t HOST`."""
ASKED = Layout("!BIB")
"""An `Ask`, the number of the session, and the signal it is sent. BEAR comes with two open files: the
terminal, and where the orders are read."""
TOLD = Layout("!Ii")
"""A session has ended: its number, and its exit status, negative where a signal ended it."""


class Ask(IntEnum):
    BEAR = 1
    SIGNAL = 2


class Orders(Struct, frozen=True):
    """For one session. They reach it through a pipe: others can read command lines."""

    socket: str
    name: str
    environment: dict[str, str]
    token: str = ""
    """Who the player is. None: a guest, whom nobody knows when she comes back."""
    password: str = ""
    table: str = ""
    shelf: str = ""
    """The directory of what is kept for this player; none for a guest."""
    idle: float = 0.0
    """Seconds without a key after which the session is closed; 0 for never."""
