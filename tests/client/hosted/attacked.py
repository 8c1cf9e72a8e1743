"""A hosted client in which a stranger runs code: `python -m tests.client.hosted.attacked`, for `test_sandbox`.

It is told in JSON what to do, becomes an ordinary user if it is root, enters the sandbox, takes off the audit hook, as code within it can, and
says of each attack whether it was refused.
"""

import ctypes
import fcntl
import gc
import json
import mmap
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from diadem_client.hosted import audit_hook, sandbox
from diadem_client.hosted.kernel import set_dumpable
from diadem_shared.forkserver_protocol import Layer
from tests.rig.hosted import BY_A_GATE

NOBODY = 65534
DIE_WITH_PARENT = 1
AT_HAND = (fcntl, mmap, resource, shutil, signal, socket)
"""What attacks use, loaded while that can be."""
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(answer: int) -> None:
    """Of a call of the C library."""
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")


class Victim:
    """Another process of this user. It is what is attacked, and says what it can see of the hosted client."""

    def __init__(self) -> None:
        self._ask, self._answer = os.pipe(), os.pipe()
        attacker = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            LIBC.prctl(DIE_WITH_PARENT, signal.SIGKILL)
            os.closerange(0, 3)
            while os.read(self._ask[0], 1):
                os.write(self._answer[1], b"+" if self._sees(attacker) else b"-")
            os._exit(0)

    def _sees(self, process: int) -> bool:
        try:
            return bool(Path(f"/proc/{process}/environ").read_bytes())
        except OSError:
            return False

    def look_into_attacker(self) -> None:
        os.write(self._ask[1], b"?")
        if os.read(self._answer[0], 1) != b"+":
            raise PermissionError


class Here:
    """What there is to be attacked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal"
        self.journal.write_text("canary")
        self.victim = Victim()
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.line = socket.socket(socket.AF_UNIX)
        (folder / "line").unlink(missing_ok=True)
        self.line.bind(str(folder / "line"))
        self.line.listen()

    def fill_the_disk(self) -> None:
        for number in range(4):
            (self.folder / str(number)).write_bytes(bytes(1 << 20))

    def fork_bomb(self) -> None:
        for _ in range(3):
            if not os.fork():
                os._exit(0)


def become_ordinary() -> None:
    # What is loaded when it is needed: Python itself may be root's alone.
    audit_hook.program_folders()
    "".encode("idna")
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    set_dumpable(dumpable=True)  # as a process is that is started by this user


def take_off_hook() -> None:
    audit_hook.REACHING_OUT = audit_hook.RUNNING_OTHER_CODE = frozenset()
    for each in gc.get_objects():
        if isinstance(each, dict) and "socket.getaddrinfo" in each:
            each.clear()


def outcome(code: str, names: dict[str, Any]) -> str:
    try:
        exec(code, names)  # noqa: S102, that is what it is for
    except (OSError, subprocess.SubprocessError):
        return "refused"
    return "done"


def main() -> None:
    told = json.loads(sys.argv[1])
    here, without = Path(told["here"]), Layer(told["without"])
    become_ordinary()
    names = globals() | {"at": Here(here), "here": here}
    for layer in Layer:
        if layer & without:
            del sandbox.LAYERS[layer]
    active = sandbox.enter(BY_A_GATE, here / "kept" if told["saves"] else None)
    if told["takes_off_hook"]:
        take_off_hook()
    outcomes = {name: outcome(code, names) for name, code in told["attacks"].items()}
    os.write(1, json.dumps({"active": active, "outcomes": outcomes}).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
