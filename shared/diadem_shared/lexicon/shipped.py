"""The shipped word lists, read from package data."""

from functools import cache
from importlib.resources import files

from diadem_shared.lexicon.lexicon import Lexicon
from diadem_shared.lexicon.packing import HEAD_SIZE, size_of, unpack
from diadem_shared.lexicon.refusal import Fault, WordListRefused

_DATA = files("diadem_shared.lexicon") / "data"
_SUFFIX = ".words"


@cache
def languages() -> tuple[str, ...]:
    names = (entry.name for entry in _DATA.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def load(language: str) -> Lexicon:
    return unpack(packed(language))


@cache
def size(language: str) -> int:
    """The number of words in a shipped list, which is not loaded for that."""
    with (_DATA / f"{language}{_SUFFIX}").open("rb") as file:
        return size_of(file.read(HEAD_SIZE))


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
