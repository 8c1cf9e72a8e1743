"""Scripts of a name: which letters are written together in a word (UTS #39, the level "highly restrictive").

A letter of one script can look like one of another in ways that no table of confusable characters has. What gives it away is the
word that it stands in: nobody writes a Cyrillic letter among Latin ones. Latin is mixed with Chinese, Japanese and Korean, which
people do. Words of a name may each have a script of their own.
"""

import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import NamedTuple

WORD = re.compile(r"\w+")
LATIN = "Latn"
WRITTEN_TOGETHER = {
    "Hani": ("Jpan", "Kore", "Hanb"),
    "Hira": ("Jpan",),
    "Kana": ("Jpan",),
    "Hang": ("Kore",),
    "Bopo": ("Hanb",),
}
"""The writing systems that use a script besides others: Japanese, Korean, and Chinese with its phonetic letters."""
MIXED_WITH_LATIN = frozenset({"Jpan", "Kore", "Hanb"})


def is_mixed(name: str) -> bool:
    """Whether a word of the name has letters of scripts that are not written together."""
    return not name.isascii() and any(map(_is_mixed_word, WORD.findall(name)))


def _is_mixed_word(word: str) -> bool:
    scripts = [found for letter in word if (found := scripts_of(letter))]
    if not scripts or frozenset.intersection(*scripts):
        return False
    others = [each for each in scripts if LATIN not in each]
    return not frozenset.intersection(*others) & MIXED_WITH_LATIN


def scripts_of(letter: str) -> frozenset[str]:
    """Codes (ISO 15924) of the scripts and writing systems that have this letter; none if every script has it."""
    table = _table()
    at = bisect_right(table.firsts, ord(letter)) - 1
    return table.scripts[at] if at >= 0 and ord(letter) <= table.lasts[at] else frozenset()


class _Table(NamedTuple):
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    scripts: tuple[frozenset[str], ...]


@cache
def _table() -> _Table:
    """Loaded when the first name is looked at that is not ASCII. tools/confusables/scripts.py makes the file."""
    ranges = []
    text = (files("diadem_server") / "data" / "scripts.txt").read_text("ascii")
    for line in text.splitlines():
        codes, _, points = line.partition(": ")
        scripts = frozenset(codes.split()).union(
            *(WRITTEN_TOGETHER.get(each, ()) for each in codes.split())
        )
        for span in points.split():
            first, _, last = span.partition("-")
            ranges.append((int(first, 16), int(last or first, 16), scripts))
    ranges.sort(key=lambda each: each[0])
    return _Table(*zip(*ranges, strict=True))
