"""Find the test modules that concern files, and run them: `tests/for --help`.

A module of the code is tested by its mirror (tests/mirror.py), and by the test modules that import it. A helper of the tests is
tested by those that import it, directly or by way of other helpers. Where that finds nothing, it is the tests of its folder. For
any other file it is the test modules that name it, and what CONCERNING says, or the tests of its folder.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from tests.mirror import PACKAGES, ROOT, TRIED_ELSEWHERE, places

CONCERNING = {
    "*.md": "tests/test_docs.py",
    "*.mo": "tests/client/test_i18n.py",
    "*.po": "tests/client/test_i18n.py",
    "*.pot": "tests/client/test_i18n.py",
    ".pre-commit-config.yaml": "tests/test_project.py",
    "Makefile": "tests/test_project.py",
    "pyproject.toml": "tests/test_project.py",
    "server/diadem_server/gates/web/page/*": "tests/page",
    "tests/client/board/snapshots/*": "tests/client/games",
    "tests/client/scenes/snapshots/*": "tests/client/scenes/test_looks.py",
}
"""Files that are not Python, and a test module or a folder of them."""
IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|.*)$", re.MULTILINE)
IN_ONE_PROCESS = 3
"""Test modules, up to which starting workers takes longer than it saves."""


def concerned(path: Path) -> list[Path]:
    """The test modules that concern one file, all relative to ROOT."""
    if path.suffix != ".py":
        return _present(_about_data(path))
    if path.name == "conftest.py":
        return _present(_in_folder(path.parent))
    if is_test(path):
        return _present([path])
    found = {*places(path), Path(TRIED_ELSEWHERE.get(str(path), ""))}
    found |= importers(path, through_helpers=path.parts[0] in ("tests", "tools"))
    return _present(found) or _present(_around(path))


def _around(path: Path) -> Iterator[Path]:
    """What may concern a file that no test module names: the tests of its folder, or of the package that it is part of."""
    yield from _in_folder(_mirrored(path.parent))
    if (ROOT / path.parent / "__init__.py").exists():
        yield from importers(path.parent / "__init__.py")


def _present(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in set(paths) if (ROOT / path).is_file())


def is_test(path: Path) -> bool:
    return path.parts[0] == "tests" and path.match("test_*.py")


def importers(path: Path, *, through_helpers: bool = False) -> set[Path]:
    """The test modules that import a module."""
    found, ahead = set[Path](), [path]
    while ahead:
        name = dotted(ahead.pop())
        new = {each for each, names in _imports().items() if name in names} - found
        found |= new
        ahead += [each for each in new if through_helpers and not is_test(each)]
    return set(filter(is_test, found))


def dotted(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.with_suffix("").parts
    package = parts[1:] if parts[0] in ("shared", "server", "client") else parts
    return ".".join(package).removesuffix(".__init__")


def imported(source: str) -> Iterator[str]:
    """Every module that a source imports, and every name, as it may be a module too."""
    for match in IMPORT.finditer(source):
        package, names = match[1], re.findall(r"[\w.]+", re.sub(r" as \w+", "", match[2]))
        yield from ([package, *(f"{package}.{name}" for name in names)] if package else names)


@cache
def _sources() -> dict[Path, str]:
    """The tests, and the tools, as tests import them."""
    files = [path for folder in ("tests", "tools") for path in (ROOT / folder).rglob("*.py")]
    return {path.relative_to(ROOT): path.read_text() for path in files}


@cache
def _imports() -> dict[Path, set[str]]:
    return {path: set(imported(source)) for path, source in _sources().items()}


def _in_folder(folder: Path) -> list[Path]:
    return [path.relative_to(ROOT) for path in (ROOT / folder).rglob("test_*.py")]


def _about_data(path: Path) -> Iterator[Path]:
    told = [place for pattern, place in CONCERNING.items() if fnmatch(str(path), pattern)]
    for place in map(Path, told) if told else [_mirrored(path.parent)]:
        yield from [place] if place.suffix else _in_folder(place)
    names = [path.name, *([path.parent.name] if path.parts[0] == "tests" and not told else [])]
    naming = re.compile(rf"[\"/](?:{'|'.join(map(re.escape, names))})[\"/`]")
    for file, source in _sources().items():
        if naming.search(source):
            yield from [file] if is_test(file) else importers(file, through_helpers=True)


def _mirrored(folder: Path) -> Path:
    """The nearest folder that has the tests of what is in a folder: below that of its package, else there is none."""
    for source, tests in {**PACKAGES, "tests": "tests"}.items():
        if folder.is_relative_to(source):
            mirror = Path(tests) / folder.relative_to(source)
            while mirror != Path(tests):
                if any((ROOT / mirror).glob("test_*.py")):
                    return mirror
                mirror = mirror.parent
    return Path("tests", "none")


def changed() -> list[str]:
    """The files that differ from the last commit, and the new ones."""
    listings = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    return [
        name
        for listing in listings
        for name in subprocess.check_output(["git", *listing], cwd=ROOT, text=True).splitlines()
    ]


def run(paths: Iterable[Path], options: Iterable[str] = ()) -> int:
    """Run test modules, and tell pytest's exit status."""
    modules = [str(path) for path in paths]
    workers = 0 if len(modules) <= IN_ONE_PROCESS else os.cpu_count()
    command = [sys.executable, "-m", "pytest", "--numprocesses", f"{workers}"]
    return subprocess.call([*command, *options, *modules], cwd=ROOT)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tests/for",
        description="Run the test modules that concern files: the mirror of a module, and those that import it.",
        epilog="Example: tests/for server/diadem_server/table/clocks.py -- -x -k grace",
    )
    parser.add_argument("--list", action="store_true", help="print them, and run nothing")
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files; none: those that differ from the last commit",
    )
    arguments, options = split(sys.argv[1:])
    given = parser.parse_args(arguments)
    inside = [os.path.relpath(path, ROOT) for path in given.paths] or changed()
    if outside := [path for path in inside if path.startswith("..")]:
        parser.error(f"not in {ROOT}: {', '.join(outside)}")
    paths = sorted({test for path in inside for test in concerned(Path(path))})
    if given.list or not paths:
        print("\n".join(map(str, paths)) or f"no test concerns {', '.join(inside) or 'no change'}")
        return 0
    return run(paths, options)


def split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """What is for us, and after `--` what is for pytest."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
