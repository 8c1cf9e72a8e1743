"""Landlock: what is beneath the given folders is within reach, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diadem_client.hosted import landlock
from diadem_client.hosted.landlock import Reach
from tests.patience import PATIENCE

here = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")

PROGRAM = """\
import os
from pathlib import Path
from diadem_client.hosted.kernel import give_up_privileges
from diadem_client.hosted.landlock import Reach, enter
here = Path({here!r})
give_up_privileges()
reach = Reach((here / "read", here / "read.txt", here / "missing"), (here / "device",), here / "saved")
assert enter(reach)
for act in {acts!r}:
    try:
        eval(act)
    except PermissionError:
        print("refused")
    else:
        print("done")
"""


def outcomes(place: Path, acts: tuple[str, ...]) -> set[str]:
    for name in ("read", "saved", "other"):
        (place / name).mkdir()
        (place / name / "file").write_text("canary")
    for name in ("read.txt", "device", "other.txt"):
        (place / name).write_text("canary")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PROGRAM.format(here=str(place), acts=acts)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@here
def test_what_is_given_is_within_reach(tmp_path: Path) -> None:
    acts = (
        "(here / 'read' / 'file').read_text()",
        "os.listdir(here / 'read')",
        "(here / 'read.txt').read_text()",
        "(here / 'device').write_text('x')",
        "(here / 'saved' / 'file').read_text()",
        "(here / 'saved' / 'new').write_text('x')",
        "(here / 'saved' / 'file').rename(here / 'saved' / 'again')",
        "(here / 'saved' / 'folder').mkdir()",
    )
    assert outcomes(tmp_path, acts) == {"done"}


@here
def test_nothing_else_is(tmp_path: Path) -> None:
    acts = (
        "(here / 'other.txt').read_text()",
        "(here / 'other' / 'file').read_text()",
        "os.listdir(here / 'other')",
        "os.listdir('/')",
        "open('/proc/self/environ')",
        "(here / 'read' / 'file').write_text('x')",
        "(here / 'read' / 'new').touch()",
        "(here / 'read' / 'file').unlink()",
        "(here / 'new').mkdir()",
        "os.mkfifo(here / 'saved' / 'pipe')",
        "os.symlink('/etc/passwd', here / 'saved' / 'link')",
        "os.execv('/bin/sh', ['sh', '-c', 'echo canary'])",
    )
    assert outcomes(tmp_path, acts) == {"refused"}


def test_a_kernel_without_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> int:
        raise OSError(38, os.strerror(38))

    monkeypatch.setattr(landlock, "call", missing)
    assert landlock.version() == 0
    assert not landlock.enter(Reach())
