"""The host key, and the keys that are let in."""

from pathlib import Path

import asyncssh
import pytest

from diadem_server.gates.players import BadFile
from diadem_server.gates.ssh.keys import allowed_keys, host_key


def test_the_host_key_is_made_once_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    made = host_key(tmp_path)
    assert host_key(tmp_path).get_fingerprint() == made.get_fingerprint()
    (path,) = (tmp_path / "ssh").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_key_of_the_hosts_own_is_taken(tmp_path: Path) -> None:
    own = asyncssh.generate_private_key("ssh-ed25519")
    host_key(tmp_path)
    (tmp_path / "ssh" / "host_key").write_bytes(own.export_private_key())
    assert host_key(tmp_path).get_fingerprint() == own.get_fingerprint()


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    host_key(tmp_path)
    (tmp_path / "ssh" / "host_key").chmod(0o644)
    with pytest.raises(BadFile, match="can be read by others"):
        host_key(tmp_path)


@pytest.mark.parametrize("content", [b"", b"no key"])
def test_what_is_no_key_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    host_key(tmp_path)
    path = tmp_path / "ssh" / "host_key"
    path.write_bytes(content)
    with pytest.raises(BadFile, match="cannot be used"):
        host_key(tmp_path)
    assert path.read_bytes() == content


def test_the_keys_that_are_let_in_are_those_of_the_file(tmp_path: Path) -> None:
    own, stranger = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    listed = tmp_path / "keys"
    listed.write_bytes(b"# friends\n" + own.export_public_key())
    keys = allowed_keys(listed)
    assert keys.validate(own.convert_to_public(), "ana", "127.0.0.1", None) is not None
    assert keys.validate(stranger.convert_to_public(), "ana", "127.0.0.1", None) is None
    with pytest.raises(BadFile):
        allowed_keys(tmp_path / "nothing")
    listed.write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile):
        allowed_keys(listed)
