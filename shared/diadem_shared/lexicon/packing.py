"""The compact file of a word list, and making a list from words.

A file is a head, then per length one zlib stream of that length's words, then one of the
spellings. The words of one length are inflated straight into the bytes they are looked up in;
the spellings stay packed until somebody asks for one. The head:

    magic        4   "DiaW"
    version      1
    language     8   ASCII, filled with zeros
    per length 2-15: the number of words (4), the size of their stream (4)
    spellings    4   the size of their stream
                 4   its CRC-32, because nobody inflates it at load
    head         4   the CRC-32 of all the above

Numbers are little-endian.
"""

import re
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from diadem_shared.lexicon.lexicon import LONGEST, SHORTEST, Lexicon
from diadem_shared.lexicon.refusal import Fault, WordListRefused
from diadem_shared.lexicon.spelling import pack_spellings

MAGIC = b"DiaW"
VERSION = 1

_LENGTHS = range(SHORTEST, LONGEST + 1)
_MARK = struct.Struct("<4sB")
_BODY = struct.Struct(f"<8s{2 * len(_LENGTHS)}III")
_CHECK = struct.Struct("<I")
HEAD_SIZE = _MARK.size + _BODY.size + _CHECK.size
_LANGUAGE = re.compile(rb"([a-z]{2,8})\0*")
# Deflate cannot shrink below 1:1032; a head that claims more is not believed, nor allocated.
_DENSEST = 1032


def make(language: str, ways: Mapping[str, Collection[str]]) -> Lexicon:
    """A list of folded words, each with the ways it is written."""
    if not ways:
        raise WordListRefused(Fault.EMPTY)
    words = sorted(ways, key=lambda word: (len(word), word))
    blocks = {length: bytearray() for length in _LENGTHS}
    for word in words:
        blocks[len(word)] += word.encode("ascii")
    packed = {length: bytes(block) for length, block in blocks.items()}
    return Lexicon(language, packed, pack_spellings([ways[word] for word in words]))


def pack(lexicon: Lexicon) -> bytes:
    language = lexicon.language.encode()
    if not _LANGUAGE.fullmatch(language):
        raise ValueError(f"not a language code: {lexicon.language!r}")
    blocks = []
    sizes = []
    for length in _LENGTHS:
        block = lexicon.packed(length)
        blocks.append(zlib.compress(block, 9) if block else b"")
        sizes += [len(block) // length, len(blocks[-1])]
    spellings = lexicon.packed_spellings
    head = _MARK.pack(MAGIC, VERSION) + _BODY.pack(
        language, *sizes, len(spellings), zlib.crc32(spellings)
    )
    return b"".join((head, _CHECK.pack(zlib.crc32(head)), *blocks, spellings))


def unpack(data: bytes) -> Lexicon:
    head = _read_head(data)
    packed = {
        length: _inflate(stream, count * length)
        for length, count, stream in zip(_LENGTHS, head.counts, _streams(data, head), strict=True)
        if count
    }
    spellings = data[len(data) - head.spellings_size :]
    if zlib.crc32(spellings) != head.spellings_check:
        raise WordListRefused(Fault.DAMAGED)
    return Lexicon(head.language, packed, spellings)


def size_of(head: bytes) -> int:
    """The number of words in a file, of which the first `HEAD_SIZE` bytes are enough."""
    return sum(_read_head(head, is_whole=False).counts)


def streams(data: bytes) -> list[memoryview]:
    """The packed words of a file, per length that occurs; for measurements."""
    return [stream for stream in _streams(data, _read_head(data)) if stream]


class _Head(NamedTuple):
    language: str
    counts: tuple[int, ...]
    sizes: tuple[int, ...]
    spellings_size: int
    spellings_check: int


def _streams(data: bytes, head: _Head) -> Iterator[memoryview]:
    view = memoryview(data)
    start = HEAD_SIZE
    for size in head.sizes:
        yield view[start : start + size]
        start += size


def _read_head(data: bytes, *, is_whole: bool = True) -> _Head:
    if data[: len(MAGIC)] != MAGIC:
        raise WordListRefused(Fault.FOREIGN)
    if len(data) < HEAD_SIZE:
        raise WordListRefused(Fault.DAMAGED)
    _, version = _MARK.unpack_from(data)
    if version != VERSION:
        raise WordListRefused(Fault.VERSION, found=version, known=VERSION)
    checked = HEAD_SIZE - _CHECK.size
    if _CHECK.unpack_from(data, checked) != (zlib.crc32(data[:checked]),):
        raise WordListRefused(Fault.DAMAGED)
    language, *sizes, spellings_size, spellings_check = _BODY.unpack_from(data, _MARK.size)
    name = _LANGUAGE.fullmatch(language)
    size = HEAD_SIZE + sum(sizes[1::2]) + spellings_size
    if not name or (is_whole and len(data) != size):
        raise WordListRefused(Fault.DAMAGED)
    counts, stream_sizes = tuple(sizes[::2]), tuple(sizes[1::2])
    return _Head(name[1].decode(), counts, stream_sizes, spellings_size, spellings_check)


def _inflate(stream: memoryview, size: int) -> bytes:
    if size > _DENSEST * len(stream):
        raise WordListRefused(Fault.DAMAGED)
    try:
        block = zlib.decompress(stream, bufsize=size)
    except zlib.error as error:
        raise WordListRefused(Fault.DAMAGED) from error
    if len(block) != size:
        raise WordListRefused(Fault.DAMAGED)
    return block
