"""The catalogs of translations: read off the sources, merged, and compiled.

    python -m tools.catalogs          what `make catalogs` runs

The compiled files are shipped beside their sources, so that neither playing nor installing needs
anything besides Python; a test holds the three together.
"""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "client" / "diadem_client"
LOCALES = SOURCES / "locale"
TEMPLATE = LOCALES / "messages.pot"
TRANSLATED = ("de", "fr")
MARKS = {"_", "N_", "gettext"}
WIDTH = 100
SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""Catalogs are dated; the same words make the same file on any day."""
UNSAID = tuple(
    f'"{field}'.encode()
    for field in (
        *("POT-Creation-Date", "PO-Revision-Date", "Report-Msgid-Bugs-To"),
        *("Last-Translator", "Language-Team", "Generated-By"),
    )
)


class Found(NamedTuple):
    text: str | tuple[str, str]
    file: str


def texts() -> Iterator[Found]:
    """Every text of the client that is to be translated."""
    for path in sorted(SOURCES.rglob("*.py")):
        for text in texts_in(path.read_text(encoding="utf-8")):
            yield Found(text, str(path.relative_to(SOURCES)))


def texts_in(source: str) -> Iterator[str | tuple[str, str]]:
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        said = [_text(argument) for argument in call.args]
        if name in MARKS and said and said[0]:
            yield said[0]
        elif name == "ngettext" and len(said) > 1 and said[0] and said[1]:
            yield said[0], said[1]


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def template() -> Catalog:
    catalog = Catalog(project="Diadem", version="", charset="utf-8", fuzzy=False)
    catalog.header_comment = "# The words of Diadem's client."
    for text, file in texts():
        catalog.add(text, locations=[(file, 0)], flags=_flags(text))
    return catalog


def _flags(text: str | tuple[str, str]) -> set[str]:
    return {"python-brace-format"} if "{" in str(text) else set()


def po_file(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "diadem.po"


def read(language: str) -> Catalog:
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def merged(language: str) -> Catalog:
    """What is translated already, in the order of the sources, and gaps for the rest."""
    known, catalog = read(language), template()
    catalog.locale = language
    for message in catalog:
        old = known.get(message.id) if message.id else None
        if old is not None and old.string:
            message.string = old.string
    return catalog


def written(catalog: Catalog) -> bytes:
    out = BytesIO()
    write_po(out, catalog, width=WIDTH, omit_header=False, include_lineno=False)
    lines = out.getvalue().split(b"\n")
    # Dates would make every run another file, and nobody has to be named.
    return b"\n".join(line for line in lines if not line.startswith(UNSAID))


def compiled(catalog: Catalog) -> bytes:
    out = BytesIO()
    catalog.creation_date = catalog.revision_date = SOME_DAY
    write_mo(out, catalog)
    return out.getvalue()


def untranslated(catalog: Catalog) -> list[Message]:
    return [
        message
        for message in catalog
        if message.id and (message.fuzzy or not all(_strings(message)))
    ]


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or [""])


def update() -> dict[str, int]:
    """Write all of it; how much each language still lacks."""
    LOCALES.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(written(template()))
    lacks = {}
    for language in TRANSLATED:
        path = po_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(merged(language)))
        catalog = read(language)
        path.with_suffix(".mo").write_bytes(compiled(catalog))
        lacks[language] = len(untranslated(catalog))
    return lacks
