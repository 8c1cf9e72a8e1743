"""Reads QR codes as a telephone does: from a picture of light and dark."""

from collections.abc import Iterable, Sequence

import zxingcpp

PIXELS = 4
"""A module is so many pixels wide and high."""
DARK, LIGHT = b"\x00", b"\xff"


def read(modules: Sequence[Iterable[bool]]) -> str | None:
    """The text of the one code in a picture, True for dark; None if there is none."""
    rows = [b"".join((DARK if each else LIGHT) * PIXELS for each in row) for row in modules]
    pixels = b"".join(row for row in rows for _ in range(PIXELS))
    shape = len(rows) * PIXELS, len(rows[0])
    picture = memoryview(pixels).cast("B", shape)
    # No guessing: light on dark, or an edge without a quiet zone, is not what every telephone reads.
    found = zxingcpp.read_barcodes(
        picture,
        formats=zxingcpp.barcode_formats_from_str("QRCode"),
        try_rotate=False,
        try_invert=False,
    )
    return found[0].text if len(found) == 1 else None
