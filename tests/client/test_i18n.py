"""Every word that a player reads, in every language."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from diadem_client import i18n
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.i18n import LANGUAGES, gettext, sanitized, unbreakable_parts
from diadem_client.state import forms
from diadem_client.state.forms import OneOf
from diadem_client.wording import options
from diadem_client.wording.events import tell
from diadem_shared.games import GAMES
from tests.cases import cases
from tests.game_features import is_spoken
from tools import catalogs
from tools.catalogs import SOURCES, TRANSLATED

LABEL = 34
ANSWER = 80 - LABEL - 3
"""Columns for what an option is called, and for its value."""
NOT_SHOWN = {
    *("_", "N_", "ngettext"),
    *("log.info", "log.warning", "log.error", "log.critical"),
    *("ImportError", "TypeError", "msgspec.ValidationError", "cast", "self.query_one"),
    *("BadFrame", "ProtocolViolation", "ExceptionGroup", "log.exception"),
}
"""Arguments of these functions are translated, or not shown to players."""
NAMES_OF_THEIR_OWN = {
    "Diadem",
    *(game.title for game in CLIENT_GAMES.values()),
    *LANGUAGES.values(),
    "Mn",
}
read, template = cache(catalogs.read), cache(catalogs.template)
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}|^[A-Z][a-z]+[.!?]?$")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.set_language("en")


def ids(catalog: Catalog) -> set[object]:
    return {message.id for message in catalog if message.id}


def test_the_template_holds_what_the_sources_say() -> None:
    """Otherwise: make catalogs."""
    assert catalogs.TEMPLATE.read_bytes() == catalogs.written(template())


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_untranslated(language: str) -> None:
    catalog = read(language)
    assert ids(catalog) == ids(template())
    english = {CLIENT_GAMES[each].package for each in GAMES if not is_spoken(each, language)}
    folders = tuple(f"games/{package.rpartition('.')[2]}/" for package in english)
    assert [
        message.id
        for message in catalogs.untranslated(catalog)
        if not all(place.startswith(folders) for place, _line in message.locations)
    ] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_fill_in_the_same_details(language: str) -> None:
    for message in read(language):
        if message.id and message.string:
            assert fields(message.string) == fields(message.id)


def fields(said: Any) -> set[str]:
    words = said if isinstance(said, str) else " ".join(said)
    return set(re.findall(r"{[^}]*}", words))


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_shipped_is_what_was_translated(language: str) -> None:
    """Otherwise: make catalogs."""
    shipped = catalogs.po_file(language).with_suffix(".mo").read_bytes()
    assert shipped == catalogs.compiled(read(language))


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_a_language_is_spoken(language: str) -> None:
    i18n.set_language(language)
    assert gettext("It is not your turn yet. Wait until your name is marked.")[:2] != "It"


def test_words_chosen_at_import_change_with_the_language() -> None:
    game = GAMES["diamoniak"]
    began = game.event_type.__args__[3](0, "blue", ())
    assert tell("diamoniak", began, ["Ana"]) == "Ana begins the blue castle."
    i18n.set_language("de")
    assert tell("diamoniak", began, ["Ana"]) == "Ana beginnt das Schloss in Blau."


def test_the_language_is_that_of_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for locale, language in (("fr_CH.UTF-8", "fr"), ("de", "de"), ("C", "en"), ("it_IT", "en")):
        monkeypatch.setenv("LANG", locale)
        assert i18n.set_language(None) == language
    assert i18n.set_language("de") == "de"


@cases("game", GAMES)
def test_every_option_has_a_name(game: str) -> None:
    wording = CLIENT_GAMES[game].wording
    names = options.NAMES.keys() | wording.options.keys()
    values = options.VALUES.keys() | wording.values.keys()
    levels = set(GAMES[game].bots)
    assert levels <= {options.STAND_IN} | wording.tempers.keys()
    assert levels <= wording.habits.keys()
    for question in (*forms.questions(game), *forms.common_questions(game)):
        assert question.name in names
        for value in question.values if isinstance(question, OneOf) else ():
            named = (question.name, value) in values or question.name == "absent"
            assert named or isinstance(value, bool | int)


@cases("language", LANGUAGES)
@cases("game", GAMES)
def test_every_option_has_room_in_80_columns(game: str, language: str) -> None:
    i18n.set_language(language)
    for question in (*forms.questions(game), *forms.common_questions(game)):
        assert len(options.option_name(question.name, game)) < LABEL
        for value in question.values if isinstance(question, OneOf) else ():
            assert len(f"< {options.value_name(question.name, value, game)} >") <= ANSWER


FOR_THE_LOG = {"seccomp.py", "syscalls.py"}
"""Names of system calls, and what they are for: the host reads of them in the log, which is in English."""


def hard_coded(source: str) -> Iterator[str]:
    """Words for people that no catalog can know."""
    tree = ast.parse(source)
    known: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in NOT_SHOWN:
            known.update(id(each) for argument in node.args for each in ast.walk(argument))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            hints = (node.returns, *(argument.annotation for argument in node.args.args))
            known.update(id(each) for hint in hints if hint for each in ast.walk(hint))
        elif isinstance(node, ast.Expr):
            known.add(id(node.value))
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "").endswith("CSS"):
            known.update(id(each) for each in ast.walk(node.value))
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "BOX":
            known.add(id(node.value))
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) else None
        if isinstance(words, str) and id(node) not in known and WORDS.search(words):
            yield words


@cases(
    "path",
    sorted(path for path in SOURCES.rglob("*.py") if path.name not in FOR_THE_LOG),
    ids=lambda path: path.stem,
)
def test_nothing_is_hard_coded(path: Path) -> None:
    assert set(hard_coded(path.read_text())) <= NAMES_OF_THEIR_OWN


def test_hard_coded_words_would_be_found() -> None:
    assert list(hard_coded('say("Press any key")')) == ["Press any key"]
    assert list(hard_coded('say(_("Press any key"))')) == []


@cases(
    ("sent", "shown"),
    [
        ("Ana", "Ana"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("\x1b[31mred", " [31mred"),
        ("a\u202eb\u2066c", "a b c"),
        ("bell\x07 tab\t", "bell  tab "),
        ("\u200bnothing", " nothing"),
    ],
)
def test_nothing_can_steer_a_terminal(sent: str, shown: str) -> None:
    assert sanitized(sent) == shown


def test_text_is_not_broken_within_a_number_nor_before_punctuation() -> None:
    assert unbreakable_parts("12 000 dollars, 3 rings") == ["12 000", "dollars,", "3", "rings"]
    assert unbreakable_parts("1 200 000 mots !") == ["1 200 000", "mots !"]
