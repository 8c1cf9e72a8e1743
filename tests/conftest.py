"""How much is tried by chance, which tests are which, and in what order they run."""

import zlib
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
pytest_plugins = ["tests.cluster.fixtures", "tests.coverage_floors"]
FOLDERS = ("cluster", "e2e", "lan", "ssh", "web")
"""Whose tests bear their name as a mark: they need other programs, and wait for them."""

# Hypothesis judges what is true, not how fast this machine is today.
settings.register_profile("diadem", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("diadem"), max_examples=1000)
settings.load_profile("diadem")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder, keep tests that share programs in one worker, and put what takes long first."""
    for item in items:
        path = item.path.relative_to(HERE)
        folder = path.parts[0]
        if folder in FOLDERS:
            item.add_marker(folder)
            item.add_marker("slow")
            # Hosts of a network are work enough one at a time; elsewhere a module shares what it has started.
            shared = folder if folder == "lan" else str(path)
            item.add_marker(pytest.mark.xdist_group(shared))
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")
    items.sort(key=_place)


def _place(item: pytest.Item) -> float:
    """Before the others what one worker does alone, then what waits for programs mixed with what computes, always in the same way."""
    if item.get_closest_marker("lan"):
        return 0.0
    if not item.get_closest_marker("slow"):
        return 1.0
    group = item.get_closest_marker("xdist_group")
    mixed = zlib.crc32((group.args[0] if group else item.nodeid).encode()) / 2**32
    return mixed / 2 if group else mixed  # a module takes longer than a test
