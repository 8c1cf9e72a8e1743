"""The command game-server: one clear line for whatever keeps it from starting, and a polite end."""

import asyncio
import json
import os
import signal
import ssl
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from socket import AF_UNIX, create_server, socket
from typing import TypeAlias
from urllib.error import HTTPError

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from diadem_server import cli
from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.storage.changes import NewTable
from diadem_server.storage.schema import FILE
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import SUBPROTOCOL, Bye, Hello, Welcome
from tests.patience import PATIENCE
from tests.programs import GAME_SERVER
from tests.rig.journals import change, pragma, select
from tests.rig.wire import Player, server
from tests.server import code
from tests.server.certificate import certificate, needs_openssl

Refused: TypeAlias = Callable[..., tuple[object, str]]
"""How the command ends that does not start, and what it says."""


def leave_process_alone(patch: pytest.MonkeyPatch) -> None:
    """The command runs in the process of the tests, whose log and garbage collection it is not to change."""
    patch.setattr(cli, "write_log", lambda *_, **__: None)
    patch.setattr(cli, "collect_seldom", bool)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refused:
    leave_process_alone(monkeypatch)

    def of(*options: str, **environment: str) -> tuple[object, str]:
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                cli.main(options)
        return ended.value.code, capsys.readouterr().err

    return of


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Config]:
    """What the command would have run a server with."""
    leave_process_alone(monkeypatch)
    configs: list[Config] = []

    async def serve(config: Config, **_: bool) -> None:
        configs.append(config)

    monkeypatch.setattr(cli, "serve", serve)
    return configs


def port_in(said: str) -> int:
    address = next(line for line in said.splitlines() if "game-client" in line)
    return int("".join(filter(str.isdigit, address.rpartition(":")[2])))


