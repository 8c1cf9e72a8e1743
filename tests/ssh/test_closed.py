"""There is a terminal with Diadem on it, and nothing else."""

import asyncio
import os
import signal
import webbrowser
from pathlib import Path

import asyncssh
import pytest

from diadem_client.hosted.app import HostedApp
from diadem_client.hosted.command import GateSettingsStore
from diadem_client.launch import LaunchOptions
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_server.gates.terminal import environment
from tests.rig.gates import open_files
from tests.rig.hosted import BY_A_GATE
from tests.ssh.rig import Host, connection, opened, visit

SETTINGS = "\x1b[20~"
DIRECTIONS = "Only the code of a table can be asked for, like K7F3."


COMMANDS = (
    "sh -c id",
    "K7F3; id",
    "$(id)",
    "K7F3\nid",
    "-version",
    "../K7F3",
    "scp -t /tmp",
    "A" * 13,
)


async def test_no_other_command_is_run(at: Host) -> None:
    answers = {}
    for command in COMMANDS:
        async with visit(at.ssh.port, command=command) as ana:
            answers[command] = await ana.status(), ana.text
            assert not at.clients, command
    assert answers == dict.fromkeys(COMMANDS, (2, f"{DIRECTIONS}\r\n"))


async def test_without_a_terminal_there_is_a_sentence(at: Host) -> None:
    for command in (None, "K7F3"):
        bare = visit(at.ssh.port, command=command, term_type=None, request_pty=False)
        async with bare as ana:
            assert await ana.status() == 2
            assert ana.text.startswith("Diadem needs a terminal: ssh -t")
            assert not at.clients


async def test_a_dumb_terminal_gets_a_sentence(at: Host) -> None:
    async with visit(at.ssh.port, term_type="dumb") as ana:
        assert await ana.status() == 2
        assert ana.text == "This terminal cannot place text (TERM=dumb).\r\n"


async def test_nothing_is_forwarded(tmp_path: Path, at: Host) -> None:
    async with (
        await connection(at.ssh.port) as line,
        await asyncio.start_unix_server(lambda *_: None, tmp_path / "socket"),
    ):
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.open_connection("127.0.0.1", at.app.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.open_unix_connection(str(tmp_path / "socket"))
        with pytest.raises(asyncssh.ChannelListenError):
            await line.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.ChannelListenError):
            await line.forward_remote_path(str(tmp_path / "there"), str(tmp_path / "here"))
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.open_tun()


async def test_no_files_are_served(at: Host) -> None:
    async with await connection(at.ssh.port) as line:
        with pytest.raises(asyncssh.Error):
            await line.start_sftp_client()


async def test_neither_agent_nor_display_is_forwarded(at: Host) -> None:
    async with (
        await connection(at.ssh.port, agent_forwarding=True) as line,
        opened(line) as ana,
    ):
        await ana.reads("Diadem, as ana")
    async with await connection(at.ssh.port) as line:
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.create_process(
                x11_forwarding=True, x11_display=":0", term_type="xterm", encoding=None
            )


def test_only_what_is_about_the_terminal_is_passed_on() -> None:
    sent = {
        "COLORTERM": "truecolor",
        "LANG": "de_DE.UTF-8",
        "LC_TIME": "C",
        "NO_COLOR": "1",
        "LC_ALL": "x" * 65,
        "LC_CTYPE": "\x1b[31m",
        "PATH": "/evil",
        "PYTHONPATH": "/evil",
        "LD_PRELOAD": "/evil.so",
        "DIADEM_PASSWORD_FILE": "/evil",
        "TEXTUAL_SCREENSHOT": "1",
        "TERM": "evil",
        "TERM_PROGRAM": "diadem",
        "LC_ALL\n": "C",
        "HOME": "/evil",
    }
    passed = environment("xterm", sent)
    assert {name: passed.get(name) for name in sent if passed.get(name) == sent[name]} == {
        "COLORTERM": "truecolor",
        "LANG": "de_DE.UTF-8",
        "LC_TIME": "C",
        "NO_COLOR": "1",
    }
    assert set(passed) <= {"COLORTERM", "LANG", "LC_TIME", "NO_COLOR"} | {
        *("TERM", "PATH", "HOME", "TMPDIR", "TZ")
    }
    assert passed["TERM"] == "xterm"
    assert environment("x\x1b[2J", {})["TERM"] == "xterm-256color"


