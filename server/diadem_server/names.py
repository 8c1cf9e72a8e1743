"""Names as others will see them: cleaned, bounded, and not to be mistaken for somebody else's."""

# ruff: noqa: RUF001, of letters that look like others is what this is about
import re
import unicodedata
from functools import lru_cache

from diadem.game import Refusal
from diadem.protocol import LONGEST_NAME

# Letters of other alphabets, digits and signs that look like Latin letters. Capitals by themselves:
# their small ones may look like others. Cyrillic, Greek, Cherokee, Lisu; and then Armenian.
LIKE_CAPITALS = (
    str.maketrans("АВЕЅІЈКМНОРСТУҮХԚԜ", "ABESIJKMHOPCTYYXQW")
    | str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
    | str.maketrans("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ")
    | str.maketrans("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ")
)
LIKE_SMALL_LETTERS = (
    str.maketrans("аеорсухіјѕԁһӏԛԝү", "aeopcyxljsdhlqwy")
    | str.maketrans("αορνικυχβγ", "aopvlkuxby")
    | str.maketrans("օոսցհ", "onugh")
    | str.maketrans("ɑɡᴄᴏꜱᴜᴠᴡᴢı", "agcosuvwzl")
    | str.maketrans("01i|!ǀǃ∣│׀", "olllllllll")
    | str.maketrans("’‘ʼʻ′`−", "''''''-")
)
DASH = "Pd"
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
)
"""Letters, marks and symbols of which nothing is to be seen."""
VARIATIONS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They choose a form of the letter before them, which is the same letter."""
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
def looks(name: str) -> frozenset[str]:
    """What names that people would take for each other have in common: as it is, and in capitals."""
    return frozenset({_skeleton(name), _skeleton(name.translate(LIKE_CAPITALS))})


def _skeleton(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    dashed = "".join("-" if unicodedata.category(each) == DASH else each for each in bare)
    return "".join(dashed.translate(LIKE_SMALL_LETTERS).split())


def clean_text(text: str) -> str:
    """Chat in one line, without anything that could steer a terminal."""
    shown = "".join(letter if _is_shown(letter) else " " for letter in text)
    return _tidy(shown)


def _tidy(text: str) -> str:
    return " ".join(PILED_UP.sub(r"\1", text).split())


def _is_shown(letter: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and plain spaces; no controls, no formats."""
    category = unicodedata.category(letter)
    if letter in BLANK or VARIATIONS.match(letter):
        return False
    return letter == " " or category[0] in "LNPS" or category in {"Mn", "Mc"}
