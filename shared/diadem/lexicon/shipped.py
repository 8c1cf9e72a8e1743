"""The shipped word lists, read from package data."""

from functools import cache
from importlib.resources import files

from diadem.lexicon.lexicon import Lexicon
from diadem.lexicon.packing import unpack
from diadem.lexicon.refusal import Fault, WordListRefused

_DATA = files("diadem.lexicon") / "data"
_SUFFIX = ".words"


@cache
def languages() -> tuple[str, ...]:
    names = (entry.name for entry in _DATA.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def load(language: str) -> Lexicon:
    return unpack(packed(language))


def packed(language: str) -> bytes:
    """A shipped list as it lies in its file."""
    if language not in languages():
        raise WordListRefused(Fault.UNKNOWN_LANGUAGE, language=language)
    return (_DATA / f"{language}{_SUFFIX}").read_bytes()


def licence(language: str) -> str:
    """The licence and the notices of a shipped list."""
    if language not in languages():
        raise WordListRefused(Fault.UNKNOWN_LANGUAGE, language=language)
    return (_DATA / f"{language}.LICENSE.txt").read_text(encoding="utf-8")
