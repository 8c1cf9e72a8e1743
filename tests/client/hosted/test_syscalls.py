"""Numbers of system calls, against those of this machine's own headers, and of each other."""

import platform
import re
from pathlib import Path

import pytest

from diadem_client.hosted import syscalls
from diadem_client.hosted.syscalls import AARCH64, MACHINES, NEWEST, X86_64, this_machine

HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
SINCE_BOTH_COUNT_ALIKE = 424
"""New calls have one number on all machines from here on."""


@pytest.mark.skipif(not HEADER.exists(), reason="the kernel's headers for x86-64 are not installed")
def test_they_are_those_of_the_headers() -> None:
    there = dict(re.findall(r"#define __NR_(\w+) (\d+)", HEADER.read_text()))
    assert {
        name: number for name, number in X86_64.items() if int(there.get(name, number)) != number
    } == {}


def test_no_two_calls_have_one_number() -> None:
    for numbers in (X86_64, AARCH64):
        assert len(set(numbers.values())) == len(numbers)
        assert max(numbers.values()) <= NEWEST


def test_new_calls_have_one_number_everywhere() -> None:
    new = {name for name, number in X86_64.items() if number >= SINCE_BOTH_COUNT_ALIKE}
    assert new
    assert {name: X86_64[name] for name in new} == {name: AARCH64[name] for name in new}


def test_a_machine_of_32_bits_and_an_unknown_one_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    for name, machine in MACHINES.items():
        monkeypatch.setattr(platform, "machine", lambda name=name: name)
        assert this_machine() is machine
    monkeypatch.setattr(platform, "machine", lambda: "m68k")
    assert this_machine() is None
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(syscalls, "POINTER_BYTES", 4)
    assert this_machine() is None
