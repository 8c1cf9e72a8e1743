"""The soak finds whatever grows between the middle and the end, and nothing else."""

import pytest

from tools.bench.soak import PLANTS, SERVER, Sample, judged

MIDDLE = [
    Sample(0.5 + n / 1000, 90_000, 40, 5_000 + 10 * n, 2 << 20, 1 << 16, 1 << 20, 20)
    for n in range(60)
]
END = [each._replace(at=each.at + 0.4, log=each.log + 4_000) for each in MIDDLE]
SECONDS = 600.0


def grown(end: list[Sample]) -> list[str]:
    return [line.what for line in judged(MIDDLE, end, SECONDS) if line.has_grown]


def test_what_stays_as_it_is_has_not_grown() -> None:
    assert grown(END) == []


@pytest.mark.parametrize(
    ("field", "more", "what"),
    [
        ("memory", 20_000, "memory, KB"),
        ("descriptors", 40, "descriptors"),
        ("database", 3 << 20, "database, bytes"),
        ("people", 1 << 17, "people, bytes"),
        ("matches", 3 << 19, "matches, bytes"),
        ("finished", 30, "matches that are over"),
    ],
)
def test_what_is_more_is_named(field: str, more: int, what: str) -> None:
    end = [each._replace(**{field: getattr(each, field) + more}) for each in END]
    assert grown(end) == [what]


def test_a_log_that_grows_faster_is_named() -> None:
    assert grown([each._replace(log=20 * each.log) for each in END]) == ["log, bytes a minute"]


@pytest.mark.parametrize("plant", PLANTS.values())
def test_a_planted_fault_is_code(plant: str) -> None:
    compile(SERVER.format(plant=plant), "server", "exec")
