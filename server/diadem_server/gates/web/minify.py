"""Makes the page's files smaller: modules become one script, and what only a reader needs is left out.

Made for our own files, which end each statement with a semicolon, name nothing twice at the top of two modules,
and nest no template in a template. The tests of the page run what comes of it.
"""

import re
from collections import Counter
from collections.abc import Mapping

IMPORT = re.compile(r'^import .* from "\./([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
PATTERN = r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/"
TOKEN = re.compile(
    r"(?P<space>(?:\s|//[^\n]*)+)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)"
    rf"|(?P<pattern>(?:(?<=[=(,:&|!?] )|(?<=[(!\[])){PATTERN})"
    r"|(?P<word>#?[\w$]+)"
    r"|(?P<sign>.)"
)
GOES_ON_AFTER = frozenset("{([,;=:?&|")
GOES_ON_BEFORE = frozenset(")]},.?:&|")
"""Signs beside which a new line cannot end a statement."""


def bundled(modules: Mapping[str, str], first: str) -> str:
    """A module with all that it imports, as one script."""
    pieces: dict[str, str] = {}

    def add(name: str) -> None:
        for imported in IMPORT.findall(modules[name]):
            if imported not in pieces:
                add(imported)
        pieces[name] = EXPORT.sub("", IMPORT.sub("", modules[name]))

    add(first)
    return "".join(pieces.values())


def script(text: str) -> str:
    """Without comments, indents and needless blanks, and with short names for private fields."""
    tokens = [(each.lastgroup, each[0]) for each in TOKEN.finditer(text)]
    fields = Counter(each for kind, each in tokens if kind == "word" and each[0] == "#")
    short = {name: f"#{_letters(at)}" for at, (name, _) in enumerate(fields.most_common())}
    kept: list[str] = []
    before, space = "", ""
    for kind, token in tokens:
        if kind == "space":
            space = token
            continue
        if space and before:
            kept.append(_between(before[-1], token[0], "\n" if "\n" in space else " "))
        kept.append(short.get(token, token))
        before, space = token, ""
    return "".join(kept)


def _between(before: str, after: str, space: str) -> str:
    if space == "\n":
        return "" if before in GOES_ON_AFTER or after in GOES_ON_BEFORE else "\n"
    both = before + after
    is_needed = all(each.isalnum() or each in "_$#" for each in both) or both in {"++", "--"}
    return " " if is_needed else ""


def _letters(number: int) -> str:
    """a, b, ... z, ba, bb, ..."""
    higher, lower = divmod(number, 26)
    return (_letters(higher) if higher else "") + chr(ord("a") + lower)


def style(text: str) -> str:
    return (
        re.sub(r"\s*([{};,])\s*|(?<=:)\s+", r"\1", re.sub(r"\s+", " ", text))
        .replace(";}", "}")
        .strip()
    )


def markup(text: str) -> str:
    return re.sub(r">\n\s*<", "><", text).strip()
