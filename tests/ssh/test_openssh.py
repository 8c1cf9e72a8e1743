"""OpenSSH on either side: its client with our server, and its server in front of ours."""

import getpass
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server

import pytest

from tests.e2e.rig import BIN, CLIENT, SERVER, TMUX, Terminal, Tmux, is_gone, tmux, until
from tests.patience import PATIENCE
from tests.programs import tied

SBIN = "/usr/sbin:/usr/local/sbin"
SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:{SBIN}")
SSH = shutil.which("ssh")
pytestmark = [
    pytest.mark.skipif(TMUX is None, reason="needs tmux"),
    pytest.mark.skipif(SSH is None, reason="needs OpenSSH's client (openssh-client)"),
]
needs_sshd = pytest.mark.skipif(SSHD is None, reason="needs OpenSSH's server (openssh-server)")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def make_key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)  # noqa: S603, S607
    return path


def ssh(port: str, user: str, *more: str, key: Path | None = None) -> list[str]:
    options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentityAgent=none"]
    options += ["IdentitiesOnly=yes"]
    identity = ["-i", str(key)] if key else ["-o", "PubkeyAuthentication=no"]
    flags = [word for option in options for word in ("-o", option)]
    return [str(SSH), "-F", "none", *flags, *identity, "-p", port, f"{user}@127.0.0.1", *more]


def in_terminal(terminals: Tmux, name: str, *command: str) -> Terminal:
    """Its exit status is shown when it has ended."""
    return terminals.open(name, "sh", "-c", '"$@"; echo "status $?"; cat', "sh", *command)


def serve(terminals: Tmux, tmp_path: Path, *options: str) -> Terminal:
    data = str(tmp_path / "matches")
    return terminals.open(
        "server", SERVER, "--host", "127.0.0.1", "--port", "0", "--data", data, *options
    )


