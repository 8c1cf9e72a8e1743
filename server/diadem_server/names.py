"""Names as others will see them: cleaned, bounded, and not to be mistaken for somebody else's."""

import unicodedata

from diadem.game import Refusal

LONGEST = 20
# Letters of other alphabets, and digits, that look like Latin ones.
LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏαορνικυχβγ01ı|!",  # noqa: RUF001, that is what this is about
    "aeopcyxijsdhlaopvikuxbyollli",
)


def clean(name: str) -> str:
    """Without control characters, direction marks and doubled spaces; "" if nothing is left."""
    composed = unicodedata.normalize("NFKC", name)
    kept = "".join(letter for letter in composed if _is_shown(letter))
    return " ".join(kept.split())


def against(name: str) -> Refusal | None:
    """What speaks against a cleaned name."""
    if not name:
        return Refusal("name_empty")
    if len(name) > LONGEST:
        return Refusal("name_too_long", {"most": LONGEST})
    return None


def skeleton(name: str) -> str:
    """The same for names that people would take for each other."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return "".join(bare.translate(LOOKALIKES).split())


def clean_text(text: str) -> str:
    """Chat in one line, without anything that could steer a terminal."""
    shown = "".join(letter if _is_shown(letter) else " " for letter in text)
    return " ".join(shown.split())


def _is_shown(letter: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and plain spaces; no controls, no formats."""
    category = unicodedata.category(letter)
    return letter == " " or category[0] in "LNPS" or category == "Mn"
