"""English: the "words" files of Debian's scowl; names and abbreviations are in other files."""

from collections.abc import Iterator
from pathlib import Path

FOLDER = "usr/share/dict/scowl"
LARGEST = 80  # beyond it lie words hardly any dictionary has


def written(root: Path) -> Iterator[str]:
    for file in sorted((root / FOLDER).glob("*-words.*")):
        if int(file.suffix[1:]) <= LARGEST:
            yield from file.read_text("utf-8").split()
