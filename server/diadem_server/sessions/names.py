"""Names and chat as others will see them: cleaned and bounded."""

import re
import unicodedata
from functools import cache

from diadem_server.sessions.confusables import looks, prototype
from diadem_server.sessions.scripts import is_mixed
from diadem_shared.bot_names import BOT_NAMES
from diadem_shared.protocol import LONGEST_NAME
from diadem_shared.refusals import Code, Refusal

BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
)
"""Letters, marks and symbols of which nothing is to be seen."""
VARIATIONS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They choose a form of the letter before them, which is the same letter."""
ACCENT = re.compile("[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
"""Marks that belong to no script, or stand over and under letters of several."""
JAMO = re.compile("[\u1161-\u11ff\ud7b0-\ud7ff]")
"""Parts of Korean syllables which take no room of their own, as marks do."""
MOST_ACCENTS = 2
MOST_MARKS = 5
"""On one letter; Burmese needs as many."""
MARK_OF_TURN_OR_WINNER = "*>"
"""Before names, these are the program's own."""
RESERVED = ("Diadem", "Server", "System", *BOT_NAMES)
"""What sounds like the program itself, or like one of its bots."""


def clean(name: str) -> str:
    """Without what is not to be seen, steers a terminal or reads like chat; "" if no name is left.

    Whatever is taken away may bring together what is then written as one letter.
    """
    while (cleaned := _cleaned(name)) != name:
        name = cleaned
    return name


def _cleaned(name: str) -> str:
    composed = unicodedata.normalize("NFKC", name)
    tidy = _tidy("".join(letter for letter in composed if _is_shown(letter)))
    kept = _tidy(_without_colons(tidy))
    while kept and prototype(kept[0]) in MARK_OF_TURN_OR_WINNER:
        kept = kept[1:].lstrip()
    return kept if any(_is_of_a_name(letter) for letter in kept) else ""


def against(name: str) -> Refusal | None:
    """What speaks against a cleaned name."""
    if not name:
        return Refusal(Code.NAME_EMPTY)
    if len(name) > LONGEST_NAME:
        return Refusal(Code.NAME_TOO_LONG, {"most": LONGEST_NAME})
    if not looks(name).isdisjoint(_reserved_looks()):
        return Refusal(Code.NAME_IN_USE, {"name": name})
    return Refusal(Code.NAME_MIXED) if is_mixed(name) else None


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset().union(*map(looks, RESERVED))


def clean_text(text: str) -> str:
    """Chat in one line, without anything that could steer a terminal."""
    shown = "".join(letter if _is_shown(letter) else " " for letter in text)
    return _tidy(shown)


def _tidy(text: str) -> str:
    return " ".join(_without_piles(text).split())


def _without_piles(text: str) -> str:
    """Marks stand on letters, and not so many on one that they grow over the lines beside it."""
    kept: list[str] = []
    marks: list[str] | None = None
    for letter in text:
        if not _is_mark(letter):
            marks = None if letter == " " else []
        elif marks is None or not _fits_on(marks, letter):
            continue
        else:
            marks.append(letter)
        kept.append(letter)
    return "".join(kept)


def _fits_on(marks: list[str], mark: str) -> bool:
    if ACCENT.match(mark):
        return sum(ACCENT.match(each) is not None for each in marks) < MOST_ACCENTS
    return len(marks) < MOST_MARKS and mark not in marks


def _without_colons(name: str) -> str:
    """Chat is told as "Ana: hello". Scripts with a mark that is like a colon keep it."""
    return "".join(
        letter
        for before, letter in zip(" " + name, name, strict=False)
        if ":" not in prototype(letter) or (_is_mark(letter) and _script(letter) == _script(before))
    )


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_of_a_name(letter: str) -> bool:
    """Letters, numbers and pictures; not punctuation alone."""
    category = unicodedata.category(letter)
    return category[0] in "LN" or category == "So"


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "M" or JAMO.match(letter) is not None


def _is_shown(letter: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and plain spaces; no controls, no formats."""
    category = unicodedata.category(letter)
    if letter in BLANK or VARIATIONS.match(letter):
        return False
    return letter == " " or category[0] in "LNPS" or category in {"Mn", "Mc"}
