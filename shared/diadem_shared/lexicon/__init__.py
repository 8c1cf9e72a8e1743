"""Word lists: fold a word, look it up, learn how it is written, read and pack whole lists."""

from diadem_shared.lexicon.folding import fold, fold_letters
from diadem_shared.lexicon.lexicon import LONGEST, SHORTEST, Lexicon
from diadem_shared.lexicon.packing import make, pack, unpack
from diadem_shared.lexicon.refusal import Fault, WordListRefused
from diadem_shared.lexicon.text import (
    LeftOut,
    ParsedText,
    Unusable,
    from_text,
    has_words,
    left_out,
    read_text,
)

__all__ = [
    "LONGEST",
    "SHORTEST",
    "Fault",
    "LeftOut",
    "Lexicon",
    "ParsedText",
    "Unusable",
    "WordListRefused",
    "fold",
    "fold_letters",
    "from_text",
    "has_words",
    "left_out",
    "make",
    "pack",
    "read_text",
    "unpack",
]
