"""Mutation testing: plant one fault at a time in the sources, and see whether a quick test fails.

    python -m tools.mutants --count 300                    a sample of faults; names those that no test sees
    python -m tools.mutants --count 300 --part 1/2         every second of them, so that two clones share the work
    python -m tools.mutants --only FILE                    the faults that an earlier run printed

Use a clone: it writes to the sources of the tree that it is started in. A fault is tried by the tests that concern its file
(`tests/for`), and by those of its folder.
"""

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from tests.mirror import ROOT, places
from tests.selection import concerned

SOURCES = (
    "shared/diadem_shared/games",
    "shared/diadem_shared/match.py",
    "shared/diadem_shared/verification.py",
    "shared/diadem_shared/shuffle.py",
    "server/diadem_server/table",
    "server/diadem_server/lobby",
    "server/diadem_server/sessions",
    "client/diadem_client/state",
    "client/diadem_client/net",
)
"""Rules, table and lobby, and the client's state and net."""
QUICK = ("shared", "server", "client")
"""Folders of tests that try a fault."""
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

    def text(self) -> str:
        tree = ast.parse((ROOT / self.path).read_text())
        node = next(each for at, each in enumerate(ast.walk(tree)) if at == self.number)
        return f"line {getattr(node, 'lineno', 1)}: {ast.unparse(node)[:60]!r}"


def faults_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
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


def planted(source: str, number: int, kind: str) -> str:
    """The source with one fault in it."""
    tree = ast.parse(source)
    parents = {child: each for each in ast.walk(tree) for child in ast.iter_child_nodes(each)}
    node: ast.AST = next(each for at, each in enumerate(ast.walk(tree)) if at == number)
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
            assert isinstance(node.value, int)  # noqa: S101, as `faults_of` says
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
    return ast.unparse(ast.fix_missing_locations(tree))


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
            for number, kind in faults_of(ast.parse(path.read_text()))
        ]
        share = count * weight / sum(weights.values()) / len(here)
        found += [each for each in here if crc32(f"{seed} {each}".encode()) < share * 2**32]
    return found


def tests_for(path: str) -> list[str]:
    """The file's own test modules first, then those that import it, then those of its folder."""
    source = Path(path)
    own = [test for test in places(source) if (ROOT / test).exists()]
    mirrored = Path("tests", *[part.removeprefix("diadem_") for part in source.parent.parts[1:]])
    folder = sorted((ROOT / mirrored).glob("test_*.py"))
    around = [each.relative_to(ROOT) for each in folder]
    found = [test for test in (*own, *concerned(source), *around) if test.parts[1] in QUICK]
    return list(dict.fromkeys(map(str, found)))


def is_seen(fault: Fault) -> bool:
    path = ROOT / fault.path
    source, before = path.read_text(), path.stat()
    run = [sys.executable, "-m", "pytest", "-q", "-x", "--numprocesses=0", "-m", "not slow"]
    run += ["--timeout=60", "-p", "no:cacheprovider", "--tb=no", *tests_for(fault.path)]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PATIENCE": "5"}
    try:
        path.write_text(planted(source, fault.number, fault.kind))
        ended = subprocess.run(run, env=environment, check=False, capture_output=True)
    finally:
        path.write_text(source)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return ended.returncode != 0


def printed(path: str) -> list[Fault]:
    """The unseen faults of an earlier run."""
    lines = [line.split() for line in Path(path).read_text().splitlines()]
    return [Fault(line[1], int(line[2]), line[3]) for line in lines if line[:1] == ["UNSEEN"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300, help="how many faults, about")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    parser.add_argument("--part", default="1/1", help="1/3: the first of three thirds")
    parser.add_argument("--only", help="a file with the faults that an earlier run printed")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    faults = printed(given.only) if given.only else sample(given.count, given.seed)
    seen = 0
    for fault in (chosen := faults[part - 1 :: parts]):
        found = is_seen(fault)
        seen += found
        print("seen  " if found else "UNSEEN", *fault, fault.text(), flush=True)
    print(f"{seen} of {len(chosen)} faults were seen")


if __name__ == "__main__":
    main()
