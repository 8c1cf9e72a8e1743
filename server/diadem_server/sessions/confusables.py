"""What a name looks like: Unicode's skeletons (UTS #39), for names that are taken for each other."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

PAIRS = {"cl": "d", "vv": "w", "VV": "W"}
"""Letters beside each other that look like one; Unicode's table has "rn" for "m" alone."""
PAIR = re.compile("|".join(PAIRS))


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Names that people would take for each other have one of these in common.

    A name counts as it is written, in small letters and in capitals, with the punctuation around it
    and without. Pairs count as they are written: "Clara" is not like "Dara", but "clara" is.
    """
    return frozenset(
        skeleton
        for written in _written(name)
        for form in (written, written.casefold(), written.upper())
        if (skeleton := _skeleton(form))
    )


def prototype(letter: str) -> str:
    """The letter or letters that this one looks like; often itself."""
    return _table().get(ord(letter), letter)


def _written(name: str) -> Iterator[str]:
    for each in {name, _without_ends(name)}:
        yield each
        shape = _skeleton(each)
        joined = PAIR.sub(lambda pair: PAIRS[pair[0]], shape)
        if joined != shape:
            yield joined


def _without_ends(name: str) -> str:
    shown = [number for number, letter in enumerate(name) if not _is_punctuation(letter)]
    return name[shown[0] : shown[-1] + 1] if shown else ""


def _skeleton(name: str) -> str:
    """As UTS #39 has it, but without accents, punctuation and spaces."""
    decomposed = unicodedata.normalize("NFD", name).translate(_table())
    mapped = unicodedata.normalize("NFD", decomposed)
    return "".join(
        letter
        for letter in mapped
        if not (unicodedata.combining(letter) or letter.isspace() or _is_punctuation(letter))
    )


def _is_punctuation(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "P"


@cache
def _table() -> dict[int, str]:
    """Loaded when the first name is looked at. tools/confusables makes the file."""
    table: dict[int, str] = {}
    text = (files("diadem_server") / "data" / "confusables.txt").read_text("ascii")
    for line in text.splitlines():
        target, _, sources = line.partition(": ")
        letters = "".join(chr(int(point, 16)) for point in target.split())
        table |= {int(point, 16): letters for point in sources.split()}
    return table
