"""Landlock: the kernel lets this process reach the files it is given, and nothing else beneath the root.

What is open already stays so. Whether a file exists, and what its owner may change about it (its mode, its times), is not
Landlock's to say: seccomp refuses the latter.
"""

import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from errno import EINVAL, ENOSYS, EOPNOTSUPP, EPERM
from pathlib import Path

from msgspec import Struct

from diadem_client.hosted.kernel import NotOffered, call, memory

GET_VERSION = 1
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REGULAR, TRUNCATE = (
    1 << bit for bit in (1, 2, 3, 5, 7, 8, 14)
)
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights each version knows, lowest bit first; from version 5 on 16."""
LATER_FILE_RIGHTS = 16
NETWORK_SINCE, SIGNALS_SINCE = 4, 6
BIND_AND_CONNECT, CONNECT = 0b11, 0b10
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
BENEATH_A_PATH, AT_A_PORT = 1, 2
NOT_OFFERED = {ENOSYS, EOPNOTSUPP, EINVAL, EPERM}
READS = READ_FILE | READ_DIR
SAVES = READS | WRITE_FILE | TRUNCATE | MAKE_REGULAR | MAKE_DIR | REMOVE_FILE


class Reach(Struct, frozen=True):
    """What stays within reach."""

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    """Files that are there, such as devices."""
    saved_in: Path | None = None
    """A folder in which files are made and replaced."""
    port: int | None = None
    """Of TCP, to which connections may be opened."""


def version() -> int:
    """Which version of Landlock the kernel has; 0 for none."""
    try:
        return call("landlock_create_ruleset", None, 0, GET_VERSION)
    except (NotOffered, OSError):
        return 0


def enter(reach: Reach) -> bool:
    """Restrict this thread, and those that it starts, for good; whether the kernel does that. For an ordinary user it does
    once no privileges can be gained."""
    if not (known := version()):
        return False
    files = (1 << FILE_RIGHTS.get(known, LATER_FILE_RIGHTS)) - 1
    network = BIND_AND_CONNECT if known >= NETWORK_SINCE else 0
    scoped = ABSTRACT_SOCKETS_AND_SIGNALS if known >= SIGNALS_SINCE else 0
    attributes = memory(struct.pack("=QQQ", files, network, scoped))
    try:
        rules = call("landlock_create_ruleset", attributes, len(attributes), 0)
        try:
            _allow(rules, reach, files)
            if reach.port is not None and network:
                at_port = memory(struct.pack("=QQ", CONNECT, reach.port))
                call("landlock_add_rule", rules, AT_A_PORT, at_port, 0)
            call("landlock_restrict_self", rules, 0)
        finally:
            os.close(rules)
    except OSError as error:
        if error.errno in NOT_OFFERED:
            return False
        raise
    return True


def _allow(rules: int, reach: Reach, known: int) -> None:
    _beneath(rules, reach.readable, READS & known)
    _beneath(rules, reach.writable, (READ_FILE | WRITE_FILE | TRUNCATE) & known)
    if reach.saved_in is not None:
        _beneath(rules, [reach.saved_in], SAVES & known)


def _beneath(rules: int, paths: Iterable[Path], rights: int) -> None:
    """Of a file, of which rights to a folder would be refused, those to a file alone."""
    for path in paths:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            of_it = rights if path.is_dir() else rights & (READ_FILE | WRITE_FILE | TRUNCATE)
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                rule = memory(struct.pack("=Qi", of_it, opened))
                call("landlock_add_rule", rules, BENEATH_A_PATH, rule, 0)
            finally:
                os.close(opened)
