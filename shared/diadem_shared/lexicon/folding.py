"""From a written word to the letters on its tiles (M-9): upper case, A to Z, nothing else."""

import unicodedata
from functools import cache
from itertools import chain

LIGATURES = {"ß": "SS", "ẞ": "SS", "œ": "OE", "Œ": "OE", "æ": "AE", "Æ": "AE"}
STROKES = {"ø": "O", "Ø": "O", "ł": "L", "Ł": "L", "đ": "D", "Đ": "D"}


@cache
def _tiles() -> dict[int, str]:
    """Also every accented Latin letter that has a capital and a small form of one character each.

    Made lazily: most clients need no Unicode tables in memory.
    """
    letters = map(chr, chain(range(0xC0, 0x250), range(0x1E00, 0x1F00)))
    accented = {
        letter: base.upper()
        for letter in letters
        if (base := unicodedata.normalize("NFD", letter)[0]).isascii()
        and letter in (letter.upper().lower(), letter.lower().upper())
    }
    return str.maketrans(accented | LIGATURES | STROKES)


def fold_letters(text: str) -> str | None:
    """The tiles that show this text, whatever its case, or None if tiles cannot (M-9)."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_tiles())
    return text.upper() if text.isascii() and text.isalpha() else None


def fold(written: str) -> str | None:
    """The tiles of a word as a dictionary writes it, or None if it is no word to lay (M-9, M-11).

    Hyphens, apostrophes, digits and spaces are on no tile; a capital past the first letter
    marks an abbreviation.
    """
    rest = written[1:]
    return fold_letters(written) if rest == rest.lower() else None
