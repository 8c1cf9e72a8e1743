"""The filter of system calls, run here as the kernel runs it, for each kind of machine."""

import struct
from collections.abc import Sequence

import pytest

from diadem_client.hosted import seccomp
from diadem_client.hosted.seccomp import (
    ALLOW,
    ARGUMENTS,
    JUMP_IF_ANY_BIT,
    JUMP_IF_EQUAL,
    JUMP_IF_GREATER,
    KILL,
    LOAD,
    MISSING,
    REFUSE,
    RETURN,
    Instruction,
    Needs,
    encoded,
    program_for,
)
from diadem_client.hosted.syscalls import MACHINES, NEWEST, Machine

OWN = 4711
OTHER = 4712
THREAD_FLAGS = 0x3D0F00
FORK_FLAGS = 0x1200011
MOST_INSTRUCTIONS = 4096
CREATES, WRITES = 0o100 | 1, 2

each_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


def answer(
    program: Sequence[Instruction], machine: Machine, number: int, *arguments: int, arch: int = 0
) -> int:
    """What the kernel would do about a call."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=iIQ6Q", number, arch or machine.audit_arch, 0, *given)
    word, at = 0, 0
    while True:
        code, if_so, if_not, k = program[at]
        at += 1
        if code == RETURN:
            return k
        if code == LOAD:
            (word,) = struct.unpack_from("=I", data, k)
            continue
        is_so = {
            JUMP_IF_EQUAL: word == k,
            JUMP_IF_GREATER: word > k,
            JUMP_IF_ANY_BIT: bool(word & k),
        }[code]
        at += if_so if is_so else if_not


def answers(machine: Machine, needs: Needs, *calls: tuple[str | int, ...]) -> list[int]:
    program = program_for(machine, needs, OWN)
    return [
        answer(program, machine, machine.numbers[name], *map(int, given))
        for name, *given in calls
        if isinstance(name, str)
    ]


@each_machine
def test_what_playing_needs_is_allowed(machine: Machine) -> None:
    calls = (
        ("read", 0),
        ("openat", 0, 0, 0o2000000),
        ("clone", THREAD_FLAGS),
        ("kill", OWN, 1),
        ("tgkill", OWN, OTHER, 1),
        ("socketpair", 1, 1),
        ("sendto", 3, 1, 5, 0, 0),
        ("ioctl", 0, 0x5413),
        ("fcntl", 3, 4, 0o4000),
        ("prctl", 15),
        ("prlimit64", 0, 7, 0, 1 << 40),
        ("futex",),
        ("recvmsg",),
    )
    assert answers(machine, Needs(), *calls) == [ALLOW] * len(calls)


@each_machine
def test_what_reaches_out_is_refused(machine: Machine) -> None:
    calls = (
        ("openat", 0, 0, CREATES),
        ("openat", 0, 0, WRITES),
        ("openat", 0, 0, 0o20000000 | 2),
        ("clone", FORK_FLAGS),
        ("kill", OTHER, 9),
        ("kill", (1 << 32) - 1, 9),
        ("tgkill", OTHER, OTHER, 9),
        ("socketpair", 2, 1),
        ("sendto", 3, 1, 5, 0, 1 << 40),
        ("sendto", 3, 1, 5, 0, 4),
        ("ioctl", 0, 0x5412),
        ("ioctl", 0, 0x8901),
        ("fcntl", 3, 8, OTHER),
        ("fcntl", 3, 15, 1),
        ("prctl", 4, 1),
        ("prlimit64", 0, 7, 1 << 40, 0),
        ("prlimit64", OTHER, 7, 8, 0),
        ("socket", 1, 1),
        ("socket", 2, 1),
        ("connect",),
        ("setsockopt",),
        ("mkdirat",),
        ("renameat2",),
        ("seccomp",),
        ("capset",),
    )
    assert answers(machine, Needs(), *calls) == [REFUSE] * len(calls)


@each_machine
def test_what_is_not_listed_is_refused_and_what_is_newer_does_not_exist(machine: Machine) -> None:
    program = program_for(machine, Needs(), OWN)
    listed = set(machine.numbers.values())
    unlisted = [number for number in range(NEWEST + 1) if number not in listed]
    assert {answer(program, machine, number) for number in unlisted} == {REFUSE}
    assert {answer(program, machine, number) for number in (NEWEST + 1, 0x40000000)} == {MISSING}


@each_machine
def test_what_has_its_arguments_in_memory_is_made_another_way(machine: Machine) -> None:
    assert answers(machine, Needs(), ("clone3",), ("openat2",)) == [MISSING, MISSING]


@each_machine
def test_numbers_of_another_architecture_end_the_process(machine: Machine) -> None:
    program = program_for(machine, Needs(saves=True, connects=True), OWN)
    i386 = 0x40000003
    assert {answer(program, machine, number, arch=i386) for number in range(NEWEST)} == {KILL}


@each_machine
def test_who_saves_may_write_and_who_connects_may_open_connections(machine: Machine) -> None:
    saving = (("openat", 0, 0, CREATES), ("mkdirat",), ("renameat2",))
    assert answers(machine, Needs(saves=True), *saving) == [ALLOW] * 3
    connecting = (("socket", 2, 1), ("socket", 10, 2), ("connect",), ("sendto", 3, 1, 5, 0, 4))
    assert answers(machine, Needs(connects=True), *connecting) == [ALLOW] * 4
    other = (("socket", 1, 1), ("socket", 16, 3), ("socket", 17, 3))
    assert answers(machine, Needs(connects=True), *other) == [REFUSE] * 3


@each_machine
def test_it_is_as_long_as_the_kernel_takes(machine: Machine) -> None:
    program = program_for(machine, Needs(saves=True, connects=True), OWN)
    assert len(program) < MOST_INSTRUCTIONS
    assert len(encoded(program)) == 8 * len(program)
    assert all(at < 256 for each in program for at in each[1:3])


def test_every_call_that_is_allowed_has_a_number() -> None:
    """A name that is written wrong would be refused without a word."""
    known = set().union(*(machine.numbers for machine in MACHINES.values()))
    named = {name for names in seccomp.ALWAYS.values() for name in names.split()}
    assert named | {*seccomp.SAVING, *seccomp.CONNECTING, *seccomp.MADE_ANOTHER_WAY} <= known


def test_arguments_are_where_the_kernel_has_them() -> None:
    assert struct.calcsize("=iIQ") == ARGUMENTS
