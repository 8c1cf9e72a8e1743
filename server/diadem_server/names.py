"""Names as others will see them: cleaned, bounded, and not to be mistaken for somebody else's."""

import re
import unicodedata
from functools import lru_cache

from diadem.game import Refusal
from diadem.protocol import LONGEST_NAME

# Letters of other alphabets, and digits, that look like Latin ones.
LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏαορνικυχβγ01ıi|!",  # noqa: RUF001, that is what this is about
    "aeopcyxljsdhlaopvlkuxbyolllll",
)
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols of which nothing is to be seen."""
MARK = "[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
PILED_UP = re.compile(f"({MARK}{{2}}){MARK}+")
"""Marks on marks, which would grow over the lines above and below."""


def clean(name: str) -> str:
    """Without control characters, direction marks and doubled spaces; "" if nothing is left."""
    composed = unicodedata.normalize("NFKC", name)
    kept = "".join(letter for letter in composed if _is_shown(letter))
    return _tidy(kept)


def against(name: str) -> Refusal | None:
    """What speaks against a cleaned name."""
    if not name:
        return Refusal("name_empty")
    if len(name) > LONGEST_NAME:
        return Refusal("name_too_long", {"most": LONGEST_NAME})
    return None


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """The same for names that people would take for each other."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return "".join(bare.translate(LOOKALIKES).split())


def clean_text(text: str) -> str:
    """Chat in one line, without anything that could steer a terminal."""
    shown = "".join(letter if _is_shown(letter) else " " for letter in text)
    return _tidy(shown)


def _tidy(text: str) -> str:
    return " ".join(PILED_UP.sub(r"\1", text).split())


def _is_shown(letter: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and plain spaces; no controls, no formats."""
    category = unicodedata.category(letter)
    if letter in BLANK or "\ufe00" <= letter <= "\ufe0f":
        return False
    return letter == " " or category[0] in "LNPS" or category in {"Mn", "Mc"}
