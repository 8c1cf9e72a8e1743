"""The sandbox of hosted clients: what a process may still do once a stranger's keys are read in it.

A hosted client runs on the host's machine for people whom the host does not know. What they type leads to no file, program or other
server; should a screen, a library or a memory error let them run code of their own all the same, the process itself can do
little. It is closed in layers, each with a module of its own, from the inside out:

1. *Limits*: the size of files, open files, no core dump.
2. *Privileges*: none of root's, none to gain, and no other process of this user looks into it.
3. *Landlock*: the kernel opens the program's own files, for reading, and no others.
4. *Seccomp*: the kernel makes no call that playing does not need: no program, process, socket, signal to others.
5. *The audit hook*: Python asks before most of that, and says no. It is all there is where the kernel has no more to offer, and it
   stops slips only: code that runs in this process can take it off.

The order matters. Landlock and seccomp need a process that can gain no privileges; seccomp refuses the calls that make the
other layers; and all of them hold for threads that are started later, so there must be none before.
"""

import resource
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from diadem_client.hosted import audit_hook, landlock, seccomp
from diadem_client.hosted.kernel import NotOffered, give_up_privileges, set_dumpable
from diadem_client.net.address import Address
from diadem_shared.forkserver_protocol import NO_LAYER, Layer

MOST_FILES = 64
LONGEST_FILE = 1 << 20
"""Bytes of a file that is saved; where nothing is saved no file can be written at all."""
NAME_RESOLUTION = (
    *("/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf"),
    *("/etc/services", "/run/systemd/resolve", "/run/resolvconf"),
)
CERTIFICATES = ("/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates")
"""What is needed to reach a server by the network, whose name is looked up again when a connection breaks."""


class NotConfined(Exception):
    """A layer is missing that this machine has."""


class Confinement(Struct, frozen=True):
    """What a hosted client is confined to."""

    server: Address
    saved_in: Path | None = None
    """The folder of its player, if it writes there by itself."""

    @property
    def connects(self) -> bool:
        """Whether it opens its connections by itself; a gate hands them to its clients."""
        return self.server.opened_by is None


Apply: TypeAlias = Callable[[Confinement], bool]
"""Closes the process in by one layer, for good; whether this system has it."""


def _limit(confinement: Confinement) -> bool:
    longest = LONGEST_FILE if confinement.saved_in is not None else 0
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, longest),
        (resource.RLIMIT_NOFILE, MOST_FILES),
    ):
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # the host may have taken away the right to
            return False
    return True


def _give_up(_confinement: Confinement) -> bool:
    try:
        set_dumpable(dumpable=False)
        give_up_privileges()
    except (NotOffered, OSError):
        return False
    return True


def _keep_files_away(confinement: Confinement) -> bool:
    files = audit_hook.program_folders()
    port = None
    if confinement.connects:
        files += map(Path, NAME_RESOLUTION + CERTIFICATES)
        port = confinement.server.port
    reach = landlock.Reach(
        readable=(
            *files,
            *audit_hook.library_folders(),
            Path("/etc/ld.so.cache"),
            Path("/dev/urandom"),
        ),
        writable=(Path("/dev/null"),),
        saved_in=confinement.saved_in,
        port=port,
    )
    return landlock.enter(reach)


def _filter_calls(confinement: Confinement) -> bool:
    return seccomp.enter(
        seccomp.Needs(saves=confinement.saved_in is not None, connects=confinement.connects)
    )


def _add_hook(confinement: Confinement) -> bool:
    audit_hook.enter(confinement.server, confinement.saved_in)
    return True


LAYERS: dict[Layer, Apply] = {
    Layer.LIMITS: _limit,
    Layer.PRIVILEGES: _give_up,
    Layer.LANDLOCK: _keep_files_away,
    Layer.SECCOMP: _filter_calls,
    Layer.AUDIT_HOOK: _add_hook,
}


def enter(server: Address, saved_in: Path | None, at_least: Layer = NO_LAYER) -> Layer:
    """Confine this process, for good, to playing on that server; the layers that it got.

    Raises NotConfined where one is missing that it has to have.
    """
    if saved_in is not None:
        with suppress(OSError):  # then nothing is saved
            saved_in.mkdir(mode=0o700, parents=True, exist_ok=True)
    time.tzset()  # reads the file of the time zone, as long as that can be read
    confinement = Confinement(server, saved_in)
    active = NO_LAYER
    for layer, apply in LAYERS.items():
        if apply(confinement):
            active |= layer
    if at_least & ~active:
        raise NotConfined(at_least & ~active)
    return active
