"""Code that runs in a hosted client of a real gate, and what gates and clients are to the system."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

import pytest

from diadem_server.gates import privileges
from diadem_server.gates.client_line import CONNECTIONS_AT_ONCE
from tests.client.hosted.test_sandbox import needs_kernel
from tests.programs import tied
from tests.rig.gates import children, open_files, until
from tests.ssh.rig import Host, host, read_ports, visit

ROOT = Path(__file__).parents[2]
SETTINGS = "\x1b[20~"

TAKEN_OVER = """\
import sys
if "diadem_client.hosted.forkserver" in sys.orig_argv:
    from diadem_client.hosted.app import HostedApp
    import asyncio, json, os, socket

    GUESS = (
        b"GET / HTTP/1.1\\r\\nHost: Diadem\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\nSec-WebSocket-Version: 13\\r\\n"
        b"Sec-WebSocket-Protocol: diadem.1\\r\\nX-Forwarded-For: 198.51.100.1\\r\\n\\r\\n"
    )

    async def connections(address):
        got = []
        try:
            while len(got) < 500:
                async with asyncio.timeout(1):
                    got.append(await address.opened_by())
                got[-1].sendall(GUESS)
        except TimeoutError:
            pass
        return len(got)

    def attack(self):
        from diadem_client.hosted import audit_hook
        audit_hook.REACHING_OUT = frozenset()
        import gc
        for each in gc.get_objects():
            if isinstance(each, dict) and "socket.getaddrinfo" in each:
                each.clear()
        attacks = {
            "journal": lambda: open(JOURNAL, "rb"),
            "directory": lambda: os.listdir(os.path.dirname(JOURNAL)),
            "environment": lambda: open(f"/proc/{SERVER}/environ", "rb"),
            "secret": lambda: open(os.path.dirname(JOURNAL) + "/ssh/players_secret", "rb"),
            "fork": os.fork,
            "socket": socket.socket,
            "server": lambda: os.kill(SERVER, 0),
            "gate": lambda: os.kill(os.getppid(), 0),
            "file": lambda: open("/tmp/x", "w"),
        }
        done = []
        for name, act in attacks.items():
            try:
                act()
                done.append(name)
            except OSError:
                pass
        # The connection that it has is its own; others come as slowly as it may have them.
        had = asyncio.run(connections(self.launch.address))
        print("TAKEN OVER", json.dumps({"done": done, "connections": had}), "END", flush=True)

    HostedApp.run = attack
"""


@pytest.mark.parametrize("guest", [False, True])
async def test_code_in_a_hosted_client_gets_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, guest: bool
) -> None:
    needs_kernel()
    planted = tmp_path / "planted"
    planted.mkdir()
    data = tmp_path / "data"
    data.mkdir()
    where = f"JOURNAL, SERVER = {str(data / 'diadem.sqlite3')!r}, {os.getpid()}\n"
    (planted / "sitecustomize.py").write_text(where + TAKEN_OVER)
    monkeypatch.setenv("PYTHONPATH", str(planted))
    async with host(data, guests=guest) as at, visit(at.ssh.port, "ana", *[None] * guest) as ana:
        await ana.reads("END")
        told = json.loads(ana.text.partition("TAKEN OVER ")[2].partition(" END")[0])
    assert told == {"done": [], "connections": CONNECTIONS_AT_ONCE}


async def test_no_socket_lies_on_the_disk(at: Host) -> None:
    """Connections of hosted clients are handed over; there is nothing that another process could open."""
    sockets = (each for each in open_files(os.getpid()) if each.startswith("socket:"))
    own = {each.partition("[")[2].rstrip("]") for each in sockets}
    bound = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    assert [each for each in bound if len(each) > 7 and each[6] in own] == []
    assert at.ssh.port


def status(process: int) -> dict[str, str]:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


async def test_the_log_says_what_clients_are_confined_by(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    needs_kernel()
    async with host(tmp_path):
        said = "ssh: hosted clients are confined by seccomp, Landlock, no privileges, limits, the audit hook"
        await until(lambda: said in caplog.messages, "it to be said")


async def test_a_client_is_confined_by_the_kernel(at: Host) -> None:
    needs_kernel()
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        of_it = status(client)
        assert (of_it["Seccomp"], of_it["NoNewPrivs"], int(of_it["CapPrm"], 16)) == ("2", "1", 0)


@pytest.fixture
def python_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that every user of this machine may run, with what this one has installed."""
    if os.getuid() != 0:
        pytest.skip("only root has its gates run as another user without more ado")
    there = which("python3", path="/usr/local/bin:/usr/bin") or sys.executable
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if Path(there).resolve().name != version:
        pytest.skip(f"there is no {version} that every user may run")
    monkeypatch.setattr(sys, "executable", there)
    packages = [each for each in sys.path if each and not each.startswith(sys.base_prefix)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(packages))
    nobody = privileges.user_for(None)
    assert nobody is not None
    loads = [there, "-P", "-c", "import asyncssh, diadem_server, diadem_client.hosted.app"]
    if subprocess.run(loads, user=nobody.user, cwd="/", check=False).returncode:  # noqa: S603
        pytest.skip("not every user may read what is installed here")


CHOOSES = "+setuid,+setgid,+kill"
SERVER = "from diadem_server.cli import main; main()"


@pytest.mark.usefixtures("python_for_all")
@pytest.mark.skipif(which("setpriv") is None, reason="it starts a server by setpriv")
async def test_a_server_that_is_not_root_may_be_given_the_right_to_choose() -> None:
    """As the unit of systemd in docs/hosting/operations.md does it."""
    rights = [f"--{kind}=-all,{CHOOSES}" for kind in ("bounding-set", "inh-caps", "ambient-caps")]
    who = ["--reuid=1000", "--regid=1000", "--clear-groups", "--no-new-privs"]
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="diadem-") as data:
        os.chown(data, 1000, 1000)
        options = ["--data", data, "--host", "127.0.0.1", "--port", "0", "--ssh", "0"]
        python = (sys.executable, "-P", "-c", SERVER, *options, "--gate-user", "nobody")
        program = tied(*python)  # again, as another user's program is tied to nobody
        server = await asyncio.create_subprocess_exec(
            *tied("setpriv", *who, *rights, *program),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd="/",
        )
        assert server.stdout is not None
        await read_ports(server.stdout)
        (gate,) = children(server.pid)
        assert int(status(server.pid)["CapEff"], 16)
        assert status(gate)["Uid"].split() == ["65534"] * 4
        assert not int(status(gate)["CapPrm"], 16)
        server.terminate()
        await server.communicate()


@pytest.mark.usefixtures("python_for_all")
async def test_gates_of_root_run_as_another_user(tmp_path: Path) -> None:
    nobody = privileges.user_for(None)
    assert nobody is not None
    async with host(tmp_path) as at:
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
            for process in (at.gate, *at.fork_servers, *at.clients):
                of_it = status(process)
                assert of_it["Uid"].split() == [str(nobody.user)] * 4
                assert of_it["Gid"].split() == [str(nobody.group)] * 4
                assert of_it["Groups"] == ""
                assert int(of_it["CapPrm"], 16) == 0
            ana.press(SETTINGS)
            await ana.reads("Bell")
            ana.press("\t\x1b[C\r")
            assert await ana.quit() == 0
        kept = [*(tmp_path / "ssh" / "players").rglob("*.json")]
        assert [(each.name, each.stat().st_uid) for each in kept] == [("client.json", 0)]
    assert (tmp_path / "ssh").stat().st_mode & 0o777 == 0o700
