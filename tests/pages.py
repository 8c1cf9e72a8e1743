"""What the pages name, and what there is: helpers for the tests that hold pages to the code."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = defaultdict[str, list[str]](list)
"""The files of the code, by what they are called without their folders."""
for each_file in (
    path
    for folder in ("shared", "server", "client", "tests", "tools")
    for path in (ROOT / folder).rglob("*.py")
):
    CODE[each_file.name].append(str(each_file.relative_to(ROOT)))
HOSTING = "\n".join(
    path.read_text() for path in [ROOT / "docs/hosting.md", *sorted(ROOT.glob("docs/hosting/*.md"))]
)
"""All pages for those who run a server."""
NAMED = re.compile(r"`([\w/]+\.py)(?:::([\w.]+))?`")


def named_on(page: str) -> list[tuple[str, str]]:
    """Every `path/file.py` and `path/file.py::name`, the name being empty where a whole file is meant."""
    return sorted(set(NAMED.findall(page)))


def files_of(path: str) -> list[str]:
    """The files that may be meant: a page may leave out the folders that its reader knows."""
    return [file for file in CODE[Path(path).name] if f"/{file}".endswith(f"/{path}")]


def names_in(source: str) -> Iterator[str]:
    """Functions, classes and constants, and what is in classes as Class.name."""
    for node in ast.parse(source).body:
        yield from _names_of(node)
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                yield from (f"{node.name}.{name}" for name in _names_of(each))


def _names_of(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            yield name
        case _:
            pass


def is_there(path: str, name: str) -> bool:
    return (ROOT / path).is_file() and (not name or name in _names_in_file(path))


@cache
def _names_in_file(path: str) -> set[str]:
    return set(names_in((ROOT / path).read_text()))
