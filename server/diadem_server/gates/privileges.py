"""The user that a gate runs as: another one than the server, where the server may choose.

A gate reads its keys and opens its ports as the server's user, and then becomes another, before it takes in the first byte of a stranger's. From then on
neither it nor the clients that it hosts can read the journal, or signal the server. It needs nothing of the data directory: connections and
what is kept for players go by its server.
"""

import ctypes
import logging
import os
import pwd
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

import diadem_server
import diadem_shared
from diadem_server.gates.messages import CannotListen, GateUser

log = logging.getLogger(__name__)

ROOT = 0
USUAL = "nobody"
"""Whom a gate of root becomes if the host names nobody else."""
PROCESSES, PROCESSES_OF_A_SESSION = 256, 16
"""Processes and threads that the gates' user may have: some, and for each session; a hosted client has five threads."""
SET_DUMPABLE, SET_NO_NEW_PRIVILEGES, CAPABILITY_AMBIENT, CLEAR_ALL = 4, 38, 47, 4
CAPABILITY_VERSION = 0x20080522
STAYS_ROOT = "the gate runs as root: %s may not read %s; name a user who may with --gate-user"


def user_for(wanted: str | None) -> GateUser | None:
    """Whom a gate becomes; None if it stays who the server is. Raises CannotListen if there is no such user."""
    if wanted is None and os.geteuid() != ROOT:
        return None
    try:
        found = _find(wanted or USUAL)
    except (KeyError, OverflowError):
        if wanted is None:
            return None
        raise CannotListen(f"--gate-user {wanted}: there is no such user") from None
    if found.pw_uid == os.geteuid():
        return None
    return GateUser(found.pw_name, found.pw_uid, found.pw_gid, is_wish=wanted is not None)


def _find(name: str) -> pwd.struct_passwd:
    return pwd.getpwuid(int(name)) if name.isdecimal() else pwd.getpwnam(name)


def most_processes(sessions: int) -> int:
    """Of all gates' sessions, as one user has them all."""
    return PROCESSES + PROCESSES_OF_A_SESSION * sessions


def drop(user: GateUser | None, processes: int, needed: Sequence[Path] = ()) -> None:
    """Become that user, for good, who has to be able to read what is `needed` as long as the gate runs. No
    process of the same user is to look into this one from then on.

    Raises CannotListen where the host has named a user for whom that cannot be.
    """
    if user is not None:
        _change_user(user, processes, needed)
    give_up_privileges()


def _change_user(user: GateUser, processes: int, needed: Sequence[Path]) -> None:
    try:
        missing = unreadable(user, needed)
    except PermissionError:
        raise CannotListen(
            f"--gate-user {user.name}: only root may, and who has CAP_SETUID and CAP_SETGID"
        ) from None
    if missing is None:
        _become(user, processes)
    elif user.is_wish:
        raise CannotListen(f"--gate-user {user.name}: {missing} cannot be read by that user")
    else:
        log.warning(STAYS_ROOT, user.name, missing)


def unreadable(user: GateUser, needed: Sequence[Path]) -> Path | None:
    """What that user cannot read of the program, or of what is needed; None if all can be."""
    packages = (os, msgspec, diadem_shared, diadem_server)
    program = [Path(sys.executable), *(Path(each.__file__ or "") for each in packages)]
    with _as(user):
        for path in (*program, *needed):
            try:
                os.close(os.open(path, os.O_RDONLY))
            except OSError:
                return path
    return None


@contextmanager
def _as(user: GateUser) -> Iterator[None]:
    """For a moment; no other thread may do anything meanwhile."""
    own, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    os.setgroups([])
    os.setegid(user.group)
    os.seteuid(user.user)
    try:
        yield
    finally:
        os.seteuid(own)
        os.setegid(group)
        os.setgroups(groups)


def _become(user: GateUser, processes: int) -> None:
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    os.setgroups([])
    os.setgid(user.group)
    os.setuid(user.user)  # with the right to, of all three kinds


def give_up_privileges() -> None:
    """Those by which a server that is not root chooses its gates' user. A gate that stays root's keeps its own: it may have a
    file of keys to read that is somebody else's.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4), 8)
    none = ctypes.create_string_buffer(24)
    with suppress(AttributeError):  # not Linux
        for option, value in (
            (CAPABILITY_AMBIENT, CLEAR_ALL),
            (SET_NO_NEW_PRIVILEGES, 1),
            (SET_DUMPABLE, 0),
        ):
            libc.prctl(option, *(ctypes.c_ulong(each) for each in (value, 0, 0, 0)))
        if os.geteuid() != ROOT:
            libc.capset(header, none)
