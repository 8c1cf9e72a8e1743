"""Folded tables: every case is checked, and a failure names those that fail."""

import pytest

from tests.cases import NAMED, cases

seen: list[tuple[object, ...]] = []


@cases("letter", "ab")
@cases(("number", "square"), [(1, 1), (2, 4)])
def test_every_case_of_every_table_is_checked_beside_fixtures(
    letter: str, number: int, square: int, request: pytest.FixtureRequest
) -> None:
    assert number * number == square
    seen.append((letter, number, request.node.name))
    name = "test_every_case_of_every_table_is_checked_beside_fixtures"
    assert seen[-4:] == [(a, n, name) for a in "ab" for n in (1, 2)][: len(seen)]


@cases("number", range(1000))
def of_small_numbers(number: int) -> None:
    assert number % 500 < 499 or number > 1000
    if number == 7:
        pytest.fail("seven")


def test_a_failure_names_the_cases_and_says_why() -> None:
    with pytest.raises(AssertionError) as failed:
        of_small_numbers()
    said = str(failed.value)
    assert said.startswith(
        "3 of 1000 cases fail: 7, 499, 999\n7: Failed: seven\n499: AssertionError"
    )
    assert failed.value.__cause__ is not None


@cases("number", range(1000))
def of_none(number: int) -> None:
    assert number < 0, "x" * 10_000


def test_the_message_stays_short() -> None:
    with pytest.raises(AssertionError) as failed:
        of_none()
    said = str(failed.value)
    assert "99\nand 900 more\n" in said
    assert len(said) < 60 * NAMED


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no cases for row"):
        cases("row", [])


def test_a_test_that_awaits_is_not_folded() -> None:
    async def waits(row: int) -> None:
        assert row

    with pytest.raises(TypeError, match="waits awaits"):
        cases("row", [1])(waits)  # type: ignore[arg-type]  # what mypy finds, is found without it too
