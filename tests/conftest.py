"""How much is tried by chance, which tests are which, and in what order they run."""

import gc
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
pytest_plugins = ["tests.cluster.fixtures", "tests.coverage_floors"]
FOLDERS = ("cluster", "e2e", "lan", "ssh", "web")
"""Whose tests bear their name as a mark: they need other programs, and wait for them."""
LONGEST = ("lan", "postgres")
"""Groups of tests that one worker runs for some minutes, most of which it waits."""

# Hypothesis judges what is true, not how fast this machine is today.
settings.register_profile("diadem", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("diadem"), max_examples=1000)
settings.load_profile("diadem")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder, and put what takes long first, so that no worker begins it when the others end."""
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in FOLDERS:
            item.add_marker(folder)
            item.add_marker("slow")
        if folder == "lan":
            item.add_marker(pytest.mark.xdist_group(folder))  # one network at a time is work enough
        elif "postgres" in getattr(item, "fixturenames", ()):
            half = zlib.crc32(item.nodeid.encode()) % 2
            item.add_marker(
                pytest.mark.xdist_group(f"postgres {half}")
            )  # not a server for each worker
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")
    items.sort(key=_place)


def _place(item: pytest.Item) -> float:
    """First the longest groups, then slow tests, those that wait mixed with those that compute, always in the same way."""
    if group := item.get_closest_marker("xdist_group"):
        name = str(group.args[0])
        return 0.0 if name.startswith(LONGEST) else zlib.crc32(name.encode()) / 2**33
    if item.get_closest_marker("slow"):
        return zlib.crc32(item.nodeid.encode()) / 2**32
    return 1.0


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings, sessions and matches of the person who runs the tests are neither read nor written."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
        yield


def pytest_collection_finish() -> None:
    """Keep the garbage collector away from the thousands of tests and modules, and from running for each 700 objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
