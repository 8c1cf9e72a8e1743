"""Reads text files that a host names, if they are regular files and not too long."""

import os
import stat
from pathlib import Path


class Unreadable(Exception):
    """Why a file gives no text, in a few words."""


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most so many bytes. A device or a pipe is not opened, so it never blocks."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable("it is no ordinary file")
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    if len(content) > most:
        raise Unreadable(f"it is longer than {most >> 20} MiB")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"line {line} is not UTF-8") from None
