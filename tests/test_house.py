"""House rules that no linter checks."""

import ast
import builtins
import re
from collections.abc import Iterator

from tests.mirror import ROOT, TRIED_ELSEWHERE, modules, places

TALKS_TO_THE_WORLD = {"open", "print", "input", "breakpoint", "__import__", "eval", "exec"}
LONGEST_FILE = 500
"""Lines. `make lint` names those of more than 400, which are to be taken apart when they are next worked on."""
SOURCES = {
    str(path.relative_to(ROOT)): path.read_text()
    for folder in ("shared", "server", "client", "tests", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def test_the_names_below_are_builtins() -> None:
    assert {name for name in TALKS_TO_THE_WORLD if not hasattr(builtins, name)} == set()


def test_diadem_does_no_io() -> None:
    """Imports are held back by the import contract; these need no import."""
    found = {
        path: names
        for path, source in SOURCES.items()
        if path.startswith("shared/") and (names := list(worldly(source)))
    }
    assert found == {}


def test_io_would_be_found() -> None:
    assert list(worldly("def load():\n    return open('words')")) == ["open"]


def worldly(source: str) -> Iterator[str]:
    if TALKS_TO_THE_WORLD.isdisjoint(re.findall(r"\w+", source)):
        return  # parsing takes longest
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in TALKS_TO_THE_WORLD:
            yield node.id


def test_every_module_has_a_test_module_of_its_own() -> None:
    without = {
        str(path)
        for path in modules()
        if not any((ROOT / place).exists() for place in places(path))
    }
    assert without == set(TRIED_ELSEWHERE)
    tests = set(filter(None, TRIED_ELSEWHERE.values()))
    assert {test for test in tests if not (ROOT / test).is_file()} == set()


def test_no_file_grows_out_of_hand() -> None:
    lengths = {path: len(source.splitlines()) for path, source in SOURCES.items()}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
