"""System calls by ctypes."""

import os
import subprocess
import sys

import pytest

from diadem_client.hosted import kernel
from diadem_client.hosted.kernel import NotOffered, call
from diadem_client.hosted.syscalls import this_machine
from tests.patience import PATIENCE

linux = pytest.mark.skipif(this_machine() is None, reason="system calls are known of Linux alone")


@linux
def test_a_call_is_made_with_its_arguments() -> None:
    assert call("getpid") == os.getpid()
    content = kernel.memory(bytes(4))
    read, write = os.pipe()
    os.write(write, b"word")
    assert call("read", read, content, 4) == 4
    assert content.raw == b"word"
    os.close(read)
    os.close(write)


@linux
def test_what_the_kernel_refuses_is_an_error_with_its_number() -> None:
    with pytest.raises(OSError, match="Bad file descriptor"):
        call("close", 1 << 20)


def test_another_kind_of_machine_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "this_machine", lambda: None)
    with pytest.raises(NotOffered):
        call("getpid")


STATUS = """\
from pathlib import Path
from diadem_client.hosted.kernel import give_up_privileges, set_dumpable
give_up_privileges()
set_dumpable(dumpable=False)
print(Path("/proc/self/status").read_text())
"""


@linux
def test_privileges_are_gone() -> None:
    said = subprocess.run(  # noqa: S603
        [sys.executable, "-c", STATUS], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    status = dict(line.split(":\t", 1) for line in said.splitlines() if ":\t" in line)
    assert status["NoNewPrivs"] == "1"
    assert {int(status[each], 16) for each in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
