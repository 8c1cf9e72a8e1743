"""French: hunspell-fr-comprehensive, expanded, without names, units and symbols."""

from collections.abc import Iterator
from pathlib import Path

from tools.lexicons.affixes import Affixes, Entry, read_entries

FOLDER = "usr/share/hunspell"
UNIT_PREFIXES = "U."  # k, M, m ... before the symbol of a unit
NO_WORDS = {
    *("po:npr", "po:prn", "po:patr", "po:loc.patr"),  # names
    *("po:nbro", "po:sign", "po:ponc", "po:div"),  # Roman numbers, signs
    *("po:pfx", "po:sfx", "po:err"),  # parts of words, known errors
}
BEFORE_JE = "po:1isg"  # "aimè" is written in "aimè-je" only


def written(root: Path) -> Iterator[str]:
    affixes = Affixes(root / FOLDER / "fr.aff", unused=BEFORE_JE)
    symbols = {affixes.options["KEEPCASE"], UNIT_PREFIXES}
    for entry in read_entries(root / FOLDER / "fr.dic"):
        if not (entry.tags & NO_WORDS or entry.flags & symbols or _is_name(entry)):
            yield from affixes.expand(entry)


def _is_name(entry: Entry) -> bool:
    """Places and chemical formulas carry no tag of a name, but French words have no capitals."""
    return entry.stem[0].isupper()
