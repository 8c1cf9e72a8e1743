"""System calls that Python has no function for, by ctypes: prctl, capset, and those of seccomp and Landlock."""

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import TypeAlias

from diadem_client.hosted.syscalls import this_machine

PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION = 0x20080522

Memory: TypeAlias = ctypes.Array[ctypes.c_char]
"""What a call is given the address of. It has to be held on to meanwhile."""


class NotOffered(Exception):
    """This kernel has no such call, or whatever this process runs in does not let it through."""


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: int | Memory | None) -> int:
    """Make a system call; raises OSError, or NotOffered on a kind of machine that is not known here."""
    machine = this_machine()
    if machine is None:
        raise NotOffered
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_libc().syscall(ctypes.c_long(machine.numbers[name]), *given))


def _checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def memory(content: bytes) -> Memory:
    return ctypes.create_string_buffer(content, len(content))


def address_of(content: Memory) -> int:
    return ctypes.addressof(content)


def _prctl(option: int, value: int) -> None:
    try:
        prctl = _libc().prctl
    except AttributeError:  # not Linux
        raise NotOffered from None
    _checked(prctl(option, *(ctypes.c_ulong(each) for each in (value, 0, 0, 0))))


def set_dumpable(*, dumpable: bool) -> None:
    """Whether other processes of this user may look into this one: its memory, environment and open files."""
    _prctl(PR_SET_DUMPABLE, int(dumpable))


def give_up_privileges() -> None:
    """Gain none by starting programs, and keep none of those that root has."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if _has_capabilities():  # who has none may be forbidden to ask
        header = memory(CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4))
        call("capset", header, memory(bytes(24)))


def _has_capabilities() -> bool:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return True
    return any(int(line.split()[1], 16) for line in lines if line.startswith("CapPrm:"))
