"""Fuzzing that is guided by coverage: `make fuzz`, or `python -m tests.fuzz [HARNESS ...]`.

A harness is a module with `one_input(data)`, which raises only where a promise is broken; `SEEDS`,
inputs to begin with; and `INSTRUMENTED`, the packages whose branches guide the search. Inputs that broke
a promise once lie in corpus/HARNESS and are tried in every test run.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

CORPUS = Path(__file__).parent / "corpus"
NAMES = (
    "board_text",
    "client_frames",
    "command_decoder",
    "match_file",
    "names",
    "notations",
    "terminal_feed",
)


class Harness(Protocol):
    INSTRUMENTED: Sequence[str]
    SEEDS: Sequence[bytes]

    @staticmethod
    def one_input(data: bytes) -> None: ...


def harness(name: str) -> Harness:
    return cast("Harness", import_module(f"tests.fuzz.{name}"))


def corpus(name: str) -> list[Path]:
    """What was found once."""
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())