async def test_what_is_passed_on_counts(at: Host) -> None:
    german = {"LANG": "de_DE.UTF-8", "NO_COLOR": "1", "PYTHONPATH": "/evil"}
    async with visit(at.ssh.port, env=german) as ana:
        await ana.reads("Kein Tisch ist offen")
        assert b"\x1b[38" not in ana.bytes
        assert b"\x1b[48" not in ana.bytes
    async with visit(at.ssh.port, env={"LC_ALL": "C"}) as plain:
        await plain.reads("No table is open")
        plain.press(SETTINGS)
        await plain.reads("Bell")
        assert plain.text.isascii()
    async with visit(at.ssh.port) as coloured:
        await coloured.reads("No table is open")
        assert b"\x1b[38" in coloured.bytes
        coloured.press(SETTINGS)
        await coloured.reads("Bell")
        assert "┌──" in coloured.text


async def test_a_client_has_its_terminal_its_line_and_the_hosts_log(at: Host) -> None:
    async with visit(at.ssh.port) as first:
        await first.reads("Diadem, as ana")
        async with visit(at.ssh.port) as second:
            await second.reads("Diadem, as ana")
            for client in at.clients:
                files = open_files(client)
                terminals = [file for file in files if file.startswith("/dev/pts")]
                assert len(terminals) == 3
                assert len(set(terminals)) == 1
                assert not any("sqlite" in file or "host_key" in file for file in files)


async def test_no_key_stops_it(at: Host) -> None:
    stops = "\x1a\x1c"
    async with visit(at.ssh.port) as ana:
        ana.press(stops)  # before there is anybody to take it
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        for blow in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
            os.kill(client, blow)
        ana.press(stops + "m")
        await ana.reads("What is played here?")
        assert state_of(client) in "SR"


async def test_one_ctrl_c_does_not_end_it(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        ana.press("\x03")
        await ana.reads("Press Ctrl+C again to leave Diadem.")
        ana.press("m")
        await ana.reads("What is played here?")


def state_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


async def test_nothing_reaches_beyond_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_urls: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened_urls.append)
    monkeypatch.chdir(tmp_path)
    app = HostedApp(
        LaunchOptions(name="ana", address=BY_A_GATE),
        GateSettingsStore(),
    )
    async with app.run_test() as pilot:
        await pilot.pause()
        app.open_url("https://games.example")
        app.action_screenshot()
        app.save_screenshot()
        app.action_suspend_process()
        await pilot.pause()
        await app.action_quit()
    assert opened_urls == []
    assert os.listdir(tmp_path) == []  # noqa: PTH208


async def test_there_is_no_choice_of_servers(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        ana.forget()
        ana.press("d\x10")
        await ana.reads("What do you want to do?")
        await ana.reads("code")
        for elsewhere in ("other server", "--host", "address"):
            assert elsewhere not in ana.text.casefold()


async def test_a_hosted_client_asks_for_a_name_only() -> None:
    launch = LaunchOptions(name="", address=BY_A_GATE)
    app = HostedApp(launch, GateSettingsStore())
    async with app.run_test() as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ConnectScreen)
        assert not app.screen.query_one("#host").is_on_screen
        assert app.screen.query_one("#name").has_focus
        await app.action_quit()


async def test_many_variables_are_no_matter(at: Host) -> None:
    env = {f"LC_{'A' * length}": "C" for length in range(1, 200)}
    async with visit(at.ssh.port, env=env) as ana:
        await ana.reads("Diadem, as ana")


async def test_not_any_number_of_variables_is_kept(at: Host) -> None:
    env = {f"LC_{number}": "x" * 1000 for number in range(100)}
    async with await connection(at.ssh.port) as line:
        with pytest.raises((asyncssh.Error, ConnectionError)):
            await line.create_process(term_type="xterm", encoding=None, env=env)
        assert not at.clients
