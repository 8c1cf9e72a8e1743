"""docs/security.md speaks of code that is there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/security.md").read_text()
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)(?:::([\w.]+))?`", PAGE)))


def names_in(source: str) -> Iterator[str]:
    """Functions and classes, and what is in classes as Class.name."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{each.name}"


@pytest.mark.parametrize(("path", "name"), NAMED, ids=lambda each: each or "whole")
def test_what_the_page_names_is_there(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    assert not name or name in set(names_in((ROOT / path).read_text()))


def test_the_page_names_what_protects_and_what_watches() -> None:
    """In every row of every table there is code in the middle and a test at the end."""
    rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ")]
    described = [row for row in rows if row[0].strip() != "what they may not do"]
    assert len(described) > 20
    for _, where, watched in described:
        assert "`" in where or "process of its own" in where or "bound" in where
        assert "`tests/" in watched


@pytest.mark.parametrize("name", ["nobody", "Class.nothing"])
def test_a_name_that_is_gone_is_noticed(name: str) -> None:
    assert name not in set(names_in("class Class:\n    def something(self): ..."))
