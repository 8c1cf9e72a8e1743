"""What came of weighing matches, kept so that a match is weighed once.

What is kept holds for a match's file and for everything that its moves were weighed by. A file that says anything else, or
of which a byte has changed, is as good as none.
"""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from diadem_client.local.kept_files import KeptFiles
from diadem_shared.analysis import Analysis

MOST_ANALYSES = 500
MOST_TOGETHER = 32 * 1024 * 1024
"""Bytes of all files. Beyond these bounds the oldest go."""
MOST_BYTES = 2 * 1024 * 1024
"""Of one. A long match has some hundred kilobytes."""
NAME = re.compile(r"\d{10,12}-[0-9a-f]{32}\.json")
DIGEST_BYTES = 32


@cache
def yardstick() -> bytes:
    """A digest of all that comes with rules and bots: their code, weights and words. Whatever of it changes, a match is
    weighed anew."""
    whole = blake2b(digest_size=DIGEST_BYTES)
    for content in _contents(files("diadem_shared")):
        whole.update(blake2b(content).digest())
    return whole.digest()


def _contents(folder: Traversable) -> Iterator[bytes]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_file():
            yield each.read_bytes()
        elif each.name != "__pycache__":
            yield from _contents(each)


class KeptAnalyses:
    def __init__(self, folder: Path) -> None:
        self._files = KeptFiles(folder, NAME, MOST_ANALYSES, MOST_TOGETHER)

    def find(self, match: bytes) -> Analysis | None:
        """That of the match of which this is the file."""
        key = _key(match)
        name = self._files.find(key)
        data = None if name is None else self._files.read(name, MOST_BYTES)
        if data is None or len(data) > MOST_BYTES:
            return None
        seal, _, written = data.partition(b"\n")
        if seal.decode("ascii", "replace") != _seal(key, written):
            return None
        try:
            return msgspec.json.decode(written, type=Analysis)
        except (ValueError, RecursionError):
            return None

    def keep(self, match: bytes, analysis: Analysis, now: float) -> None:
        key, written = _key(match), msgspec.json.encode(analysis)
        data = _seal(key, written).encode() + b"\n" + written
        if len(data) <= MOST_BYTES:
            self._files.keep(f"{int(now):010d}-{key}.json", data)


def _key(match: bytes) -> str:
    return blake2b(match, digest_size=16, key=yardstick()).hexdigest()


def _seal(key: str, written: bytes) -> str:
    return blake2b(written, digest_size=DIGEST_BYTES, key=key.encode()).hexdigest()
