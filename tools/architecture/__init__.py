"""The pictures and lists of docs/architecture.md, taken from the import graph so that they stay true.

    python -m tools.architecture

writes them anew between the marks `<!-- name -->` and `<!-- end -->` of the page.
"""

import ast
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from grimp import ImportGraph, build_graph

from tools import marked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = {
    "diadem_shared": "shared/diadem_shared",
    "diadem_server": "server/diadem_server",
    "diadem_client": "client/diadem_client",
}

Arrows = dict[str, set[str]]
"""What each part of a package imports of the other parts."""


@cache
def imports() -> ImportGraph:
    return build_graph(*PACKAGES)


def arrows(package: str) -> Arrows:
    """Between the modules and folders right below a package."""
    found: Arrows = {}
    for importer in imports().find_descendants(package):
        part = _part(importer)
        found.setdefault(part, set())
        for imported in imports().find_modules_directly_imported_by(importer):
            if imported.startswith(f"{package}.") and _part(imported) != part:
                found[part].add(_part(imported))
    return found


def _part(module: str) -> str:
    return module.split(".")[1]


def reached(graph: Arrows) -> Arrows:
    """What each part imports, directly or by others."""
    found = {part: set(direct) for part, direct in graph.items()}
    for middle in graph:
        for part in graph:
            if middle in found[part]:
                found[part] |= found[middle]
    return found


def reduced(graph: Arrows) -> Arrows:
    """Without the arrows that follow from others, but with all between parts that import each other."""
    far = reached(graph)

    def follows(part: str, target: str) -> bool:
        return any(
            target in far[middle] and part not in far[middle] and middle not in far[target]
            for middle in graph[part] - {target}
        )

    return {
        part: {target for target in direct if part in far[target] or not follows(part, target)}
        for part, direct in graph.items()
    }


def picture(package: str) -> Iterator[str]:
    graph = arrows(package)
    far = reached(graph)
    yield "```mermaid"
    yield "flowchart TD"
    for part, targets in sorted(reduced(graph).items()):
        for target in sorted(targets):
            yield f"    {part} {'-.->' if part in far[target] else '-->'} {target}"
        if not graph[part] and not any(part in others for others in graph.values()):
            yield f"    {part}"
    yield "```"


def parts(package: str) -> Iterator[str]:
    """Each part and the first sentence of its docstring."""
    folder = ROOT / PACKAGES[package]
    yield "| part | what is in it |"
    yield "|---|---|"
    for part in sorted(arrows(package)):
        module = folder / f"{part}.py"
        path = module if module.exists() else folder / part / "__init__.py"
        name = part if path == module else f"{part}/"
        yield f"| `{name}` | {first_line(path)} |"


def first_line(path: Path) -> str:
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return (told or "").split("\n\n", maxsplit=1)[0].replace("\n", " ").replace("|", "\\|")


TABLES = {
    **{f"imports of {package}": partial(picture, package) for package in PACKAGES},
    **{f"parts of {package}": partial(parts, package) for package in PACKAGES},
}


def renewed(page: str) -> str:
    """The page with its pictures and lists as the code has them now."""
    return marked.renewed(page, TABLES)
