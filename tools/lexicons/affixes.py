"""Expands a hunspell dictionary: every form its affix rules allow, and no other.

Only what the French files use is understood (two-character flags, full strip, one level of
suffixes, prefixes that carry suffixes); anything else stops the build rather than guess. Elided
prefixes (l', qu' ...) are left out: no word with an apostrophe is laid.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

APOSTROPHE = "'"
UNDERSTOOD = {
    *("BREAK", "CIRCUMFIX", "FLAG", "FORBIDDENWORD", "FULLSTRIP", "ICONV", "KEEPCASE", "KEY"),
    *("MAP", "NEEDAFFIX", "NOSUGGEST", "OCONV", "PFX", "REP", "SET", "SFX", "TRY", "WORDCHARS"),
}


class Entry(NamedTuple):
    stem: str
    flags: frozenset[str]
    tags: frozenset[str]


class Rule(NamedTuple):
    strip: str
    add: str
    flags: frozenset[str]
    condition: re.Pattern[str]


class Affixes:
    def __init__(self, file: Path, *, unused: str) -> None:
        """Rules whose tags say `unused` are left out."""
        self.prefixes: defaultdict[str, list[Rule]] = defaultdict(list)
        self.suffixes: defaultdict[str, list[Rule]] = defaultdict(list)
        self.options: dict[str, str] = {}
        self._crossing: dict[str, bool] = {}
        for line in file.read_text("utf-8").splitlines():
            fields = line.partition("#")[0].split()
            if unused not in fields:
                self._take(fields)
        self._refuse_what_is_not_understood()

    def expand(self, entry: Entry) -> Iterator[str]:
        if self.options["FORBIDDENWORD"] in entry.flags:
            return
        yield from self._with_suffixes(entry.stem, entry.flags)
        for flag in entry.flags & self.prefixes.keys():
            for rule in self.prefixes[flag]:
                if rule.condition.match(entry.stem):
                    word = rule.add + entry.stem.removeprefix(rule.strip)
                    crossing = entry.flags - self._bare if self._crossing[flag] else frozenset()
                    yield from self._with_suffixes(word, rule.flags | crossing)

    @property
    def _bare(self) -> frozenset[str]:
        """The flag that says a form needs an affix speaks of that form, not of the next."""
        return frozenset({self.options["NEEDAFFIX"]})

    def _with_suffixes(self, word: str, flags: frozenset[str]) -> Iterator[str]:
        if not flags & self._bare:
            yield word
        for flag in flags & self.suffixes.keys():
            for rule in self.suffixes[flag]:
                if rule.condition.search(word):
                    yield word[: len(word) - len(rule.strip)] + rule.add

    def _take(self, fields: list[str]) -> None:
        if not fields:
            return
        if fields[0] not in UNDERSTOOD:
            raise ValueError(f"cannot read {fields[0]}")
        if fields[0] not in ("PFX", "SFX"):
            self.options[fields[0]] = fields[-1]
        elif len(fields) == 4 and fields[3].isdigit():
            self._crossing[fields[1]] = fields[2] == "Y"
        elif APOSTROPHE not in fields[3].partition("/")[0]:
            self._take_rule(*fields[:5])

    def _take_rule(self, kind: str, name: str, strip: str, added: str, condition: str) -> None:
        add, _, flags = added.partition("/")
        prefix = kind == "PFX"
        rule = Rule(
            strip="" if strip == "0" else strip,
            add="" if add == "0" else add,
            flags=split_flags(flags),
            condition=re.compile(condition if prefix else f"(?:{condition})$"),
        )
        (self.prefixes if prefix else self.suffixes)[name].append(rule)

    def _refuse_what_is_not_understood(self) -> None:
        if self.options["FLAG"] != "long":
            raise ValueError("flags are not two characters wide")
        if not all(self._crossing[flag] for flag in self.suffixes):
            raise ValueError("a suffix that bears no prefix is not understood")
        further = self.suffixes.keys() | {self.options["NEEDAFFIX"], self.options["CIRCUMFIX"]}
        if any(rule.flags & further for rules in self.suffixes.values() for rule in rules):
            raise ValueError("a suffix upon a suffix is not understood")


def split_flags(flags: str) -> frozenset[str]:
    return frozenset(flags[at : at + 2] for at in range(0, len(flags), 2))


def read_entries(file: Path) -> Iterator[Entry]:
    for line in file.read_text("utf-8").splitlines()[1:]:
        if not line or line.startswith(("#", "\t")):
            continue
        head, *tags = line.split()
        stem, _, flags = head.partition("/")
        yield Entry(stem, split_flags(flags), frozenset(tags))
