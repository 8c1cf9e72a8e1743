"""What this player's client remembers of the shuffles of tables of one server, so that a restart does not forget it.

In a file for each table, which the player alone may read: it holds what is not opened yet.
"""

import re
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from diadem_client.local.kept_files import KeptFiles
from diadem_client.net.address import Address
from diadem_client.net.shuffle_contribution import Memories, ShuffleMemory

MOST_TABLES = 100
MOST_BYTES = 128 * 1024
"""Of one file. A match of twenty rounds of eight players has some 20,000."""
NAME = re.compile(r"\d{10,12}-[0-9a-f]{32}\.json")


class KeptShuffles(Memories):
    def __init__(self, folder: Path, address: Address) -> None:
        self._files = KeptFiles(folder, NAME, MOST_TABLES, MOST_TABLES * MOST_BYTES)
        self._address = address

    def load(self, table: str) -> ShuffleMemory | None:
        """A file that cannot be read counts as missing."""
        name = self._files.find(self._digest(table))
        data = None if name is None else self._files.read(name, MOST_BYTES)
        if data is None or len(data) > MOST_BYTES:
            return None
        with suppress(ValueError, RecursionError):
            return msgspec.json.decode(data, type=ShuffleMemory)
        return None

    def save(self, table: str, memory: ShuffleMemory) -> None:
        digest = self._digest(table)
        name = self._files.find(digest) or f"{int(time.time()):010d}-{digest}.json"
        self._files.keep(name, msgspec.json.encode(memory))

    def _digest(self, table: str) -> str:
        """Of where the table is; nothing that a server says is part of a name."""
        return sha256(f"{table}@{self._address}".encode()).hexdigest()[:32]
