"""However a session ends, no process is left of it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.programs import tied
from tests.rig.faults import proxy
from tests.rig.gates import command_of, descendants, open_files, until
from tests.rig.wire import Player
from tests.server import done
from tests.ssh.rig import Host, connection, host, opened, read_ports, visit
from tests.thoroughness import times

COMMAND = (sys.executable, "-c", "from diadem_server.cli import main; main()")
MANY = times(8, 50)


def is_gone(process: int) -> bool:
    return not command_of(process)


async def test_many_lines_cut_at_once_leave_nothing_behind(tmp_path: Path) -> None:
    async with host(tmp_path, guests=True) as at, AsyncExitStack() as stack:
        lines, visits = [], []
        for number in range(MANY):
            lines.append(await connection(at.ssh.port, f"player {number}", None))
            visits.append(await stack.enter_async_context(opened(lines[-1])))
        for each in visits:
            await each.reads("Diadem, as player")
        before = at.clients
        assert len(before) == MANY
        assert at.app.lobby.metrics.ssh_sessions == MANY
        for line in lines:
            line.abort()
        await until(lambda: not at.clients, "all clients to be gone and reaped")
        assert all(is_gone(process) for process in before)
        await until(lambda: at.app.lobby.metrics.ssh_sessions == 0, "all of them to be counted out")
        await until(lambda: at.app.lobby.metrics.connections == 0, "their lines to be let go")
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
        await until(lambda: open_terminals(at.gate) == 0, "all terminals to be closed")


def open_terminals(process: int) -> int:
    return sum(link == "/dev/ptmx" for link in open_files(process))


@pytest.fixture
def stubborn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients that heed no signal that they need not heed."""
    (tmp_path / "sitecustomize.py").write_text(
        "import signal, sys, time\n"
        "if 'diadem_client.hosted.forkserver' in sys.orig_argv:\n"
        "    import diadem_client.hosted.command\n"
        "    def stay(_):\n"
        "        signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "        print('I stay', flush=True)\n"
        "        while True: time.sleep(60)\n"
        "    diadem_client.hosted.command.play = stay\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.usefixtures("stubborn")
async def test_who_does_not_heed_the_hang_up_is_killed(tmp_path: Path) -> None:
    async with host(tmp_path) as at, await connection(at.ssh.port) as line, opened(line) as ana:
        await ana.reads("I stay")
        (client,) = at.clients
        line.abort()
        await until(lambda: is_gone(client), "the client to be gone")


@pytest.mark.usefixtures("stubborn")
@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_ends_leaves_nobody_who_does_not_heed_it(
    tmp_path: Path, blow: int
) -> None:
    async with served(tmp_path) as (server, _port, ssh), visit(ssh) as ana:
        await ana.reads("I stay")
        processes = descendants(server.pid)
        assert len(processes) == 3
        server.send_signal(blow)
        await until(lambda: all(map(is_gone, processes)), "gate, fork server and client to be gone")


async def test_a_seat_is_kept_by_the_tables_own_rule(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        line = await connection(at.ssh.port)
        async with opened(line, table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            line.abort()
        away = await bob.seen(lambda view: not view.public["players"][1]["present"])
        assert away.public["players"][1]["name"] == "ana"


async def test_who_sits_still_is_warned_and_then_seen_off(tmp_path: Path) -> None:
    async with host(tmp_path, idle_seconds=4.0) as at, visit(at.ssh.port) as ana:
        await ana.reads("Are you still there?")
        ana.press(" ")
        ana.forget()
        await ana.reads("Diadem, as ana")
        await ana.reads("Are you still there?")
        assert await ana.status() == 0
        assert ana.text.endswith("Nobody pressed a key for 1 min, so Diadem closed.\r\n")
        await until(lambda: not at.clients, "the client to be gone")


async def test_when_the_host_closes_players_are_told(tmp_path: Path) -> None:
    async with AsyncExitStack() as outer:
        async with host(tmp_path) as at:
            ana = await outer.enter_async_context(visit(at.ssh.port))
            await ana.reads("Diadem, as ana")
            processes = at.processes
        assert await ana.status() == 0
        assert ana.text.endswith("The host closes Diadem for now.\r\n")
        assert all(is_gone(process) for process in processes)


async def test_when_the_host_closes_nobody_stays_who_does_not_listen(tmp_path: Path) -> None:
    async with AsyncExitStack() as outer:
        async with host(tmp_path) as at:
            ana = await outer.enter_async_context(visit(at.ssh.port))
            await ana.reads("Diadem, as ana")
            processes = at.processes
            os.kill(at.clients[0], signal.SIGSTOP)
        assert await ana.status() == 1
        assert ana.bytes.rstrip().endswith(b"The host closes Diadem for now.")
        assert b"\x1b[?1049l" in ana.bytes
        assert all(is_gone(process) for process in processes)


async def test_a_client_that_dies_leaves_a_terminal_that_can_be_used(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        os.kill(at.clients[0], signal.SIGKILL)
        assert await ana.status() == 1
        assert b"\x1b[?1049l" in ana.bytes
        assert ana.text.endswith("Diadem had to stop. Please come again.\r\n")


async def test_one_players_trouble_is_nobody_elses(tmp_path: Path) -> None:
    async with host(tmp_path, guests=True) as at, visit(at.ssh.port, "bob", None) as bob:
        await bob.reads("Diadem, as bob")
        (first,) = at.clients
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
            os.kill(next(each for each in at.clients if each != first), signal.SIGSEGV)
            assert await ana.status() == 1
        bob.forget()
        bob.press("m")
        await bob.reads("What is played here?")


async def test_a_fork_server_that_dies_takes_its_clients_along_and_there_is_another(
    at: Host,
) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        clients = at.clients
        os.kill(at.fork_servers[0], signal.SIGKILL)
        assert await ana.status() == 1
        await until(lambda: all(map(is_gone, clients)), "its clients to be gone")
    async with visit(at.ssh.port) as again:
        await again.reads("Diadem, as ana")


@asynccontextmanager
async def served(tmp_path: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, int, int]]:
    """A server as a process of its own, its port, and its port for ssh."""
    process = await asyncio.create_subprocess_exec(
        *tied(
            *COMMAND, "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path), "--ssh", "0"
        ),
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield process, *await read_ports(process.stdout)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_that_ends_leaves_nothing_behind(tmp_path: Path, blow: int) -> None:
    async with served(tmp_path) as (server, _port, ssh), visit(ssh) as ana:
        await ana.reads("Diadem, as ana")
        processes = descendants(server.pid)
        assert len(processes) == 3
        server.send_signal(blow)
        await until(lambda: all(map(is_gone, processes)), "gate, fork server and client to be gone")


async def test_a_seat_outlives_the_server(tmp_path: Path) -> None:
    async with served(tmp_path) as (server, port, ssh), Player(port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        async with visit(ssh, command=table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            await ana.reads("deck")
            server.kill()
            await server.wait()
    async with served(tmp_path) as (_server, _port, ssh), visit(ssh) as ana:
        await ana.reads(f"Diamoniak  {table}")
        await ana.reads("nothing built")


async def test_who_does_not_log_in_does_not_stay(tmp_path: Path) -> None:
    async with host(tmp_path, login_seconds=0.5) as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.ssh.port)
        assert (await reader.readline()).startswith(b"SSH-2.0-Diadem")
        await reader.read()
        writer.close()
        await until(lambda: not at.lines, "it to be counted out")


async def test_who_wants_nothing_does_not_stay(tmp_path: Path) -> None:
    async with host(tmp_path, login_seconds=0.5) as at, await connection(at.ssh.port) as line:
        await line.wait_closed()
        await until(lambda: not at.lines, "it to be counted out")


async def test_who_has_vanished_does_not_stay(tmp_path: Path) -> None:
    async with (
        host(tmp_path, keepalive_seconds=0.2) as at,
        proxy(at.ssh.port) as between,
        await connection(between.port) as line,
        opened(line) as ana,
    ):
        await ana.reads("Diadem, as ana")
        between.line.down.hold()
        await until(lambda: not at.clients, "the client to be gone")
