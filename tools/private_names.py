"""Finds uses of names that are private to another package: `python -m tools.private_names`.

`obj._name` is found by ruff (SLF001). Found here is what ruff does not see: private modules and names that
are imported, private names in strings (`getattr`, `monkeypatch.setattr`), and in a subclass of another
package's class the base's private names, whether used through `self` or defined anew. Besides, names that
have no underscore and yet are not in their package's documentation.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

SHIPPED = ("diadem_shared", "diadem_server", "diadem_client")
OURS = {*SHIPPED, "tests", "tools"}
FOLDERS = ("shared", "server", "client", "tests", "tools")
UNDOCUMENTED = {
    "apply_mask": "websockets",
    "get_in_progress": "websockets",
    "parser_exc": "websockets",
    "process_event": "websockets",
    "recv_frame": "websockets",
    "recv_messages": "websockets",
    "send_context": "websockets",
    "send_data": "websockets",
}
"""Names of attributes, by the package that does not document them."""
ALLOWED: dict[str, str] = {
    "diadem_client.app.DiademApp: _handle_exception of textual.app.App": "0022-public-interfaces-only.md",
}
"""Findings that stay, by the page in docs/decisions that says why."""
DOTTED = re.compile(r"(?P<package>[a-z]\w*)(\.\w+)*\.(?P<private>_[a-z]\w*)(\.\w+)*")
BY_STRING = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "object"}
"""Functions that take the name of an attribute; `object` is that of `patch.object`."""


def is_private(name: str) -> bool:
    return name.startswith("_") and name != "_" and not name.endswith("_")


def in_source(source: str) -> Iterator[tuple[int, str]]:
    """Line and finding, for each that can be seen in one file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr | ast.stmt):
            for finding in (*_imported(node), *_in_strings(node), *_undocumented(node)):
                yield node.lineno, finding


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            imported = [each.name for each in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            imported = [f"{module}.{each.name}" for each in names]
        case ast.Constant(value=str(text)):
            imported = [text]
        case _:
            imported = []
    found = [DOTTED.fullmatch(each) for each in imported]
    return [
        f"{each['private']} of {each['package']}"
        for each in found
        if each and each["package"] in _packages() - OURS
    ]


def _in_strings(node: ast.AST) -> list[str]:
    """Names of attributes that are given as strings, as to `getattr`."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in BY_STRING:
            constants = [each.value for each in node.args if isinstance(each, ast.Constant)]
            names = [each.rpartition(".")[2] for each in constants if isinstance(each, str)]
            return [f"{each}, in a string" for each in names if is_private(each)]
        case _:
            return []


def _undocumented(node: ast.AST) -> list[str]:
    match node:
        case ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in UNDOCUMENTED:
            return [f"{name}, not documented by {UNDOCUMENTED[name]}"]
        case _:
            return []


@cache
def _packages() -> frozenset[str]:
    return frozenset(sys.stdlib_module_names) | {each.name for each in pkgutil.iter_modules()}


def in_classes(module: ModuleType) -> Iterator[str]:
    """Private names of other packages' classes, in subclasses that this module defines."""
    classes: list[Any] = [each for each in vars(module).values() if inspect.isclass(each)]
    for cls in classes:
        if cls.__module__ != module.__name__:
            continue
        names = private_names(cls)
        for base in cls.__mro__[1:]:
            if base.__module__.partition(".")[0] not in {*OURS, "builtins", "typing"}:
                for name in sorted(names & private_names(base)):
                    owner = f"{base.__module__}.{base.__qualname__}"
                    yield f"{module.__name__}.{cls.__qualname__}: {name} of {owner}"


@cache
def private_names(cls: Any) -> set[str]:
    """What a class defines, or gets and sets of itself."""
    try:
        [definition] = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError):
        return set()
    names = set[str]()
    for node in ast.walk(definition):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                pass
    return {name for name in names if is_private(name)}


def modules_of(package: str) -> Iterator[ModuleType]:
    top = importlib.import_module(package)
    for each in pkgutil.walk_packages(top.__path__, f"{package}."):
        if not each.name.endswith("__main__"):
            yield importlib.import_module(each.name)


def findings() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted(Path(folder).rglob("*.py")):
            for line, finding in in_source(path.read_text()):
                yield f"{path}:{line}: {finding}"
    for package in SHIPPED:
        for module in modules_of(package):
            yield from in_classes(module)


def main() -> None:
    found = set(findings())
    wrong = sorted(found - set(ALLOWED))
    wrong += [f"no such finding any more: {each}" for each in ALLOWED if each not in found]
    for each in wrong:
        print(each)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
