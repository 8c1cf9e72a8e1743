"""Seccomp: a filter in the kernel that lets a hosted client make the system calls it needs, and no other.

A filter is a small program (BPF) that the kernel runs at each system call, on its number, its first 32 bits of each
argument where they matter, and the architecture that the number is meant for. It cannot be taken off, holds for all threads, and is
inherited. It sees no memory, so nothing here depends on a path: which files may be opened is Landlock's to say.

What is not listed is refused with EPERM, as if the user had no right to it. Two calls have their arguments in memory, where the filter cannot
see them (clone3, openat2): they are said not to exist, like all that are newer than the list, and the C library then makes the
older call.
"""

import os
import socket
import struct
from collections.abc import Iterable, Sequence
from errno import EACCES, EINVAL, ENOSYS, EPERM

from msgspec import Struct

from diadem_client.hosted.kernel import NotOffered, address_of, call, memory
from diadem_client.hosted.syscalls import NEWEST, Machine, this_machine

LOAD, JUMP_IF_EQUAL, JUMP_IF_GREATER, JUMP_IF_ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
"""Instructions of BPF: a 32-bit word is loaded, compared, and answered with."""
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where the kernel's `seccomp_data` has them."""
ALLOW, REFUSE, MISSING, KILL = 0x7FFF0000, 0x00050000 | EPERM, 0x00050000 | ENOSYS, 0x80000000
SET_FILTER, FOR_ALL_THREADS = 1, 1

ALWAYS = {
    "memory": "brk mmap munmap mremap mprotect madvise membarrier",
    "what is open": "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close"
    " close_range dup dup2 dup3 fstat fstatfs fadvise64 fsync fdatasync ftruncate flock pipe pipe2 eventfd2",
    "whether a file exists": "stat lstat newfstatat statx statfs access faccessat faccessat2 readlink readlinkat"
    " getcwd getdents getdents64",
    "waiting": "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2"
    " futex futex_waitv futex_wake futex_wait futex_requeue sched_yield",
    "the time": "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer setitimer",
    "threads": "set_robust_list set_tid_address rseq gettid sched_getaffinity getcpu exit exit_group arch_prctl",
    "what signals do here": "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait"
    " sigaltstack pause restart_syscall",
    "who and where it is": "getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp"
    " getpgid getsid uname sysinfo getrusage getrandom getrlimit umask",
    "the connection that it was given": "getsockopt getsockname getpeername sendmsg recvmsg recvfrom"
    " shutdown",
}
"""Calls that are made whatever their arguments are."""
MADE_ANOTHER_WAY = ("clone3", "openat2")
SAVING = ("mkdir", "mkdirat", "rename", "renameat", "renameat2")
"""Where there is a folder to save in; Landlock says where that is."""
CONNECTING = ("connect", "setsockopt", "sendto", "sendmmsg", "recvmmsg")
"""Where the server is reached by a network, and its name has to be looked up."""

CLONE_THREAD = 0x10000
WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | 0o20000000
"""Flags of which none is set where a file is opened for reading; the last is that of a file without a name."""
FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicates, flags and locks. Not among them: whom the kernel sends which signal when there is something to read."""
IOCTL = (
    *(
        0x5401,
        0x5402,
        0x5403,
        0x5404,
        0x802C542A,
        0x402C542B,
        0x402C542C,
        0x402C542D,
    ),  # modes of a terminal
    *(0x5409, 0x540A, 0x540B, 0x540F, 0x5410, 0x5413, 0x5429),  # its buffers, size and processes
    *(0x541B, 0x5421, 0x5450, 0x5451),  # what waits, and flags
)
PRCTL = (15, 16, 0x53564D41)
"""A thread's name, and that of a part of memory."""

Instruction = tuple[int, int, int, int]
"""Code, how many instructions are skipped if it is so and if not, and a number."""


class Needs(Struct, frozen=True):
    """What a client needs beside its terminal and the connection it was given."""

    saves: bool = False
    """Whether it writes files."""
    connects: bool = False
    """Whether it opens connections by itself."""