def test_two_meet_over_bare_ssh(terminals: Tmux, tmp_path: Path) -> None:
    server = serve(terminals, tmp_path, "--ssh", "0", "--ssh-guests")
    port = server.matches(r"Over ssh, port (\d+)")[1]
    key = make_key(tmp_path / "key")
    ana = in_terminal(terminals, "Ana", *ssh(port, "Ana", "-t", key=key))
    ana.reads("Diadem, as Ana")
    ana.press("m")
    ana.reads("What is played here?")
    ana.press("Enter")
    table = ana.matches(r"Diamoniak +(\w{4}) +before the start")[1]
    bob = in_terminal(terminals, "Bob", *ssh(port, "Bob", "-t", table))
    bob.reads("Bob sits down")
    ana.press("r")
    bob.press("r")
    ana.matches("YOUR TURN|waiting for Bob")
    ana.press("C-q")
    ana.reads("status 0")
    ana.reads("Goodbye! A seat in a running match is kept for you.")
    ana.close()
    ana = in_terminal(terminals, "Ana", *ssh(port, "Ana", "-t", key=key))
    ana.matches("YOUR TURN|waiting for Bob")
    ana.resize(60, 19)
    ana.reads("Diadem needs 60x20, this is 60x19.")
    bob.close()
    ana.resize(80, 24)
    ana.matches(r"Bob\W+line lost")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-t", "sh", "-i"), "Only the code of a table can be asked for, like K7F3."),
        (("-T",), "Diadem needs a terminal: ssh -t"),
        (("-s", "sftp"), "subsystem request failed"),
    ],
)
def test_there_is_nothing_else_over_bare_ssh(
    terminals: Tmux, tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    server = serve(terminals, tmp_path, "--ssh", "0", "--ssh-guests")
    port = server.matches(r"Over ssh, port (\d+)")[1]
    ana = in_terminal(terminals, "Ana", *ssh(port, "Ana", *more))
    ana.reads(said)
    ana.matches(r"status [1-9]")


def test_a_guest_who_may_not_is_told(terminals: Tmux, tmp_path: Path) -> None:
    port = serve(terminals, tmp_path, "--ssh", "0").matches(r"Over ssh, port (\d+)")[1]
    ana = in_terminal(terminals, "Ana", *ssh(port, "Ana", "-t"))
    ana.reads("Players need a key here")
    ana.reads("status 255")


def test_too_many_are_told(terminals: Tmux, tmp_path: Path) -> None:
    server = serve(terminals, tmp_path, "--ssh", "0", "--ssh-guests", "--ssh-max-per-address", "1")
    port = server.matches(r"Over ssh, port (\d+)")[1]
    in_terminal(terminals, "Ana", *ssh(port, "Ana", "-t")).reads("Diadem, as Ana")
    bob = in_terminal(terminals, "Bob", *ssh(port, "Bob", "-t"))
    bob.reads("Too many players come from you")  # the rest is on the next line
    bob.reads("status 255")


# OpenSSH's own server


@contextmanager
def sshd(folder: Path, *forced: str) -> Iterator[str]:
    """One that runs Diadem for whoever has one of these lines; its port."""
    folder.mkdir()
    (folder / "authorized_keys").write_text("".join(f"{line}\n" for line in forced))
    with create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    config = folder / "sshd_config"
    config.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {make_key(folder / 'host_key')}\n"
        f"AuthorizedKeysFile {folder}/authorized_keys\nStrictModes no\nUsePAM no\nPidFile none\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\nAcceptEnv LANG LC_* NO_COLOR\n"
        "PermitRootLogin prohibit-password\nSubsystem sftp internal-sftp\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd hides as root
    process = subprocess.Popen(  # noqa: S603
        tied(str(SSHD), "-D", "-e", "-f", str(config)), stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "Server listening" in line:
                break
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)
        assert process.stderr is not None
        process.stderr.close()


def line_for(key: Path, home: Path, *options: str) -> str:
    """As docs/hosting/ssh.md has it, with the player's directories out of the way of others."""
    home.mkdir(exist_ok=True)
    command = " ".join([f"XDG_STATE_HOME={home}", CLIENT, "--hosted", *options])
    public = key.with_name(f"{key.name}.pub").read_text().strip()
    return f'restrict,pty,command="{command}" {public}'


@needs_sshd
def test_openssh_lets_players_in_and_knows_them_again(terminals: Tmux, tmp_path: Path) -> None:
    server = serve(terminals, tmp_path).matches(r"open, port (\d+)")[1]
    address = f"127.0.0.1:{server}"
    user, home = getpass.getuser(), tmp_path / "home"
    ana_key, bob_key = make_key(tmp_path / "ana"), make_key(tmp_path / "bob")
    lines = [
        line_for(ana_key, home, "--player", "ana", "--name", "Ana", "--host", address),
        line_for(bob_key, home, "--player", "bob", "--host", address),
    ]
    with sshd(tmp_path / "sshd", *lines) as port:
        ana = in_terminal(terminals, "Ana", *ssh(port, user, "-t", key=ana_key))
        ana.reads("Diadem, as Ana")
        ana.press("m")
        ana.reads("What is played here?")
        ana.press("Enter")
        table = ana.matches(r"Diamoniak +(\w{4}) +before the start")[1]
        bob = in_terminal(terminals, "bob", *ssh(port, user, "-t", table.lower(), key=bob_key))
        bob.reads("bob sits down")
        ana.press("s")
        bob.matches("YOUR TURN|waiting for Ana")
        bob.resize(60, 19)
        bob.reads("Diadem needs 60x20, this is 60x19.")
        clients = hosted_clients()
        assert len(clients) == 2
        ana.close()
        bob.close()
        until(lambda: all(map(is_gone, clients)), "their clients to end")
        again = in_terminal(terminals, "Ana2", *ssh(port, user, "-t", key=ana_key))
        again.matches("YOUR TURN|waiting for bob")
        again.press("C-z")
        again.press("C-q")
        again.reads("Goodbye! A seat in a running match is kept for you.")
        again.reads("status 0")


def hosted_clients() -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            command = (each / "cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if b"--hosted" in command and bytes(BIN / "game-client") in command:
            found.append(int(each.name))
    return found


@needs_sshd
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-t", "sh -c id"), "Only the code of a table can be asked for, like K7F3."),
        (("-T", "K7F3"), "Diadem needs a terminal: ssh -t"),
        (("-s", "sftp"), "Only the code of a table can be asked for, like K7F3."),
    ],
)
def test_openssh_runs_nothing_else(
    terminals: Tmux, tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    key = make_key(tmp_path / "key")
    line = line_for(key, tmp_path / "home", "--player", "ana", "--host", "127.0.0.1:1")
    with sshd(tmp_path / "sshd", line) as port:
        ana = in_terminal(terminals, "Ana", *ssh(port, getpass.getuser(), *more, key=key))
        ana.reads(said)
        ana.reads("status 2")
