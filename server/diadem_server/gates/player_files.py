"""What is kept for players who come by a gate: small files, in a folder for each player, in the data directory.

The gate asks for them, and has them kept, by the name of the player's folder. It does not touch the data directory itself: it may run as a user who
cannot reach it.
"""

import itertools
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import get_args

from diadem_server.storage.private_files import FOLDER, replace_private
from diadem_shared.forkserver_protocol import LONGEST_FILE, FileName

MOST_PLAYERS = 10_000
"""Players whose files are kept; whoever came least lately is forgotten first."""
PRUNED_EVERY = 100
"""Sessions after which those beyond are forgotten."""


class PlayerFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sessions = itertools.count()

    def of(self, player: str) -> dict[FileName, bytes]:
        """The files of a player who begins a session; those of too many others are forgotten now and then."""
        folder = self._folder / player
        with suppress(OSError):  # most have never changed a setting
            os.utime(folder)
        if next(self._sessions) % PRUNED_EVERY == 0:
            self._prune()
        found: dict[FileName, bytes] = {}
        for name in get_args(FileName):
            with suppress(OSError), (folder / name).open("rb") as file:
                content = file.read(LONGEST_FILE + 1)
                if len(content) <= LONGEST_FILE:
                    found[name] = content
        return found

    def keep(self, player: str, name: FileName, content: bytes) -> None:
        """Replace a file of a player's as a whole; raises OSError."""
        folder = self._folder / player
        folder.mkdir(FOLDER, parents=True, exist_ok=True)
        replace_private(folder / name, content)

    def _prune(self) -> None:
        try:
            with os.scandir(self._folder) as there:
                by_age = sorted((each.stat().st_mtime, each.path) for each in there)
        except OSError:
            return  # nothing is kept yet
        for _, path in by_age[: max(0, len(by_age) - MOST_PLAYERS)]:
            shutil.rmtree(path, ignore_errors=True)
