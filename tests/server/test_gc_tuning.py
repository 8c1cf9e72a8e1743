"""The garbage collector runs seldom, and never over what was loaded at the start."""

import gc
from collections.abc import Iterator

import pytest

from diadem_server.gc_tuning import NEW_OBJECTS, collect_seldom


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


def test_what_is_there_is_looked_through_no_more() -> None:
    kept: list[list[int]] = [[] for _ in range(1_000)]
    collect_seldom()
    assert gc.get_freeze_count() >= len(kept)
    assert not any(each is kept for each in gc.get_objects())


def test_the_collector_waits_for_many_new_objects() -> None:
    collect_seldom()
    assert gc.get_threshold()[0] == NEW_OBJECTS
