"""The gate's death ends sessions, not tables, and it comes back to where it was."""

import os
import re
import signal
import ssl
from pathlib import Path
from socket import create_server

import pytest

from diadem_server.gates import supervisor
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.programs import refused_start
from tests.rig.gates import command_of, until
from tests.rig.wire import Player
from tests.server import done
from tests.server.certificate import certificate, needs_openssl
from tests.server.test_cli import running
from tests.web.rig import get, host, new_cookie, window

WEB = ("--port", "0", "--host", "127.0.0.1", "--web", "0")


async def test_a_gate_that_is_killed_leaves_the_table_and_the_page_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "BACKOFF", (0.1,))
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        port, gate, cookie = at.port, at.gate, await new_cookie(at.port)
        async with window(port, cookie=cookie, table=table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            await ana.reads("deck")
            processes = at.processes
            os.kill(gate, signal.SIGKILL)
            assert await ana.closed() == 1006
            await bob.seen(lambda view: not view.public["players"][1]["present"])
        await until(
            lambda: not any(map(command_of, processes)), "gate, fork server and client to be gone"
        )
        await until(lambda: at.supervisor.pid not in {None, gate}, "another gate")
        assert at.port == port
        async with window(port, cookie=cookie, resume=True) as ana:
            await ana.reads(f"Diamoniak  {table}")
        await bob.seen(lambda view: view.table == table)


async def test_gates_stand_beside_each_other(tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--ssh", "0", "--web", "0")
    async with running(*options) as (_process, _port, said):
        told = "".join(said)
        web = int(re.findall(r"http://127\.0\.0\.1:(\d+)", told)[0])
        assert "ssh -t -p" in told
        async with window(web) as ana:
            await ana.reads("Diadem, as ana")


async def test_the_host_is_told_where_the_page_is(tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--web", "0", "--web-host", "127.0.0.2")
    async with running(*options) as (_process, _port, said):
        (line,) = (each for each in said if "http://" in each)
        assert re.search(r"http://127\.0\.0\.2:\d+$", line.strip())


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, line = refused_start("--data", str(tmp_path), *WEB[:-1], port)
    assert (status, line) == (1, f"game-server: port {port} is in use; choose another with --web")


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [(b"short", 0o600, "does not hold what it held"), (b"x" * 32, 0o640, "can be read by others")],
)
def test_a_secret_that_cannot_be_used_is_named(
    tmp_path: Path, content: bytes, mode: int, said: str
) -> None:
    secret = tmp_path / "web" / "players_secret"
    secret.parent.mkdir()
    secret.write_bytes(content)
    secret.chmod(mode)
    status, line = refused_start("--data", str(tmp_path), *WEB)
    assert status == 1
    assert said in line
    assert secret.read_bytes() == content


@needs_openssl
async def test_with_a_certificate_the_page_has_tls_too(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=made)
    async with host(tmp_path, {"tls_cert": made, "tls_key": key}) as at:
        page = await get(at.port, tls=trust)
        assert page.headers["set-cookie"].endswith("; Secure")
        async with window(at.port, cookie=page.cookie, tls=trust) as ana:
            await ana.reads("Diadem, as ana")
