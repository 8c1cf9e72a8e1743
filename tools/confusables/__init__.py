"""Makes the shipped table of characters that look alike from Unicode's own (UTS #39)."""

from collections.abc import Iterable
from pathlib import Path

OURS = Path(__file__).parent / "ours.txt"
NOTICE = Path(__file__).parent / "notice.txt"
MOST_STEPS = 8
"""Of one character to what it looks like, to what that looks like in its turn."""


class BadTable(Exception):
    """The table says something that this does not understand, or leads in a circle."""


def read(text: str) -> dict[str, str]:
    """What each character looks like, as `confusables.txt` says it: "source ; target ; MA # ..."."""
    found = {}
    for line in text.removeprefix("\ufeff").splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if fields == [""]:
            continue
        match fields:
            case [source, target, "MA"] if len(_letters(source)) == 1 and _letters(target):
                found[_letters(source)] = _letters(target)
            case _:
                raise BadTable(f"not understood: {line!r}")
    return found


def together(unicode: dict[str, str], ours: dict[str, str]) -> dict[str, str]:
    """Both tables, with every target followed to where it leads."""
    both = unicode | ours
    return {source: _followed(target, both) for source, target in both.items()}


def written(table: dict[str, str]) -> str:
    """A line a target, then what looks like it, as hexadecimal code points: "6c: 31 49 7c"."""
    by_target: dict[str, list[str]] = {}
    for source, target in sorted(table.items()):
        by_target.setdefault(target, []).append(source)
    lines = [f"{_hex(target)}: {_hex(sources)}" for target, sources in sorted(by_target.items())]
    return "\n".join(lines) + "\n"


def _followed(target: str, table: dict[str, str]) -> str:
    for _ in range(MOST_STEPS):
        further = "".join(table.get(letter, letter) for letter in target)
        if further == target:
            return target
        target = further
    raise BadTable(f"a circle at {target!r}")


def _letters(field: str) -> str:
    return "".join(chr(int(point, 16)) for point in field.split())


def _hex(letters: Iterable[str]) -> str:
    return " ".join(f"{ord(letter):x}" for letter in letters)
