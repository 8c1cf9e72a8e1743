"""Files that are kept in a folder, within bounds: the oldest go.

Their names are our own. They begin with a moment, so that they are in order, and hold a digest by which one is found.
"""

import logging
import os
import re
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)


class KeptFiles:
    def __init__(self, folder: Path, name: re.Pattern[str], most: int, most_together: int) -> None:
        """`name`: what names look like; whatever else lies there is left alone. `most_together`: bytes of all files."""
        self.folder = folder
        self._name = name
        self._most = most
        self._most_together = most_together

    def names(self) -> list[str]:
        """The newest first."""
        found: list[str] = []
        with suppress(OSError):
            found = [path.name for path in self.folder.iterdir() if self._name.fullmatch(path.name)]
        return sorted(found, reverse=True)

    def find(self, digest: str) -> str | None:
        """The newest with this digest in its name."""
        return next((name for name in self.names() if digest in name), None)

    def read(self, name: str, most: int) -> bytes | None:
        """So many bytes and one more at the most; None if it is gone, or no name of ours."""
        if self._name.fullmatch(name) is None:
            return None
        with suppress(OSError), (self.folder / name).open("rb") as file:
            return file.read(most + 1)
        return None

    def keep(self, name: str, data: bytes) -> None:
        """What cannot be written is not kept."""
        path = self.folder / name
        draft = path.with_suffix(f".{os.getpid()}")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.touch(mode=0o600)
            draft.write_bytes(data)
            draft.replace(path)
        except OSError as error:
            log.warning("%s cannot be kept in %s: %s", name, self.folder, error)
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        else:
            self._prune()

    def _prune(self) -> None:
        together = 0
        for number, name in enumerate(self.names(), start=1):
            path = self.folder / name
            with suppress(OSError):
                together += path.stat().st_size
                if number > self._most or together > self._most_together:
                    path.unlink()
