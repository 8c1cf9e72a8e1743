"""Why a word list is not taken: a code and its parameters, for the client to put into words."""

from enum import StrEnum


class Fault(StrEnum):
    FOREIGN = "foreign"  # not a file of ours at all
    VERSION = "version"  # ours, but written by another version
    DAMAGED = "damaged"  # ours, but not as it was written
    EMPTY = "empty"  # a text without one usable word
    TOO_MANY = "too_many"  # a text with more words than any language has
    UNKNOWN_LANGUAGE = "unknown_language"  # no such list is shipped


class WordListRefused(Exception):
    def __init__(self, code: Fault, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
