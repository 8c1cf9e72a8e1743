"""German: the list of Debian's tanglet-data."""

import gzip
from collections.abc import Iterator
from pathlib import Path

WORDS = "usr/share/tanglet/gamedata/de/words"


def written(root: Path) -> Iterator[str]:
    """A line is a key without umlauts (Ä = AE), then the spellings; none means the key itself."""
    with gzip.open(root / WORDS, "rt", encoding="utf-8") as lines:
        for line in lines:
            key, *spellings = line.split()
            yield from spellings or [key.lower()]