@asynccontextmanager
async def running(
    *options: str,
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int, list[str]]]:
    """The server as a process of its own, its port, and what it has said so far."""
    process = await asyncio.create_subprocess_exec(
        *GAME_SERVER, "--port", "0", "--host", "127.0.0.1", *options, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        while "taken up again" not in (said or [""])[-1]:
            said.append((await process.stdout.readline()).decode())
            assert said[-1], "it ended before it had begun"
        yield process, port_in("".join(said)), said
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.slow
async def test_a_log_that_nobody_reads_any_more_is_no_trouble(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *(*GAME_SERVER, "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path)),
        stdout=writing,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writing)
    said = ""
    while "taken up again" not in said:
        said += (read := await asyncio.to_thread(os.read, reading, 4096)).decode()
        assert read, "it ended before it had begun"
    os.close(reading)
    async with asyncio.timeout(PATIENCE):
        async with Player(port_in(said), "Ana") as ana:
            await ana.make(Setup("diamoniak"))
        process.send_signal(signal.SIGTERM)
        _, complaints = await process.communicate()
    assert complaints == b""
    assert process.returncode == 0


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert not ended.value.code
    said = capsys.readouterr().out
    for word in ("--data", "DIADEM_MAX_TABLES", "--password-file", "SIGTERM", "--tls-cert"):
        assert word in said


BAD_OPTIONS = {
    "--port 70000": "--port: '70000' is not a number from 0 to 65535",
    "--max-tables none": "--max-tables: 'none' is not a number from 1",
    "--bot-pause -1": "--bot-pause: '-1' is not a number of seconds",
    "--bot-pause nan": "'nan' is not a number of seconds",
    "--log xml": "--log: invalid choice",
    "--port": "--port: expected one argument",
    "--thinkers 0": "--thinkers: '0' is not a number from 1 to 64",
    "--word-list words.txt": "'words.txt' is not NAME=FILE",
    "--tls-key key.pem": "give --tls-cert too",
    "--behind-proxy nginx": "'nginx' is no address and no network",
    "--allow-host http://box": "'http://box' is not the name of a machine",
    "--allow-origin box.example": "'box.example' is not http(s)://NAME",
    "--ssh-guests": "give --ssh PORT too",
    "--wibble": "there is no --wibble; --help shows what there is",
    "--max-tabels=4": "there is no --max-tabels; did you mean --max-tables?",
    "--max-table 4": "there is no --max-table; did you mean --max-tables?",
    "7453": "there is no 7453; --help shows what there is",
}
BAD_VALUES = {
    "DIADEM_PORT=high": "DIADEM_PORT: 'high' is not a number",
    "DIADEM_PORT=": "DIADEM_PORT: it is empty",
    "DIADEM_PASSWORD_FILE=": "DIADEM_PASSWORD_FILE: it is empty",
    "DIADEM_PASSWORD=sesame": "did you mean DIADEM_PASSWORD_FILE?",
    "DIADEM_MAX_TABELS=4": "did you mean DIADEM_MAX_TABLES?",
    "DIADEM_SSH_GUESTS=maybe": "DIADEM_SSH_GUESTS: 'maybe' is neither yes nor no",
    "DIADEM_LOG=xml": "DIADEM_LOG: choose from human, json",
    "DIADEM_ALLOW_HOST=a.example,b:80": "DIADEM_ALLOW_HOST: 'b:80' is not the name",
    "DIADEM_WORD_LIST=words.txt": "DIADEM_WORD_LIST: 'words.txt' is not NAME=FILE",
}
USELESS = {
    "--password-file {}/none": "none cannot be read",
    "--password-file {}/open": ("can be read by others; see that only you can: chmod 600 {}/open"),
    "--password-file {}/empty": "the first line of the password file",
    "--password-file {}/long": "long is longer than 200 letters",
    "--tls-cert {}/none": "none cannot be used",
    "--cluster {}/nothing": "--cluster {}/nothing is no postgresql://... and no file",
    "--cluster postgresql://:secret@db --backup {}/copy": '--file={}/copy "postgresql://@db"',
    "--tls-cert {}/empty": "empty cannot be used",
    "--word-list words={}/none": "none cannot be read",
    "--word-list words={}/empty": "empty is of no use",
    "--word-list words={}": "cannot be read: it is no ordinary file",
    "--word-list words={}/pipe": "pipe cannot be read: it is no ordinary file",
    "--word-list words={}/socket": "socket cannot be read: it is no ordinary file",
    "--word-list words=/dev/zero": "/dev/zero cannot be read: it is no ordinary file",
    "--word-list words={}/endless": "endless cannot be read: it is longer than 64 MiB",
    "--word-list words={}/binary": "binary cannot be read: line 1 is not UTF-8",
    "--tls-cert {}/empty --tls-key {}/none": "cannot be used with the key {}/none",
    "--host 203.0.113.7": "203.0.113.7 is no address of this machine",
    "--host no.such.invalid": "no.such.invalid is no address",
    "--data {}/empty/deeper": "deeper cannot be made",
    "--data {}/empty": "empty is a file; a folder is needed",
    "--data {}/shared": "others may write in {}/shared",
}
"""What is named as it is refused, by what was given."""


def is_one_line(said: str) -> bool:
    return said.startswith("game-server: ") and said.count("\n") == 1


def test_bad_options_are_named(refused: Refused) -> None:
    answers = {options: refused(*options.split()) for options in BAD_OPTIONS}
    assert {
        options: (status, said)
        for options, (status, said) in answers.items()
        if status != 2 or BAD_OPTIONS[options] not in said or not is_one_line(said)
    } == {}


def test_bad_values_in_the_environment_are_named(refused: Refused) -> None:
    answers = {given: refused(**dict([given.split("=", 1)])) for given in BAD_VALUES}
    assert {
        given: (status, said)
        for given, (status, said) in answers.items()
        if status != 2 or BAD_VALUES[given] not in said or not is_one_line(said)
    } == {}


def test_what_cannot_be_used_is_named(tmp_path: Path, refused: Refused) -> None:
    for name, content in {"empty": "", "long": 201 * "x", "open": "sesame"}.items():
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o644 if name == "open" else 0o600)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with (tmp_path / "endless").open("wb") as endless:
        endless.truncate(1 << 40)
    os.mkfifo(tmp_path / "pipe")
    with socket(AF_UNIX) as made:
        made.bind(str(tmp_path / "socket"))
    here = str(tmp_path)
    answers = {
        options: refused("--data", here, "--port", "0", *options.replace("{}", here).split())
        for options in USELESS
    }
    assert {
        options: (status, said)
        for options, (status, said) in answers.items()
        if status != 1 or USELESS[options].replace("{}", here) not in said or not is_one_line(said)
    } == {}


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    """By the command as a process of its own."""
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ("--data", str(tmp_path), "--host", "127.0.0.1", "--port", port)
        ended = subprocess.run(  # noqa: S603
            [*GAME_SERVER, *options], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert (ended.returncode, ended.stderr) == (
        1,
        f"game-server: port {port} is in use; choose another with --port\n",
    )


def test_a_data_directory_in_use_is_named(tmp_path: Path, refused: Refused) -> None:
    journal = SqliteJournal(tmp_path)
    answer = refused("--data", str(tmp_path), "--port", "0")
    asyncio.run(journal.close())
    assert answer == (1, f"game-server: another server is using {tmp_path}\n")


def test_a_data_directory_of_another_version_is_named(tmp_path: Path, refused: Refused) -> None:
    asyncio.run(SqliteJournal(tmp_path).close())
    change(tmp_path, "PRAGMA user_version = 9")
    status, line = refused("--data", str(tmp_path), "--port", "0")
    assert status == 1
    assert "was written by another version of Diadem (9); it is left alone" in line


def test_a_data_directory_that_cannot_be_written_is_named(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / FILE).mkdir()
    status, line = refused("--data", str(tmp_path), "--port", "0")
    assert status == 1
    assert f"{tmp_path} cannot be written" in line


def test_a_journal_that_cannot_be_read_is_named(tmp_path: Path, refused: Refused) -> None:
    async def write() -> None:
        journal = SqliteJournal(tmp_path)
        await journal.start()
        await journal.write(NewTable("K7QD", 0.0, Setup("diamoniak"), b"", 1))
        await journal.close()

    asyncio.run(write())
    page = select(tmp_path, "SELECT rootpage FROM sqlite_master WHERE name = 'tables'")[0][0]
    size = pragma(tmp_path, "page_size")
    with (tmp_path / FILE).open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    status, line = refused("--data", str(tmp_path), "--host", "127.0.0.1", "--port", "0")
    assert status == 1
    assert "malformed" in line


async def test_it_ends_politely_when_told(tmp_path: Path) -> None:
    async with running("--data", str(tmp_path)) as (process, port, said):
        assert "is open" in said[0]
        async with Player(port, "Ana") as ana:
            process.send_signal(signal.SIGTERM)
            bye = await ana.until(
                lambda: next((m for m in ana.messages if isinstance(m, Bye)), None)
            )
            assert code(bye) == "server_closing"
            assert ana.socket is not None
            await ana.socket.wait_closed()
            assert ana.socket.close_code == 1001
            assert await process.wait() == 0


async def test_it_answers_monitors_and_browsers(tmp_path: Path) -> None:
    async with running("--data", str(tmp_path), "--log", "json") as (_, port, said):
        for line in map(json.loads, said):
            assert set(line) == {"time", "level", "message"}
            assert datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0)
        assert await _get(port, "/healthz") == (200, "ok\n")
        async with Player(port, "Ana"):
            status, metrics = await _get(port, "/metrics")
            assert status == 200
            assert "# TYPE diadem_connections gauge\ndiadem_connections 1\n" in metrics
        status, sentence = await _get(port, "/")
        assert status == 426
        assert "game-client" in sentence


async def _get(port: int, path: str) -> tuple[int, str]:
    def get() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{port}{path}", timeout=PATIENCE
            ) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(get)


