"""The rig: checks that every game of the registry has to pass.

A check raises `Broken` with the fault and where it was found; tests/rig/test_plants.py proves that
each of them catches the fault it is there for.
"""


class Broken(AssertionError):
    """A promise of the contract was not kept."""


def require(kept: object, promise: str, *evidence: object) -> None:
    if not kept:
        raise Broken("\n  ".join([promise, *map(repr, evidence)]))
