"""Code that a stranger runs within a hosted client gets nowhere, and each layer of the sandbox is needed for that.

The attacks are made by Python code in a process that has entered the sandbox, and has taken off the audit hook, as such code can. Of each it is
known which layers stop it: it is refused as long as one of them is there, and done where all of them are missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_client.hosted import landlock
from diadem_client.hosted.syscalls import this_machine
from diadem_shared.forkserver_protocol import NO_LAYER, Layer
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(this_machine() is None, reason="there is no seccomp but on Linux"),
]

ROOT = Path(__file__).parents[3]
NOBODY = 65534
LIMITS, PRIVILEGES, LANDLOCK, SECCOMP = (
    Layer.LIMITS,
    Layer.PRIVILEGES,
    Layer.LANDLOCK,
    Layer.SECCOMP,
)
KERNEL = LIMITS | PRIVILEGES | LANDLOCK | SECCOMP
NETWORK = SECCOMP | (LANDLOCK if landlock.version() >= landlock.NETWORK_SINCE else NO_LAYER)
SIGNALS = SECCOMP | (LANDLOCK if landlock.version() >= landlock.SIGNALS_SINCE else NO_LAYER)

ATTACKS: dict[str, tuple[str, Layer]] = {
    # Files
    "read the journal": ("at.journal.read_text()", LANDLOCK),
    "read the environment of the server": (
        "Path(f'/proc/{at.victim.pid}/environ').read_bytes()",
        LANDLOCK,
    ),
    "read the memory of the server": ("open(f'/proc/{at.victim.pid}/mem', 'rb')", LANDLOCK),
    "read who is known here": ("open('/etc/passwd')", LANDLOCK),
    "list the data directory": ("os.listdir(here)", LANDLOCK),
    "list the root": ("os.scandir('/')", LANDLOCK),
    "replace the journal": ("at.journal.write_text('x')", LANDLOCK | SECCOMP | LIMITS),
    "cut off the journal": ("os.truncate(at.journal, 0)", LANDLOCK | SECCOMP),
    "rename the journal": ("at.journal.rename(here / 'other')", LANDLOCK | SECCOMP),
    "put it back": ("(here / 'other').rename(at.journal)", LANDLOCK | SECCOMP),
    "make the journal public": ("at.journal.chmod(0o644)", SECCOMP),
    "change its times": ("os.utime(at.journal, (0, 0))", SECCOMP),
    "make a pipe": ("os.mkfifo(here / 'pipe')", LANDLOCK | SECCOMP),
    "make a folder": ("(here / 'folder').mkdir()", LANDLOCK | SECCOMP),
    "make a link": ("(here / 'link').symlink_to('/')", LANDLOCK | SECCOMP),
    "link to the journal": ("os.link(at.journal, here / 'hard')", LANDLOCK | SECCOMP),
    "fill the disk": ("at.fill_the_disk()", LANDLOCK | SECCOMP | LIMITS),
    "have files in memory": ("os.memfd_create('x')", SECCOMP),
    "go elsewhere": ("os.chdir('/')", SECCOMP),
    # Processes
    "fork": ("at.fork_bomb()", SECCOMP),
    "have a shell": ("subprocess.run(['/bin/sh', '-c', 'exit 0'], check=True)", SECCOMP | LANDLOCK),
    "start a program": ("os.posix_spawn('/bin/true', ['true'], {})", SECCOMP | LANDLOCK),
    "signal the server": ("os.kill(at.victim.pid, signal.SIGCONT)", SIGNALS),
    "signal it by a descriptor": (
        "signal.pidfd_send_signal(os.pidfd_open(at.victim.pid), signal.SIGCONT)",
        SIGNALS,
    ),
    "have the kernel signal it": (
        "fcntl.fcntl(at.tcp, fcntl.F_SETOWN, at.victim.pid)",
        SECCOMP,
    ),
    "slow the server down": ("os.setpriority(os.PRIO_PROCESS, at.victim.pid, 19)", SECCOMP),
    "keep it to one core": ("os.sched_setaffinity(at.victim.pid, {0})", SECCOMP),
    "trace the server": ("checked(LIBC.ptrace(16, at.victim.pid, 0, 0))", SECCOMP | LANDLOCK),
    "be seen from outside": ("checked(LIBC.prctl(4, 1, 0, 0, 0))", SECCOMP),
    # The network
    "connect to a port": ("socket.create_connection(at.tcp.getsockname())", NETWORK),
    "connect to a socket": ("socket.socket(socket.AF_UNIX).connect(str(here / 'line'))", SECCOMP),
    "listen": ("socket.socket().listen()", SECCOMP),
    "listen at a port": ("socket.create_server(('127.0.0.1', 0))", NETWORK),
    "send a datagram": (
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        SECCOMP,
    ),
    "open files without end": ("[os.dup(0) for _ in range(100)]", LIMITS),
}
"""What is tried, in order, and the layers any of which stops it."""
FIRST: dict[str, tuple[str, Layer]] = {
    "be looked into": ("at.victim.look_into_attacker()", PRIVILEGES)
}
WHERE_FILES_ARE_SAVED: dict[str, tuple[str, Layer]] = {
    "save a file of any length": ("(here / 'kept' / 'long').write_bytes(bytes(2 << 20))", LIMITS),
    "save a file elsewhere": ("(here / 'x').write_bytes(b'x')", LANDLOCK),
    "make what is saved public": ("(here / 'kept').chmod(0o755)", SECCOMP),
}


@pytest.fixture
def here() -> Iterator[Path]:
    """A data directory of the user that hosted clients run as, which is not root."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="diadem-"))
    if os.getuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