def test_rates_and_processes_are_set(tmp_path: Path, served: list[Config]) -> None:
    given = ("--data", str(tmp_path), "--thinkers", "3", "--max-commands", "30")
    cli.main([*given, "--max-arrivals", "7"])
    (config,) = served
    assert (config.thinkers, config.commands_a_second, config.burst) == (3, 30, 90)
    assert config.connections_a_second == 7


@pytest.mark.parametrize(
    ("is_seen", "password", "is_said"),
    [(True, None, True), (True, "sesame", False), (False, None, False)],
)
async def test_a_server_that_is_open_to_all_says_so_when_it_starts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    is_seen: bool,  # noqa: FBT001
    password: str | None,
    is_said: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(App, "is_seen_from_outside", is_seen)
    at_once = asyncio.Event()
    at_once.set()
    monkeypatch.setattr(cli, "told_to_end", lambda: (at_once, at_once))
    monkeypatch.setattr(cli, "collect_seldom", bool)
    config = Config(tmp_path, host="127.0.0.1", port=0, password=password, announce=False)
    with caplog.at_level("INFO"):
        await cli.serve(config)
    assert (cli.OPEN_TO_ALL in caplog.messages) == is_said
    assert "closing" in caplog.messages


async def test_a_server_notices_that_it_is_told_to_end_once_more() -> None:
    told, told_again = cli.told_to_end()
    for event in (told, told_again):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(event.wait(), PATIENCE)


async def test_a_server_on_loopback_is_not_seen_from_outside(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        assert not app.is_seen_from_outside


@pytest.mark.slow
@needs_openssl
async def test_it_serves_over_tls(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    key.chmod(0o640)
    files = ("--tls-cert", str(made), "--tls-key", str(key))
    async with running("--data", str(tmp_path), *files) as (_, port, said):
        assert "wss://127.0.0.1" in "".join(said)
        assert f"the key {key} can be read by others" in "".join(said)
        trust = ssl.create_default_context(cafile=made)
        async with connect(
            f"wss://127.0.0.1:{port}", ssl=trust, subprotocols=[Subprotocol(SUBPROTOCOL)]
        ) as socket:
            await socket.send(protocol.pack(Hello("Ana")))
            assert isinstance(protocol.read_message(await socket.recv()), Welcome)


def test_the_password_is_the_first_line_of_its_file(tmp_path: Path, served: list[Config]) -> None:
    (tmp_path / "password").write_text("open sesame\nfor the club\n")
    (tmp_path / "password").chmod(0o400)
    cli.main(["--data", str(tmp_path), "--password-file", str(tmp_path / "password")])
    assert [config.password for config in served] == ["open sesame"]


def test_options_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: list[Config]
) -> None:
    monkeypatch.setenv("DIADEM_DATA", str(tmp_path / "deep" / "er"))
    monkeypatch.setenv("DIADEM_NAME", "At home")
    monkeypatch.setenv("DIADEM_COMPRESS", "yes")
    monkeypatch.setenv("DIADEM_VERBOSE", "off")
    monkeypatch.setenv("DIADEM_SERVICE_HOST", "10.0.0.1")  # where a cluster has a service diadem
    cli.main([])
    (config,) = served
    assert (config.data, config.name, config.compress) == (
        tmp_path / "deep" / "er",
        "At home",
        True,
    )
    assert config.data.is_dir()