def enter(needs: Needs) -> bool:
    """Filter the calls of this process, for good; whether the kernel does that. For an ordinary user it does once no
    privileges can be gained."""
    machine = this_machine()
    if machine is None:
        return False
    program = memory(encoded(program_for(machine, needs, os.getpid())))
    count = len(program) // 8
    described = memory(struct.pack("=HxxxxxxQ", count, address_of(program)))
    try:
        call("seccomp", SET_FILTER, FOR_ALL_THREADS, described)
    except NotOffered:
        return False
    except OSError as error:
        if error.errno in {ENOSYS, EINVAL, EPERM, EACCES}:
            return False
        raise
    return True


def encoded(program: Iterable[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def program_for(machine: Machine, needs: Needs, own_process: int) -> list[Instruction]:
    """The filter, for a process of this number."""
    always = [name for names in ALWAYS.values() for name in names.split()]
    rules: dict[str, Sequence[Instruction]] = dict.fromkeys(always, (_answer(ALLOW),))
    rules |= dict.fromkeys(MADE_ANOTHER_WAY, (_answer(MISSING),))
    rules |= {
        "clone": _if_any_bit(0, CLONE_THREAD, ALLOW, REFUSE),
        "kill": _if_among(0, [own_process]),
        "tgkill": _if_among(0, [own_process]),
        "prctl": _if_among(0, PRCTL),
        "fcntl": _if_among(1, FCNTL),
        "ioctl": _if_among(1, IOCTL),
        "prlimit64": _if_null(2),  # limits are read, and not changed
        "sendto": _if_null(4),  # to whom it is connected
        "socketpair": _if_among(0, [socket.AF_UNIX]),
        "open": _if_any_bit(1, WRITING, REFUSE, ALLOW),
        "openat": _if_any_bit(2, WRITING, REFUSE, ALLOW),
    }
    if needs.saves:
        rules |= dict.fromkeys(("open", "openat", *SAVING), (_answer(ALLOW),))
    if needs.connects:
        rules |= dict.fromkeys(CONNECTING, (_answer(ALLOW),))
        rules["socket"] = _if_among(0, [socket.AF_INET, socket.AF_INET6])
    return [*_begin(machine), *_by_number(machine, rules), _answer(REFUSE)]


def _begin(machine: Machine) -> list[Instruction]:
    """The same number is another call for another architecture, which a process may ask for."""
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_IF_EQUAL, 1, 0, machine.audit_arch),
        _answer(KILL),
        (LOAD, 0, 0, NUMBER),
        (JUMP_IF_GREATER, 0, 1, NEWEST),
        _answer(MISSING),
    ]


def _by_number(machine: Machine, rules: dict[str, Sequence[Instruction]]) -> list[Instruction]:
    """Each rule ends with an answer, so the number is there for the next one where it was not asked for."""
    program: list[Instruction] = []
    for name in sorted(rules.keys() & machine.numbers.keys()):
        program += [(JUMP_IF_EQUAL, 0, len(rules[name]), machine.numbers[name]), *rules[name]]
    return program


def _answer(what: int) -> Instruction:
    return (RETURN, 0, 0, what)


def _load(argument: int, *, upper: bool = False) -> Instruction:
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument + 4 * upper)


def _if_among(argument: int, values: Iterable[int]) -> list[Instruction]:
    compared = [each for value in values for each in ((JUMP_IF_EQUAL, 0, 1, value), _answer(ALLOW))]
    return [_load(argument), *compared, _answer(REFUSE)]


def _if_any_bit(argument: int, bits: int, then: int, else_: int) -> list[Instruction]:
    return [_load(argument), (JUMP_IF_ANY_BIT, 0, 1, bits), _answer(then), _answer(else_)]


def _if_null(argument: int) -> list[Instruction]:
    return [
        _load(argument),
        (JUMP_IF_EQUAL, 0, 3, 0),
        _load(argument, upper=True),
        (JUMP_IF_EQUAL, 0, 1, 0),
        _answer(ALLOW),
        _answer(REFUSE),
    ]
