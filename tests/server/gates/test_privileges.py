"""The user that a gate runs as."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diadem_server.gates import privileges
from diadem_server.gates.messages import CannotListen, GateUser
from tests.patience import PATIENCE

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
NOBODY = GateUser("nobody", 65534, 65534, is_wish=False)


def test_a_server_that_is_not_root_has_gates_of_its_own_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert privileges.user_for(None) is None


def test_gates_of_root_are_nobodys_or_of_whom_the_host_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    usual = privileges.user_for(None)
    assert usual is not None
    assert (usual.name, usual.is_wish) == ("nobody", False)
    for wanted in ("nobody", str(usual.user)):
        named = privileges.user_for(wanted)
        assert named == GateUser("nobody", usual.user, usual.group, is_wish=True)
    assert privileges.user_for("root") is None


def test_a_user_who_is_not_there_is_named() -> None:
    for wanted in ("no-such-user", "4000000000"):
        with pytest.raises(CannotListen, match=f"--gate-user {wanted}: there is no such user"):
            privileges.user_for(wanted)


def run(program: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


BECOMES = """\
import os, resource, threading
from diadem_server.gates import privileges
from diadem_server.gates.messages import GateUser
privileges.unreadable = lambda user, needed: None  # Python may be root's alone here
privileges.drop(GateUser("nobody", 65534, 65534, is_wish=True), 40)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(*(status[each].strip() for each in ("Uid", "Gid", "Groups", "CapPrm", "NoNewPrivs")), sep="|")
end = threading.Event()
try:
    for _ in range(60):
        threading.Thread(target=end.wait, daemon=True).start()
except RuntimeError:
    print("no more than", resource.getrlimit(resource.RLIMIT_NPROC)[0])
os._exit(0)
"""


@as_root
def test_it_becomes_that_user_for_good_and_has_so_many_processes() -> None:
    told = run(BECOMES).splitlines()
    uid, gid, groups, caps, none_new = told[0].split("|")
    assert (set(uid.split()), set(gid.split()), groups) == ({"65534"}, {"65534"}, "")
    assert (int(caps, 16), none_new) == (0, "1")
    assert told[1:] == ["no more than 40"]


@as_root
def test_what_that_user_cannot_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = tmp_path / "keys"
    secret.write_text("")
    secret.chmod(0o600)
    before = os.getuid(), os.geteuid(), os.getgroups()
    wish = GateUser("nobody", 65534, 65534, is_wish=True)
    with pytest.raises(CannotListen, match="--gate-user nobody: "):
        privileges.drop(wish, 40, [secret])
    monkeypatch.setattr(privileges, "give_up_privileges", lambda: None)
    privileges.drop(NOBODY, 40, [secret])
    assert "the gate runs as root: nobody may not read" in caplog.text
    assert (os.getuid(), os.geteuid(), os.getgroups()) == before


def test_who_may_not_become_another_user_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setgroups", refused)
    wish = GateUser("nobody", 65534, 65534, is_wish=True)
    with pytest.raises(CannotListen, match="only root may, and who has CAP_SETUID"):
        privileges.drop(wish, 40)


STAYS = """\
import ctypes, os
from diadem_server.gates import privileges
privileges.drop(None, 40)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), status["NoNewPrivs"].strip(), ctypes.CDLL(None).prctl(3))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
def test_who_stays_who_they_are_gains_no_privileges_and_is_not_looked_into() -> None:
    assert run(STAYS) == f"{os.getuid()} 1 0\n"


def test_the_number_of_processes_is_for_the_sessions_of_all_gates() -> None:
    assert privileges.most_processes(100) == 1856
