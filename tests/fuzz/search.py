"""Search one harness with atheris: python -m tests.fuzz.search HARNESS [what libFuzzer takes]."""

import ast
import sys
from pathlib import Path

import atheris

NAME = sys.argv.pop(1)


def instrumented(name: str) -> list[str]:
    """Read from the source: once the harness is imported, so is what it searches."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "INSTRUMENTED":
            found: list[str] = list(ast.literal_eval(node.value))
            return found
    raise LookupError(name)


with atheris.instrument_imports(include=instrumented(NAME)):
    from tests.fuzz import harness

    searched = harness(NAME)

atheris.Setup(sys.argv, searched.one_input)
atheris.Fuzz()
