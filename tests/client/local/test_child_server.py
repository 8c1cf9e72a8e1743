"""A child server ends with its parent, and keeps what it was told to keep."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


@contextmanager
def child_server(tmp_path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """One that listens."""
    child = subprocess.Popen(  # noqa: S603
        [
            *(sys.executable, "-m", "diadem_client.local.child_server"),
            *("--host", "127.0.0.1", "--port", "0", *options),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"TMPDIR": str(tmp_path)},
    )
    try:
        assert child.stdout is not None
        assert any(re.search(r"open, port \d+", line) for line in child.stdout)
        yield child
    finally:
        child.kill()
        child.communicate(timeout=PATIENCE)


def hang_up(child: subprocess.Popen[str]) -> None:
    """As if its parent had died."""
    child.communicate(timeout=PATIENCE)


def test_it_ends_when_nobody_holds_it_any_more_and_leaves_nothing(tmp_path: Path) -> None:
    with child_server(tmp_path) as child:
        assert list(tmp_path.iterdir())
        hang_up(child)
        assert child.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_what_is_to_be_kept_is_kept(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with child_server(tmp_path, "--data", str(data)) as child:
        hang_up(child)
        assert child.returncode == 0
    assert list(tmp_path.iterdir()) == [data]
    assert list(data.iterdir())
