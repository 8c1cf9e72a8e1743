"""Fuzzing that is guided by coverage: `make fuzz`, or `python -m tests.fuzz [HARNESS ...]`.

A harness is a module with `one_input(data)`, which raises only where a promise is broken; `SEEDS`,
inputs to begin with; and `INSTRUMENTED`, the packages whose branches guide the search. Inputs that broke
a promise once lie in corpus/HARNESS and are tried in every test run. So are those of reached/HARNESS.txt, a line each in base64: the
shortest that an earlier search has found to reach something of their own, with which the next one begins. `--keep` writes them.
"""

import ast
from base64 import b64decode
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

CORPUS = Path(__file__).parent / "corpus"
REACHED = Path(__file__).parent / "reached"
NAMES = (
    "board_text",
    "client_frames",
    "cluster_link",
    "command_decoder",
    "match_file",
    "names",
    "notations",
    "terminal_feed",
    "web_hello",
)


class Harness(Protocol):
    INSTRUMENTED: Sequence[str]
    SEEDS: Sequence[bytes]

    @staticmethod
    def one_input(data: bytes) -> None: ...


def harness(name: str) -> Harness:
    return cast("Harness", import_module(f"tests.fuzz.{name}"))


def instrumented(name: str) -> list[str]:
    """`INSTRUMENTED` of a harness, read from its source: once it is imported, so is what it searches."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "INSTRUMENTED":
            strings = (
                each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)
            )
            return [each for each in strings if isinstance(each, str)]
    raise LookupError(name)


def corpus(name: str) -> list[Path]:
    """What was found once."""
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())


def reached(name: str) -> list[bytes]:
    """What an earlier search has kept."""
    return [b64decode(line) for line in (REACHED / f"{name}.txt").read_text("ascii").splitlines()]
