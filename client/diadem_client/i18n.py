"""The language of the client: every word a player reads goes through here.

`gettext` looks up when it is called, so that a change of language shows at once; `N_` only marks a
text that is looked up later.
"""

import gettext as catalogs
import locale
import os
import re
from collections.abc import Iterable
from pathlib import Path

DOMAIN = "diadem"
LOCALES = Path(__file__).parent / "locale"
LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}


BREAK = re.compile(r" (?![!?:;](?: |$))(?!(?<=\d )\d{3}(?!\d))")
"""Where text may be wrapped: not before punctuation that French sets a space before, nor within a number."""


class _Current:
    language = "en"
    catalog = catalogs.NullTranslations()


def set_language(language: str | None) -> str:
    """Switch to this language, or to that of the locale; returns the one that is used."""
    _Current.language = language if language in LANGUAGES else _of_locale()
    _Current.catalog = catalogs.translation(
        DOMAIN, LOCALES, languages=[_Current.language], fallback=True
    )
    return _Current.language


def current_language() -> str:
    return _Current.language


def gettext(message: str) -> str:
    return _Current.catalog.gettext(message) if message else ""


def ngettext(one: str, many: str, count: int) -> str:
    return _Current.catalog.ngettext(one, many, count)


def N_(message: str) -> str:  # noqa: N802, the name that gettext is looked for by
    return message


def listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def unbreakable_parts(text: str) -> list[str]:
    """Split text at the spaces where it may be wrapped."""
    return BREAK.split(text)


def after_colon(said: str) -> str:
    """A colon before a value, spaced as the language has it."""
    return gettext(": {said}").format(said=said)


def _of_locale() -> str:
    asked = (os.environ.get(name) for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next((each for each in asked if each), "")
    language = first.split(":")[0].split("_")[0].split(".")[0].casefold()
    return language if language in LANGUAGES else "en"


def locale_is_utf8() -> bool:
    return locale.getencoding().replace("-", "").casefold() == "utf8"


def sanitized(text: str) -> str:
    """Text from strangers without control characters, escape sequences and changes of direction."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)
