"""The audit hook refuses everything but what a hosted client needs. How far that goes is in `test_sandbox`."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PROGRAM = """\
import diadem_shared, os, socket, sys
from pathlib import Path
from diadem_client.hosted import audit_hook
from diadem_client.net.address import Address
from tests.rig.hosted import BY_A_GATE
here = Path({here!r})
server = {server}
acts = [compile(act, "act", "exec") for act in {acts!r}]
audit_hook.enter(server, {kept})
for act in acts:
    try:
        exec(act)
    except PermissionError as error:
        print(f"refused: {{error}}", flush=True)
    else:
        print("done", flush=True)
os._exit(0)
"""
REFUSED = "refused: [Errno 1] Operation not permitted"


class Place(NamedTuple):
    here: Path
    port: int
    """Where a server listens over TCP; others do at Unix sockets in `here`."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    (tmp_path / "canary").write_text("canary")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "way_out").symlink_to(tmp_path / "canary")
    (tmp_path / "program.py").write_text("")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as line,
    ):
        line.bind(str(tmp_path / "line"))
        line.listen()
        yield Place(tmp_path, tcp.getsockname()[1])


def outcomes(
    place: Place, *acts: str, over_tcp: bool = False, as_guest: bool = False
) -> dict[str, str]:
    """Of each act, one after the other, in a client of one server or of the other."""
    program = PROGRAM.format(
        here=str(place.here),
        server=(f"Address('127.0.0.1', {place.port})" if over_tcp else "BY_A_GATE"),
        kept="None" if as_guest else "here / 'kept'",
        acts=[act.format(port=place.port) for act in acts],
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=place.here,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.stderr == ""
    assert "canary" not in done.stdout
    return dict(zip(acts, done.stdout.splitlines(), strict=True))


def allowed(place: Place, acts: Sequence[str], *, over_tcp: bool = False) -> dict[str, str]:
    """Those that were not refused."""
    told = outcomes(place, *acts, over_tcp=over_tcp)
    return {act: outcome for act, outcome in told.items() if outcome != REFUSED}


FILES = (
    "print(open(here / 'canary').read())",
    "print(open(os.fsencode(here / 'canary')).read())",
    "print(open('canary').read())",
    "print((here / 'kept' / 'way_out').read_text())",
    "print((here / 'kept' / '..' / 'canary').read_text())",
    "os.open(here / 'canary', os.O_RDONLY)",
    "os.open('canary', os.O_RDONLY, dir_fd=os.open(here / 'kept', os.O_RDONLY))",
    "open('/etc/passwd')",
    "open('/proc/self/environ')",
    "open('/dev/zero')",
    "open('/dev/tty')",
    "open(here / 'new', 'w')",
    "open(os.__file__, 'a')",
    "open(audit_hook.__file__, 'r+')",
    "os.listdir(here)",
    "os.scandir('/')",
    "__import__('glob').glob('/*')",
    "__import__('runpy').run_path(str(here / 'program.py'))",
    "os.rename(here / 'canary', here / 'kept' / 'mine')",
    "os.rename(here / 'kept' / 'way_out', here / 'program.py')",
    "os.symlink('/etc/passwd', here / 'kept' / 'new')",
    "os.link(here / 'canary', here / 'kept' / 'new')",
    "os.remove(here / 'canary')",
    "os.truncate(here / 'canary', 0)",
    "os.chmod(here / 'canary', 0o777)",
    "os.mkdir(here / 'new')",
    "os.chdir('/')",
    "__import__('shutil').copyfile(here / 'canary', here / 'kept' / 'new')",
    "__import__('tempfile').mkstemp(dir='/tmp')",
    "__import__('sqlite3').connect(here / 'canary')",
)
PROGRAMS = (
    "os.system('echo canary')",
    "__import__('subprocess').run(['echo', 'canary'])",
    "__import__('subprocess').Popen('echo canary', shell=True)",
    "os.popen('echo canary')",
    "os.execv('/bin/echo', ['echo', 'canary'])",
    "os.posix_spawn('/bin/echo', ['echo', 'canary'], {{}})",
    "os.spawnv(os.P_WAIT, '/bin/echo', ['echo', 'canary'])",
    "os.fork()",
    "os.forkpty()",
    "__import__('pty').spawn('/bin/sh')",
    "os.kill(os.getppid(), 0)",
    "os.killpg(0, 0)",
    "import ctypes; ctypes.CDLL(None).getpid()",
    "import ctypes; ctypes.string_at(id(0))",
)


def test_no_other_file_is_opened_listed_or_changed(place: Place) -> None:
    assert allowed(place, FILES) == {}
    assert (place.here / "canary").read_text() == "canary"


def test_no_program_is_started_and_no_machine_code_called(place: Place) -> None:
    assert allowed(place, PROGRAMS) == {}


OTHERS = [
    "socket.create_connection(('127.0.0.2', {port}))",
    "socket.create_connection(('127.0.0.1', {port} - 1))",
    "socket.create_connection(('localhost', {port} - 1))",
    "socket.socket().bind(('127.0.0.1', 0))",
    "socket.socket(type=socket.SOCK_DGRAM).sendto(b'canary', ('127.0.0.1', {port}))",
    "socket.socket(socket.AF_UNIX).connect(str(here / 'line'))",
    "socket.socket(socket.AF_UNIX).connect(b'\\0abstract')",
    "socket.getaddrinfo('games.example', 80)",
    "socket.gethostbyname('games.example')",
]
OVER_TCP = "socket.create_connection(('127.0.0.1', {port}))"


def test_no_server_is_spoken_to_where_a_gate_makes_the_connections(place: Place) -> None:
    assert allowed(place, [*OTHERS, OVER_TCP]) == {}


def test_no_other_server_is_spoken_to_beside_the_one_of_an_address(place: Place) -> None:
    assert allowed(place, OTHERS, over_tcp=True) == {}


def test_the_one_server_is_spoken_to(place: Place) -> None:
    assert outcomes(place, OVER_TCP, over_tcp=True) == {OVER_TCP: "done"}


KEEPING = (
    "from diadem_client.settings import Settings, SettingsStore; store = SettingsStore(here / 'kept', here); "
    "store.save(Settings(name='Ana')); assert store.settings().name == 'Ana'"
)


NEEDED = (
    "import wave, xml.dom.minidom",
    "from diadem_client.wording.rules import rules_of; assert 'castle' in rules_of('diamoniak').text",
    KEEPING,
    "open(os.devnull, 'w').write('x')",
    "import asyncio; asyncio.run(asyncio.sleep(0))",
    "os.kill(os.getpid(), 0)",
)


def test_what_playing_needs_is_still_done(place: Place) -> None:
    assert outcomes(place, *NEEDED) == dict.fromkeys(NEEDED, "done")


def test_a_folder_that_is_not_there_yet_is_made(place: Place) -> None:
    (place.here / "kept" / "way_out").unlink()
    (place.here / "kept").rmdir()
    made = "(here / 'kept' / 'sessions').mkdir(parents=True)"
    assert outcomes(place, made) == {made: "done"}


def test_a_guest_keeps_nothing(place: Place) -> None:
    acts = ("open(here / 'kept' / 'new', 'w')", "os.mkdir(here / 'kept/new')")
    assert outcomes(place, *acts, as_guest=True) == dict.fromkeys(acts, REFUSED)


PLANTED = """\
import os, sys
from diadem_client import cli
from diadem_client.hosted import app

def run(self):
    print("variables", *sorted(os.environ))
    try:
        open({canary!r})
    except PermissionError as error:
        print(f"refused: {{error}}")

app.HostedApp.run = run
cli.main(["--hosted", "--host", "127.0.0.1:1"])
"""


def test_a_hosted_client_is_closed_before_it_reads_its_first_key(tmp_path: Path) -> None:
    (tmp_path / "canary").write_text("canary")
    ours, theirs = os.openpty()
    told = {"TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    typed = dict.fromkeys(("TEXTUAL_LOG", "SSLKEYLOGFILE", "PYTHONSTARTUP"), str(tmp_path / "log"))
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PLANTED.format(canary=str(tmp_path / "canary"))],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        env=told | typed,
        check=False,
    )
    os.close(theirs)
    with os.fdopen(ours, "rb") as terminal:
        shown = terminal.read1().decode().replace("\r\n", "\n")
    assert done.stderr == b""
    variables, *rest = shown.splitlines(keepends=True)
    assert {*variables.split()[1:]} <= told.keys()
    assert "".join(rest).startswith(REFUSED)
    assert not (tmp_path / "log").exists()
