"""What a gate tells the clients that it runs for others, besides the protocol.

A fork server is a client that is loaded but plays for nobody: for each player it forks. It is asked
in frames of one size, over a socket that carries open files too.
"""

import re
from enum import IntEnum
from struct import Struct as Layout

from msgspec import Struct

TABLE_CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""All that a player may ask for behind `ssh -t HOST`."""
ASKED = Layout("!BIB")
"""An `Ask`, the number of the client, and the signal it is sent. SPAWN comes with two open files: the
terminal, and where the orders are read."""
TOLD = Layout("!Ii")
"""A client has ended: its number, and its exit status, negative where a signal ended it."""


class Ask(IntEnum):
    SPAWN = 1
    SIGNAL = 2


class Orders(Struct, frozen=True):
    """For one session. They reach it through a pipe: others can read command lines."""

    socket: str
    """The Unix socket of the server."""
    address: str
    """Where the player comes from, for whom the connection counts."""
    name: str
    environment: dict[str, str]
    token: str = ""
    """Who the player is. None: a guest, whom nobody knows when they come back."""
    password: str = ""
    table: str = ""
    settings_folder: str = ""
    """Where this player's settings are kept; a guest's are not."""
    idle: float = 0.0
    """Seconds without a key after which the session is closed; 0 for never."""
