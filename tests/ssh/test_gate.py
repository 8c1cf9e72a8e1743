"""The gate is a process of its own: its death ends sessions, not tables, and it comes back."""

import asyncio
import json
import logging
import os
import re
import signal
from pathlib import Path

import pytest

from diadem_server.gates import supervisor
from diadem_server.gates.messages import FromGate, GateLogLine
from diadem_server.gates.process import LINES_A_SECOND, LINES_AT_ONCE, LogHandler
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.patience import PATIENCE
from tests.rig.gates import command_of, until
from tests.rig.wire import Player
from tests.server import code, done
from tests.server.test_cli import running
from tests.ssh.rig import host, visit


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "BACKOFF", (0.1,))


async def test_a_gate_that_is_killed_leaves_the_table_and_the_player_comes_back(
    tmp_path: Path,
) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        port, gate, fingerprint = at.ssh.port, at.gate, at.ssh.fingerprint
        async with visit(port, command=table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            await ana.reads("deck")
            processes = at.processes
            os.kill(gate, signal.SIGKILL)
            await bob.seen(lambda view: not view.public["players"][1]["present"])
        await until(
            lambda: not any(map(command_of, processes)), "gate, fork server and client to be gone"
        )
        await until(lambda: at.ssh.pid not in {None, gate}, "another gate")
        assert (at.ssh.port, at.ssh.fingerprint) == (port, fingerprint)
        async with visit(port) as ana:
            await ana.reads(f"Diamoniak  {table}")
            await ana.reads("nothing built")
        await bob.seen(lambda view: view.table == table)


async def test_the_server_is_told_where_players_come_from(tmp_path: Path) -> None:
    """So that its limits by address hold for those who come over ssh as well."""
    async with (
        host(tmp_path, {"max_tables_per_address": 1}) as at,
        Player(at.app.port, "Bob") as bob,
        visit(at.ssh.port) as ana,
    ):
        await ana.reads("Diadem, as ana")
        ana.press("m")
        await ana.reads("What is played here?")
        ana.press("\r")
        await ana.reads("ana sits down")
        assert code(await bob.ask(protocol.Make, Setup("diamoniak"))) == (
            "too_many_tables_from_address"
        )


async def test_nobody_is_counted_who_came_by_a_gate_that_is_gone(tmp_path: Path) -> None:
    async with host(tmp_path) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        assert at.app.lobby.metrics.ssh_sessions == 1
        os.kill(at.gate, signal.SIGKILL)
        await until(lambda: at.app.lobby.metrics.ssh_sessions == 0, "the session to be counted out")
        await until(lambda: at.app.lobby.metrics.connections == 0, "its line to be let go")


async def test_a_gate_that_dies_again_and_again_is_started_again_ever_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervisor, "BACKOFF", (0.1, 0.2, 0.3))
    async with host(tmp_path) as at:
        for _ in range(4):
            gate = at.gate
            os.kill(gate, signal.SIGKILL)
            await until(lambda gate=gate: at.ssh.pid not in {None, gate}, "another gate")  # type: ignore[misc]
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
    waits = re.findall(r"another starts in (\S+) s", caplog.text)
    assert waits == ["0.1", "0.2", "0.3", "0.3"]


async def test_a_gate_that_cannot_come_back_is_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with host(tmp_path) as at:
        key = tmp_path / "ssh" / "host_key"
        key.chmod(0o644)
        os.kill(at.gate, signal.SIGKILL)
        await until(lambda: "can be read by others" in caplog.text, "why it cannot be opened")
        key.chmod(0o600)
        await until(lambda: at.ssh.pid is not None, "another gate")
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")


async def test_the_server_closes_while_the_gate_is_down(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        (tmp_path / "ssh" / "host_key").chmod(0o644)
        os.kill(at.gate, signal.SIGKILL)
        await until(lambda: at.ssh.pid is None, "the gate to be gone")


async def test_the_gate_and_its_clients_give_way_to_the_server(tmp_path: Path) -> None:
    async with host(tmp_path, gives_way=True) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        own = os.getpriority(os.PRIO_PROCESS, 0)
        priorities = [os.getpriority(os.PRIO_PROCESS, each) for each in at.processes]
        assert own < priorities[0] < priorities[-1]


async def test_what_the_gate_logs_is_in_the_servers_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with host(tmp_path) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        await until(lambda: "ssh: ana came from 127.0.0.1" in caplog.text, "it to be told")
    assert "ssh: ana left" in caplog.text


async def test_the_gates_log_has_the_form_of_the_servers(tmp_path: Path) -> None:
    options = ("--data", str(tmp_path), "--ssh", "0", "--log", "json")
    async with running(*options) as (process, _port, said):
        port = next(line for line in said if "ssh -t -p" in line).split()[-2]
        async with visit(int(port)) as ana:
            await ana.reads("Diadem, as ana")
        assert process.stdout is not None
        while (
            "ana left"
            not in (line := await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        ):
            assert json.loads(line)["level"] == "info"
    assert json.loads(line)["message"] == "ssh: ana left"


async def test_no_client_fills_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'diadem_client.hosted.forkserver' in sys.orig_argv:\n"
        "    import diadem_client.hosted.command\n"
        "    def complain(_):\n"
        "        import logging\n"
        "        for number in range(20_000): logging.error('nonsense %d', number)\n"
        "        print('I am done', flush=True)\n"
        "        return 0\n"
        "    diadem_client.hosted.command.play = complain\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with host(tmp_path) as at, visit(at.ssh.port) as ana:
        await ana.reads("I am done")
    nonsense = sum("nonsense" in line for line in caplog.messages)
    assert 0 < nonsense <= supervisor.MESSAGES_AT_ONCE + 20 * supervisor.MESSAGES_A_SECOND


async def test_the_gate_leaves_out_what_it_would_log_too_fast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    told: list[FromGate] = []
    handler = LogHandler("ssh", told.append)
    record = logging.LogRecord("ssh", logging.INFO, "", 0, "came %d", (1,), None)
    for _ in range(10 * LINES_AT_ONCE):
        handler.handle(record)
    assert told == [GateLogLine(logging.INFO, "came 1")] * LINES_AT_ONCE
    now = 1 / LINES_A_SECOND
    handler.handle(record)
    assert [each.message for each in told[LINES_AT_ONCE:] if isinstance(each, GateLogLine)] == [
        f"the ssh gate left out {9 * LINES_AT_ONCE} lines of its log",
        "came 1",
    ]


def scheduled(process: int) -> tuple[str, int, int]:
    """The group a process is scheduled in, the nice value of that group, and its own in it."""
    nice = os.getpriority(os.PRIO_PROCESS, process)
    try:
        said = Path(f"/proc/{process}/autogroup").read_text().split()
    except FileNotFoundError:  # a kernel without groups of sessions
        said = []
    if not said:  # also a process that no session's start has put into a group: nothing is written there of the first
        return "", 0, nice
    group, _, group_nice = said
    return group, int(group_nice), nice


async def test_what_strangers_send_gets_less_of_the_processor_than_the_games(
    tmp_path: Path,
) -> None:
    async with host(tmp_path, gives_way=True) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        server = scheduled(os.getpid())
        for process in (at.gate, *at.fork_servers):
            group, group_nice, nice = scheduled(process)
            assert (group, group_nice) == server[:2]
            assert nice > server[2]
        for process in at.clients:
            group, group_nice, nice = scheduled(process)
            assert nice > server[2]
            assert group == server[0] or group_nice >= nice
