"""Messages between a gate and the hosted clients it runs, besides the protocol.

A fork server has loaded a client, and forks it for each player (spawn). It is asked in frames of a
fixed size, over a socket that carries open files too.
"""

import re
from enum import IntEnum
from struct import Struct as Layout

from msgspec import Struct

TABLE_CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""What a player may write behind `ssh -t HOST`: the code of a table."""
ASKED = Layout("!BIB")
"""An `Ask`, the number of the client, and the signal it is sent. SPAWN comes with two open files: the
terminal, and where the orders are read."""
TOLD = Layout("!Ii")
"""A client has ended: its number, and its exit status, negative where a signal ended it."""


PAGE = "diadem"
"""TERM_PROGRAM of a client that is shown by the page in a browser."""


class Ask(IntEnum):
    SPAWN = 1
    SIGNAL = 2


class Orders(Struct, frozen=True):
    """The orders for one session. They are sent through a pipe, since others can read command lines."""

    socket: str
    """The Unix socket of the server."""
    address: str
    """The player's network address, for which the connection counts."""
    name: str
    environment: dict[str, str]
    token: str = ""
    """The session token; None for a guest, whose session is not kept."""
    password: str = ""
    table: str = ""
    settings_folder: str = ""
    """Where this player's settings are kept; a guest's are not."""
    reached: str = ""
    """The name or address by which the player came to the gate, for those whom they invite."""
    page: str = ""
    """The origin of the page, for a player in a browser."""
    idle: float = 0.0
    """Seconds without a key after which the session is closed; 0 for never."""
