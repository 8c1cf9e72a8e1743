"""What a host sees: one clear line for whatever keeps ssh from opening, and keys that stay."""

import sys
from pathlib import Path
from socket import create_server

import asyncssh
import pytest

from diadem_server import command_line
from tests.programs import refused_start
from tests.server.test_cli import running
from tests.ssh.rig import KEY, connection, host, visit

SSH = ("--port", "0", "--host", "127.0.0.1", "--ssh", "0")


async def test_the_host_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    async with host(tmp_path) as at, await connection(at.ssh.port) as line:
        fingerprint = fingerprint_of(line)
        assert fingerprint == at.ssh.fingerprint
    kept = [tmp_path / "ssh" / name for name in ("host_key", "players_secret")]
    assert [file.stat().st_mode & 0o777 for file in kept] == [0o600, 0o600]
    assert (tmp_path / "ssh").stat().st_mode & 0o777 == 0o700
    async with host(tmp_path) as at, await connection(at.ssh.port) as line:
        assert fingerprint_of(line) == fingerprint


def fingerprint_of(line: asyncssh.SSHClientConnection) -> str:
    key = line.get_server_host_key()
    assert key is not None
    return key.get_fingerprint()


async def test_the_host_is_told_where_and_by_which_key(tmp_path: Path) -> None:
    async with running("--data", str(tmp_path), "--ssh", "0") as (_process, _port, said):
        told = "".join(said)
    key = asyncssh.read_private_key(tmp_path / "ssh" / "host_key")
    assert key.get_fingerprint() in told
    assert "ssh -t -p " in told


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, line = refused_start(
            *("--data", str(tmp_path), "--host", "127.0.0.1", "--port", "0", "--ssh", port)
        )
    assert (status, line) == (1, f"game-server: port {port} is in use; choose another with --ssh")


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "asyncssh.py").write_text("raise ModuleNotFoundError(name='asyncssh')")
    status, line = refused_start("--data", str(tmp_path / "data"), *SSH, PYTHONPATH=str(tmp_path))
    assert status == 1
    wanted = f"{sys.executable} -m pip install asyncssh"
    assert line == f"game-server: --ssh needs asyncssh: {wanted}"


@pytest.mark.parametrize(
    ("name", "content", "mode", "said"),
    [
        ("host_key", b"no key", 0o600, "host_key cannot be used"),
        ("host_key", b"", 0o600, "host_key cannot be used"),
        ("host_key", b"", 0o644, "host_key can be read by others"),
        ("players_secret", b"short", 0o600, "players_secret does not hold what it held"),
        ("players_secret", b"x" * 32, 0o640, "players_secret can be read by others"),
    ],
)
def test_a_key_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, content: bytes, mode: int, said: str
) -> None:
    (tmp_path / "ssh").mkdir()
    (tmp_path / "ssh" / name).write_bytes(content)
    (tmp_path / "ssh" / name).chmod(mode)
    status, line = refused_start("--data", str(tmp_path), *SSH)
    assert status == 1
    assert said in line
    assert (tmp_path / "ssh" / name).read_bytes() == content


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "ssh").touch()
    status, line = refused_start("--data", str(tmp_path), *SSH)
    assert status == 1
    assert "ssh/host_key cannot be" in line


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "keys in {} cannot be used"), (b"\xff\xfe", "keys in {} cannot be used")],
)
def test_a_list_of_keys_that_cannot_be_used_is_named(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    listed = tmp_path / "keys"
    if content is not None:
        listed.write_bytes(content)
    status, line = refused_start("--data", str(tmp_path), *SSH, "--ssh-keys", str(listed))
    assert status == 1
    assert said.format(listed) in line


async def test_a_list_that_is_lost_lets_nobody_in(tmp_path: Path) -> None:
    listed = tmp_path / "keys"
    listed.write_bytes(KEY.export_public_key())
    async with host(tmp_path, keys=listed) as at:
        listed.unlink()
        with pytest.raises(asyncssh.PermissionDenied):
            await connection(at.ssh.port)


def test_a_user_for_the_gate_who_is_not_there_is_named(tmp_path: Path) -> None:
    status, line = refused_start("--data", str(tmp_path), *SSH, "--gate-user", "no-such-user")
    assert (status, line) == (1, "game-server: --gate-user no-such-user: there is no such user")


def test_bad_options_are_named() -> None:
    wanted = {
        ("--ssh-guests",): "give --ssh PORT too",
        ("--ssh-keys", "keys"): "give --ssh PORT too",
        ("--ssh", "70000"): "--ssh: '70000' is not a number from 0 to 65535",
        ("--ssh", "22", "--ssh-max", "0"): "--ssh-max: '0' is not a number from 1",
        ("--ssh", "22", "--ssh-idle", "-1"): "--ssh-idle: '-1' is not a number from 0",
    }
    said = {}
    for options in wanted:
        with pytest.raises(command_line.Mistaken) as mistake:
            command_line.read(options, {})
        said[options] = str(mistake.value)
    assert {options: each for options, each in said.items() if wanted[options] not in each} == {}


async def test_options_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIADEM_SSH", "0")
    monkeypatch.setenv("DIADEM_SSH_GUESTS", "yes")
    async with running("--data", str(tmp_path)) as (_process, _port, said):
        port = next(line for line in said if "ssh -t -p" in line).split()[-2]
        async with visit(int(port), "bob", None) as bob:
            await bob.reads("Diadem, as bob")


async def test_metrics_count_who_is_here(tmp_path: Path) -> None:
    async with host(tmp_path) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        assert "diadem_ssh_sessions 1\n" in str(at.app.lobby.metrics)


async def test_a_data_directory_with_a_long_name_is_no_matter(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    async with host(deep) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
