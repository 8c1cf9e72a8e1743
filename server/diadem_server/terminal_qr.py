"""A QR code on the terminal that the server runs in, for whoever stands before it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from diadem_shared import qr
from diadem_shared.invitation import page_as_code

INKS, GROUNDS = {False: 37, True: 30}, {False: 47, True: 40}
"""Of light and dark, which every terminal with colours has."""
PLAIN = "\x1b[0m"


def write_code(page: str, out: TextIO, environment: Mapping[str, str]) -> bool:
    """Nothing where it could not be read: without a terminal, colours, half blocks or enough columns."""
    try:
        cells = qr.in_half_blocks(qr.encode(page_as_code(page)))
    except qr.TooLong:
        return False
    if not _can_show(out, environment, columns=len(cells[0])):
        return False
    for row in cells:
        painted = (f"\x1b[{INKS[upper]};{GROUNDS[lower]}m▀" for upper, lower in row)
        out.write("".join(painted) + PLAIN + "\n")
    out.flush()
    return True


def _can_show(out: TextIO, environment: Mapping[str, str], *, columns: int) -> bool:
    if not out.isatty() or "NO_COLOR" in environment or environment.get("TERM") in {None, "dumb"}:
        return False
    if (out.encoding or "").casefold().replace("-", "") != "utf8":
        return False
    with suppress(OSError):
        return os.get_terminal_size(out.fileno()).columns >= columns
    return False
