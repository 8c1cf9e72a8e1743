"""python -m tools.lexicons.german_names NOUNS [--root DIR]

Writes curated/de-names.txt: the words of the German source that are proper names and nothing else.
NOUNS is nouns.csv of the package german-nouns, the nouns of the German Wiktionary with their kinds.
"""

import argparse
import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from diadem_shared.lexicon import LONGEST, SHORTEST, fold
from tools.lexicons import german
from tools.lexicons.curation import CURATED

KINDS = {"Eigenname", "Nachname", "Straßenname", "Toponym", "Vorname"}
"""Kinds of nouns that are proper names."""
NO_FORMS = "genus"
HEAD = """\
# Words of the German source that are proper names: the German Wiktionary has them as the name of a place, a person
# or another single thing, or as the genitive of one, and as no other noun. Made by tools/lexicons/german_names.py
# out of nouns.csv of german-nouns 1.2.5, which is compiled from the German Wiktionary (CC BY-SA 4.0). It is not
# shipped, and not to be changed by hand: a name that is missing goes to de-dropped.txt, a word that is none to
# de-kept.txt.
"""


def names(written: Iterable[str], nouns: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """What is written with a capital, and is a form of names alone."""
    of_names, of_others = _forms(nouns)
    only_names = of_names - of_others
    words = {*written}
    for word in sorted(words):
        if word[0].isupper() and _is_name(word, only_names, of_others, words):
            folded = fold(word)
            if folded and SHORTEST < len(folded) <= LONGEST:
                yield word


def _is_name(
    word: str, only_names: Collection[str], of_others: Collection[str], words: Collection[str]
) -> bool:
    """Wiktionary seldom spells out the genitive of a name; that of an infinitive looks like one ("Werbens")."""
    if word in only_names:
        return True
    bare = word.removesuffix("s")
    return bare in only_names and word not in of_others and bare.lower() not in words


def _forms(nouns: Iterable[Mapping[str, str]]) -> tuple[set[str], set[str]]:
    of_names: set[str] = set()
    of_others: set[str] = set()
    for noun in nouns:
        kinds = {*noun["pos"].split(",")}
        forms = {
            form
            for column, form in noun.items()
            if form and column != "pos" and not column.startswith(NO_FORMS)
        }
        (of_names if kinds & KINDS else of_others).update(forms)
    return of_names, of_others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nouns", type=Path)
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the package lies")
    given = parser.parse_args()
    with given.nouns.open(encoding="utf-8", newline="") as file:
        found = list(names(german.written(given.root), csv.DictReader(file)))
    (CURATED / "de-names.txt").write_text(HEAD + "\n".join(found) + "\n", "utf-8")
    print(f"{len(found):,} names")


if __name__ == "__main__":
    main()
