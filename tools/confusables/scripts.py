"""Makes the shipped table of scripts from Unicode's own: python -m tools.confusables.scripts SCRIPTS EXTENSIONS ALIASES

A line for each set of scripts: their codes (ISO 15924), then the ranges of characters that are written in them, as hexadecimal code
points: "Hira Kana: 3031-3035 303c-303d". Characters of every script (Common, Inherited) are left out, and so is what is not assigned.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.confusables import BadTable

TABLE = Path("server/diadem_server/data/scripts.txt")
OF_EVERY_SCRIPT = {"Zyyy", "Zinh"}


def fields(text: str) -> Iterator[list[str]]:
    """Of each line, without comments."""
    for line in text.splitlines():
        if content := line.partition("#")[0].strip():
            yield [field.strip() for field in content.split(";")]


def codes(aliases: str) -> dict[str, str]:
    """The code of each script by its long name, from `PropertyValueAliases.txt`."""
    return {each[2]: each[1] for each in fields(aliases) if each[0] == "sc"}


def scripts(text: str, code_of: dict[str, str], extensions: str) -> dict[int, str]:
    """The codes of the scripts of each character, from `Scripts.txt` and `ScriptExtensions.txt`."""
    found: dict[int, str] = {}
    for points, name in fields(text):
        found |= dict.fromkeys(_points(points), code_of[name])
    for points, several in fields(extensions):
        found |= dict.fromkeys(_points(points), " ".join(sorted(several.split())))
    return {point: each for point, each in found.items() if each not in OF_EVERY_SCRIPT}


def written(table: dict[int, str]) -> str:
    by_scripts: dict[str, list[int]] = {}
    for point, each in sorted(table.items()):
        by_scripts.setdefault(each, []).append(point)
    lines = [f"{each}: {' '.join(_ranges(points))}" for each, points in sorted(by_scripts.items())]
    return "\n".join(lines) + "\n"


def _points(field: str) -> range:
    first, _, last = field.partition("..")
    try:
        return range(int(first, 16), int(last or first, 16) + 1)
    except ValueError:
        raise BadTable(f"not understood: {field!r}") from None


def _ranges(points: Iterable[int]) -> Iterator[str]:
    first = last = -2
    for point in [*points, -2]:
        if point != last + 1:
            if first >= 0:
                yield f"{first:x}" if first == last else f"{first:x}-{last:x}"
            first = point
        last = point


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scripts", "extensions", "aliases"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    named = codes(given.aliases.read_text("utf-8"))
    table = scripts(given.scripts.read_text("utf-8"), named, given.extensions.read_text("utf-8"))
    TABLE.write_text(written(table), "ascii")
    print(f"{len(table):,} characters")


if __name__ == "__main__":
    main()
