"""How much is tried by chance, and which tests are which: see "Work on it" in README.md."""

from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
FOLDERS = ("e2e", "lan", "ssh")
"""Whose tests bear their name as a mark: they need other programs, and wait for them."""

# Hypothesis judges what is true, not how fast this machine is today.
settings.register_profile("diadem", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("diadem"), max_examples=1000)
settings.load_profile("diadem")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder, and put first what takes long: no worker then begins it when the others end."""
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in FOLDERS:
            item.add_marker(folder)
        if folder == "lan":
            item.add_marker(pytest.mark.xdist_group(folder))  # one network at a time is work enough
    items.sort(key=_is_short)


def _is_short(item: pytest.Item) -> bool:
    return not any(item.get_closest_marker(name) for name in (*FOLDERS, "slow"))
