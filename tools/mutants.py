"""Mutation testing: plant one fault at a time in the sources, and see whether a test fails.

    python -m tools.mutants --reach          run the quick tests once, and keep which of them reach which line
    python -m tools.mutants --count 300      plant a sample of faults; name those that no test saw

Works in the tree it is started in, one fault after another, so use a clone. A fault is tried by the tests that reach its line,
those of its own test module first; what `--reach` found is kept in `.mutants`.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import unescape
from zlib import crc32

from coverage import CoverageData

ROOT = Path.cwd()
KEPT = ROOT / ".mutants"
SOURCES = (
    "shared/diadem/games",
    "shared/diadem/match.py",
    "shared/diadem/verification.py",
    "shared/diadem/shuffle.py",
    "server/diadem_server/table",
    "server/diadem_server/lobby",
    "server/diadem_server/sessions",
    "client/diadem_client/state",
    "client/diadem_client/net",
)
"""Rules, table and lobby, and the client's state and net."""
TESTS = (
    *("tests/shared", "tests/server"),
    *(f"tests/client/{each}" for each in ("net", "state", "wording", "local", "games")),
)
FEW, MANY = 40, 400
"""Tests that a fault is tried by: at first, and if none of these has seen it."""
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}


class Fault(NamedTuple):
    path: str
    number: int
    """Of the node in the file, as `ast.walk` comes to it."""
    kind: str

    def place(self) -> str:
        tree = ast.parse((ROOT / self.path).read_text())
        node = next(each for at, each in enumerate(ast.walk(tree)) if at == self.number)
        return f"{self.path}:{getattr(node, 'lineno', 1)} {self.kind}: {ast.unparse(node)[:60]!r}"


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each place at which a fault can be planted: number of the node as `ast.walk` comes to it, and kind of fault."""
    for number, node in enumerate(ast.walk(tree)):
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                yield number, "compare"
            case ast.BinOp(op=op) if type(op) in COUNTED:
                yield number, "count"
            case ast.BoolOp():
                yield number, "and-or"
            case ast.If() | ast.IfExp():
                yield number, "never"
                yield number, "always"
            case ast.Constant(value=bool()):
                yield number, "flip"
            case ast.Constant(value=int()):
                yield number, "one-more"
            case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
                yield number, "leave-out"
            case ast.Return(value=ast.expr()):
                yield number, "nothing"
            case _:
                pass


def planted(source: str, number: int, kind: str) -> tuple[str, int]:
    """The source with one fault in it, and the line where that is."""
    tree = ast.parse(source)
    parents = {child: each for each in ast.walk(tree) for child in ast.iter_child_nodes(each)}
    node: ast.AST = next(each for at, each in enumerate(ast.walk(tree)) if at == number)
    line: int = getattr(node, "lineno", 1)
    match kind, node:
        case "compare", ast.Compare():
            node.ops = [COMPARED[type(node.ops[0])]()]
        case "count", ast.BinOp():
            node.op = COUNTED[type(node.op)]()
        case "and-or", ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case (("never" | "always"), (ast.If() | ast.IfExp())):
            node.test = ast.Constant(kind == "always")
        case "flip", ast.Constant():
            node.value = not node.value
        case "one-more", ast.Constant():
            assert isinstance(node.value, int)  # noqa: S101, as `faults` says
            node.value += 1
        case "nothing", ast.Return():
            node.value = ast.Constant(None)
        case _:
            body = next(
                block
                for _, block in ast.iter_fields(parents[node])
                if isinstance(block, list) and node in block
            )
            body[body.index(node)] = ast.copy_location(ast.Pass(), node)
    return ast.unparse(ast.fix_missing_locations(tree)), line


def files(part: str) -> list[Path]:
    place = ROOT / part
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def sample(count: int, seed: int) -> list[Fault]:
    """Some of each part of the sources, by the square root of its size.

    Each fault is chosen by itself, so that most of a sample stays the same while files are changed.
    """
    weights = {part: sum(path.stat().st_size for path in files(part)) ** 0.5 for part in SOURCES}
    found: list[Fault] = []
    for part, weight in weights.items():
        here = [
            Fault(str(path.relative_to(ROOT)), number, kind)
            for path in files(part)
            for number, kind in faults(ast.parse(path.read_text()))
        ]
        share = count * weight / sum(weights.values()) / len(here)
        found += [each for each in here if crc32(f"{seed} {each}".encode()) < share * 2**32]
    return found


def reach() -> None:
    """Run the tests once, and keep which of them reach which line, and how long each takes."""
    KEPT.mkdir(exist_ok=True)
    packages = ("shared", "server", "client")
    covered = [f"--cov={package}" for package in packages]
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "not slow",
        *TESTS,
        *covered,
        "--cov-context=test",
    ]
    environment = os.environ | {"COVERAGE_FILE": str(KEPT / "coverage")}
    run += ["--cov-report=", "--junit-xml", str(KEPT / "durations.xml"), "--numprocesses=2"]
    subprocess.run(run, env=environment, check=False)


def durations() -> dict[str, float]:
    text = (KEPT / "durations.xml").read_text()
    found = re.findall(r'<testcase classname="([^"]*)" name="([^"]*)" time="([^"]*)"', text)
    return {f"{name}::{unescape(test)}": float(seconds) for name, test, seconds in found}


def tests_for(fault: Fault, line: int, data: CoverageData, seconds: dict[str, float]) -> list[str]:
    """By the tests' own module first, then by how long they take; of a line that is run at import, all that reach its file."""
    lines = data.contexts_by_lineno(str(ROOT / fault.path))
    reached = {each.partition("|")[0] for each in lines.get(line, ()) if each}
    if not reached:
        reached = {each.partition("|")[0] for some in lines.values() for each in some if each}
    own = f"test_{Path(fault.path).stem}.py"

    def place(test: str) -> tuple[bool, float]:
        path, _, name = test.partition("::")
        module = path.removesuffix(".py").replace("/", ".")
        return f"/{own}::" not in test, seconds.get(f"{module}::{name}", 1.0)

    return sorted(reached, key=place)


def is_seen(fault: Fault, data: CoverageData, seconds: dict[str, float]) -> bool:
    path = ROOT / fault.path
    source, before = path.read_text(), path.stat()
    faulty, line = planted(source, fault.number, fault.kind)
    tests = tests_for(fault, line, data, seconds)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        path.write_text(faulty)
        for some in (tests[:FEW], tests[FEW:MANY]):
            if some:
                run = [sys.executable, "-m", "pytest", "-q", "-x", "--numprocesses=0", *some]
                run += ["--timeout=60", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
                ended = subprocess.run(run, env=environment, check=False, capture_output=True)
                if ended.returncode:
                    return True
    finally:
        path.write_text(source)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reach", action="store_true", help="only run the tests once")
    parser.add_argument("--count", type=int, default=300, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    parser.add_argument("--part", default="1/1", help="the first of three thirds: 1/3")
    given = parser.parse_args()
    if given.reach:
        reach()
        return
    part, parts = map(int, given.part.split("/"))
    data, seconds = CoverageData(str(KEPT / "coverage")), durations()
    data.read()
    sampled = sample(given.count, given.seed)[part - 1 :: parts]
    seen = 0
    for fault in sampled:
        found = is_seen(fault, data, seconds)
        seen += found
        print("seen  " if found else "UNSEEN", fault.place(), flush=True)
    print(f"{seen} of {len(sampled)} faults were seen")


if __name__ == "__main__":
    main()
