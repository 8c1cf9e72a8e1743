"""Cases of a table, checked in one test that names all that fail."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

NAMED = 100
"""How many failing cases a message names."""
EXPLAINED = 5
"""How many of them it explains."""
LENGTH = 300
"""Characters of an explanation, and five times those of a name."""

Test = Callable[..., None]
Name = Callable[[Any], object]  # of a value of whatever type the test takes
Case = list[tuple[str, Any, Name]]
FAILURES = (Exception, pytest.fail.Exception)


def cases(
    arguments: str | tuple[str, ...], rows: Iterable[Any], ids: Name = str
) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but one test for all rows. Several of them multiply.

    For rows of a table. What needs a fixture of its own, or awaits something, is parametrized.
    """
    names = (arguments,) if isinstance(arguments, str) else arguments
    table: list[Case] = []
    for row in rows:
        values = (row,) if isinstance(arguments, str) else row
        table.append([(name, value, ids) for name, value in zip(names, values, strict=True)])
    if not table:
        raise ValueError(f"no cases for {arguments}")

    def fold(test: Test) -> Test:
        nothing: list[Case] = [[]]
        check, others = getattr(test, "folded", (test, nothing))
        if inspect.iscoroutinefunction(check):
            raise TypeError(f"{check.__name__} awaits something: parametrize it")
        product = [[*other, *case] for case in table for other in others]
        bound = {name for name, _, _ in product[0]}
        signature = inspect.signature(check)
        fixtures = [each for name, each in signature.parameters.items() if name not in bound]

        @functools.wraps(check)
        def folded(*instance: object, **given: object) -> None:
            __tracebackhide__ = True
            run(functools.partial(check, *instance, **given), product)

        folded.__dict__["__signature__"] = signature.replace(parameters=fixtures)
        folded.__dict__["folded"] = check, product
        return folded

    return fold


def run(check: Test, product: Sequence[Case]) -> None:
    __tracebackhide__ = True
    failed: list[tuple[str, BaseException]] = []
    for case in product:
        try:
            check(**{name: value for name, value, _ in case})
        except FAILURES as failure:
            name = "-".join(str(ids(value))[: LENGTH // 5] for _, value, ids in case)
            failed.append((name, failure))
    if failed:
        raise AssertionError(message(failed, len(product))) from failed[0][1]


def message(failed: Sequence[tuple[str, BaseException]], of: int) -> str:
    more = len(failed) - NAMED
    return "\n".join(
        [
            f"{len(failed)} of {of} cases fail: {', '.join(name for name, _ in failed[:NAMED])}",
            *([f"and {more} more"] if more > 0 else []),
            *(
                f"{name}: {type(failure).__name__}: {str(failure)[:LENGTH]}"
                for name, failure in failed[:EXPLAINED]
            ),
        ]
    )