def done(
    here: Path,
    attacks: dict[str, tuple[str, Layer]],
    without: Layer = NO_LAYER,
    *,
    saves: bool = False,
    takes_off_hook: bool = True,
) -> tuple[Layer, set[str]]:
    """Which layers there were, and which attacks were not refused."""
    told = {
        "here": str(here),
        "without": without,
        "saves": saves,
        "takes_off_hook": takes_off_hook,
        "attacks": {name: code for name, (code, _) in attacks.items()},
    }
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.client.hosted.attacked", json.dumps(told)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
        check=False,
    )
    assert ended.stderr == ""
    said = json.loads(ended.stdout)
    outcomes = said["outcomes"].items()
    return Layer(said["active"]), {name for name, outcome in outcomes if outcome == "done"}


def needs_kernel() -> None:
    """Skip where this kernel has not got all layers."""
    if this_machine() is None or not landlock.version():
        pytest.skip("this kernel has no Landlock, or no seccomp as it is known here")


def test_code_within_the_sandbox_gets_nowhere(here: Path) -> None:
    needs_kernel()
    active, attacks_done = done(here, FIRST | ATTACKS)
    assert active == KERNEL | Layer.AUDIT_HOOK
    assert attacks_done == set()


@pytest.mark.parametrize("layer", [LIMITS, LANDLOCK, SECCOMP], ids=lambda layer: layer.name)
def test_each_layer_is_needed(here: Path, layer: Layer) -> None:
    needs_kernel()
    active, attacks_done = done(here, ATTACKS, without=layer)
    assert active == (KERNEL | Layer.AUDIT_HOOK) & ~layer
    only_by_it = {name for name, (_, stopped_by) in ATTACKS.items() if not stopped_by & ~layer}
    assert only_by_it
    assert attacks_done == only_by_it


def test_without_privileges_given_up_there_are_no_other_layers_for_an_ordinary_user(
    here: Path,
) -> None:
    active, attacks_done = done(here, FIRST | ATTACKS, without=PRIVILEGES)
    assert active == LIMITS | Layer.AUDIT_HOOK
    assert "be looked into" in attacks_done
    stopped = {name for name, (_, stopped_by) in ATTACKS.items() if stopped_by & LIMITS}
    assert attacks_done == {*FIRST, *ATTACKS} - stopped


def test_without_any_layer_every_attack_is_done(here: Path) -> None:
    """So each of them is one."""
    active, attacks_done = done(here, FIRST | ATTACKS, without=KERNEL)
    assert active == Layer.AUDIT_HOOK
    assert {*FIRST, *ATTACKS} - attacks_done == set()


@pytest.mark.parametrize(
    "layer", [NO_LAYER, LIMITS, LANDLOCK, SECCOMP], ids=lambda layer: layer.name or "all"
)
def test_where_files_are_saved_little_else_is(here: Path, layer: Layer) -> None:
    """With the system's sshd, a hosted client writes the player's settings itself."""
    needs_kernel()
    _, attacks_done = done(here, WHERE_FILES_ARE_SAVED, layer, saves=True)
    assert attacks_done == {
        name for name, (_, stopped_by) in WHERE_FILES_ARE_SAVED.items() if stopped_by == layer
    }


def test_while_the_hook_is_on_python_refuses_what_no_other_layer_sees(here: Path) -> None:
    slips = {
        "call machine code": ("ctypes.CDLL(None)", Layer.AUDIT_HOOK),
        "map memory": ("mmap.mmap(-1, 4096)", Layer.AUDIT_HOOK),
    }
    assert done(here, slips, takes_off_hook=False)[1] == set()
    assert done(here, slips, Layer.AUDIT_HOOK, takes_off_hook=False)[1] == {*slips}
