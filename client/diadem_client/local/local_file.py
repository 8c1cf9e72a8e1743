"""Text files of the player's own machine, for a client that runs there.

A client that a host runs for others is never given this reader.
"""

import os
import stat
from pathlib import Path

from diadem_client.refusals import ClientCode
from diadem_client.state.forms import UnusableFile
from diadem_shared.refusals import Refusal

BYTES_PER_CHARACTER = 4
"""At most, in UTF-8."""


def read_text(name: str, longest: int) -> str:
    """The text of a regular file of at most so many characters; never blocks on a device or a pipe."""
    content = read_bytes(name, longest * BYTES_PER_CHARACTER)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise _unusable("not_text") from None
    if len(text) > longest:
        raise _unusable("too_long")
    return text


def read_bytes(name: str, most: int) -> bytes:
    """The same, as bytes."""
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # a home directory of nobody
        raise _unusable("not_found") from None
    try:
        return _read(path, most)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise _unusable("not_found") from None
    except OSError:
        raise _unusable("not_readable") from None


def _read(path: Path, most: int) -> bytes:
    """The file's bytes. A device or a pipe is not opened, and opening does not block if one takes the file's place."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise _unusable("not_regular")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _unusable("not_regular")
        content = bytearray()
        while some := file.read(most + 1 - len(content)):
            content += some
    if len(content) > most:
        raise _unusable("too_long")
    return bytes(content)


def _unusable(why: str) -> UnusableFile:
    return UnusableFile(Refusal(ClientCode.BAD_FILE, {"why": why}))
