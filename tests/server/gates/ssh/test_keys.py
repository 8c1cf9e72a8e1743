"""The host key, the keys that are let in, and who is who by key."""

from pathlib import Path

import asyncssh
import pytest

from diadem_server.gates.ssh.keys import BadKey, PlayerKeys, allowed_keys, host_key

ANA, BOB = "SHA256:ana", "SHA256:bob"


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
    with pytest.raises(BadKey, match="can be read by others"):
        host_key(tmp_path)


@pytest.mark.parametrize("content", [b"", b"no key"])
def test_what_is_no_key_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    host_key(tmp_path)
    path = tmp_path / "ssh" / "host_key"
    path.write_bytes(content)
    with pytest.raises(BadKey, match="cannot be used"):
        host_key(tmp_path)
    assert path.read_bytes() == content


def test_the_keys_that_are_let_in_are_those_of_the_file(tmp_path: Path) -> None:
    own, stranger = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    listed = tmp_path / "keys"
    listed.write_bytes(b"# friends\n" + own.export_public_key())
    keys = allowed_keys(listed)
    assert keys.validate(own.convert_to_public(), "ana", "127.0.0.1", None) is not None
    assert keys.validate(stranger.convert_to_public(), "ana", "127.0.0.1", None) is None
    with pytest.raises(BadKey):
        allowed_keys(tmp_path / "nothing")
    listed.write_bytes(b"\xff\xfe")
    with pytest.raises(BadKey):
        allowed_keys(listed)


def test_a_player_has_the_same_token_and_folder_each_time(tmp_path: Path) -> None:
    players, again = PlayerKeys(tmp_path), PlayerKeys(tmp_path)
    assert players.token(ANA) == again.token(ANA) != players.token(BOB)
    assert players.settings_folder(ANA) == again.settings_folder(ANA)
    assert players.settings_folder(ANA) != players.settings_folder(BOB)


def test_what_is_seen_of_a_player_gives_no_token_away(tmp_path: Path) -> None:
    """A folder's name is seen by whoever makes a backup."""
    players = PlayerKeys(tmp_path)
    assert players.settings_folder(ANA).name not in players.token(ANA)
    assert "ana" not in str(players.settings_folder(ANA).relative_to(tmp_path))


def test_another_server_knows_other_tokens(tmp_path: Path) -> None:
    tokens = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        tokens.add(PlayerKeys(tmp_path / name).token(ANA))
    assert len(tokens) == 2


def test_a_secret_that_is_cut_short_is_not_used(tmp_path: Path) -> None:
    PlayerKeys(tmp_path)
    (tmp_path / "ssh" / "players_secret").write_bytes(b"short")
    with pytest.raises(BadKey, match="does not hold what it held"):
        PlayerKeys(tmp_path)
