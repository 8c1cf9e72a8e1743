"""How the house is built, where no linter looks."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TALKS_TO_THE_WORLD = {"open", "print", "input", "breakpoint", "__import__", "eval", "exec"}
LONGEST_FILE = 420


def test_the_names_below_are_builtins() -> None:
    assert all(hasattr(builtins, name) for name in TALKS_TO_THE_WORLD)


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("shared/diadem/**/*.py")), ids=lambda path: path.stem
)
def test_diadem_does_no_io(path: Path) -> None:
    """Imports are held back by the import contract; these need no import."""
    assert list(worldly(path.read_text())) == []


def test_io_would_be_found() -> None:
    assert list(worldly("def load():\n    return open('words')")) == ["open"]


def worldly(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in TALKS_TO_THE_WORLD:
            yield node.id


def test_no_file_grows_out_of_hand() -> None:
    folders = ("shared", "server", "client", "tests")
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
