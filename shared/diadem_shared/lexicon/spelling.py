"""How words are really written, kept as a few bits a word.

A folded word and a short "shape" give the spelling back. A shape is its case ("l" lower, "c"
capital first, "u" all capitals) followed by pairs: the place of a tile, and the character written
there. "STRASSE" and "c4ß" make "Straße". Words share shapes, so a list keeps a table of them, and
for every word the number of its entry.
"""

import struct
import unicodedata
import zlib
from collections import Counter
from collections.abc import Collection, Sequence

from diadem_shared.lexicon.folding import fold_letters
from diadem_shared.lexicon.refusal import Fault, WordListRefused

# Entry numbers take three bytes, each byte in a plane of its own: the high planes are nearly all
# zeros and compress to nothing, and no list can outgrow them.
_PLANES = 3
_TABLE_SIZE = struct.Struct("<I")


def shape_of(written: str) -> str:
    written = unicodedata.normalize("NFC", written)
    lower = written.lower()
    case = "l" if written == lower else "u" if written.isupper() else "c"
    if lower.isascii():
        return case
    edits = []
    place = 0
    for char in lower:
        tiles = fold_letters(char) or ""
        if tiles.lower() != char:
            edits.append(f"{place:x}{char}")
        place += len(tiles)
    return case + "".join(edits)


def spell(word: str, shape: str) -> str:
    plain = word.lower()
    text = ""
    done = 0
    for place, char in zip(shape[1::2], shape[2::2], strict=True):
        start = int(place, 16)
        text += plain[done:start] + char
        done = start + len(fold_letters(char) or "")
    text += plain[done:]
    match shape[0]:
        case "c":
            return text[0].upper() + text[1:]
        case "u":
            return text.upper()
        case _:
            return text


def _dictionary_order(written: str) -> tuple[str, str]:
    return written.lower(), written.swapcase()


def pack_spellings(ways: Sequence[Collection[str]]) -> bytes:
    """The written forms of every word, in the order of the words."""
    entries = [" ".join(map(shape_of, sorted(forms, key=_dictionary_order))) for forms in ways]
    counts = Counter(entries)
    table = sorted(counts, key=lambda entry: (-counts[entry], entry))
    number_of = {entry: number for number, entry in enumerate(table)}
    numbers = [number_of[entry] for entry in entries]
    text = "\n".join(table).encode()
    planes = (bytes(number >> 8 * plane & 255 for number in numbers) for plane in range(_PLANES))
    return zlib.compress(_TABLE_SIZE.pack(len(text)) + text + b"".join(planes), 6)


class Spellings:
    """The packed spellings of a list, unpacked when the first is asked for."""

    __slots__ = ("_count", "_packed", "_planes", "_table")

    def __init__(self, packed: bytes, count: int) -> None:
        self._packed = packed
        self._count = count
        self._table: tuple[str, ...] = ()
        self._planes = b""

    @property
    def packed(self) -> bytes:
        return self._packed

    def of(self, index: int, word: str) -> tuple[str, ...]:
        if not self._table:
            self._unpack()
        number = sum(
            self._planes[plane * self._count + index] << 8 * plane for plane in range(_PLANES)
        )
        return tuple(spell(word, shape) for shape in self._table[number].split(" "))

    def _unpack(self) -> None:
        try:
            raw = zlib.decompress(self._packed)
            (size,) = _TABLE_SIZE.unpack_from(raw)
            start = _TABLE_SIZE.size + size
            table = tuple(raw[_TABLE_SIZE.size : start].decode().split("\n"))
        except (zlib.error, struct.error, UnicodeDecodeError) as error:
            raise WordListRefused(Fault.DAMAGED) from error
        if len(raw) != start + _PLANES * self._count:
            raise WordListRefused(Fault.DAMAGED)
        self._planes = raw[start:]
        self._table = table
