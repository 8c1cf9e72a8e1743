"""Who is who by what they prove to be, and the secret that it follows from."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_server.gates.players import BadFile, Players

ANA, BOB = "SHA256:ana", "SHA256:bob"


@pytest.fixture
def umask() -> Iterator[None]:
    """As careless as it can be."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_player_has_the_same_token_and_folder_each_time(tmp_path: Path) -> None:
    players, again = Players(tmp_path), Players(tmp_path)
    assert players.token(ANA) == again.token(ANA) != players.token(BOB)
    assert players.folder(ANA) == again.folder(ANA) != players.folder(BOB)


def test_what_is_seen_of_a_player_gives_no_token_away(tmp_path: Path) -> None:
    """A folder's name is seen by whoever makes a backup."""
    players = Players(tmp_path)
    assert players.folder(ANA) not in players.token(ANA)
    assert "ana" not in players.folder(ANA)


def test_another_server_knows_other_tokens(tmp_path: Path) -> None:
    tokens = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        tokens.add(Players(tmp_path / name).token(ANA))
    assert len(tokens) == 2


def test_a_secret_that_is_cut_short_is_not_used(tmp_path: Path) -> None:
    Players(tmp_path)
    (tmp_path / "players_secret").write_bytes(b"short")
    with pytest.raises(BadFile, match="does not hold what it held"):
        Players(tmp_path)


@pytest.mark.usefixtures("umask")
def test_the_secret_is_for_the_servers_user_alone_whatever_lies_there(
    tmp_path: Path,
) -> None:
    """Neither a draft that somebody has left is used, nor what it leads to."""
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "players_secret.new").symlink_to(elsewhere)
    Players(tmp_path)
    secret = tmp_path / "players_secret"
    assert not secret.is_symlink()
    assert secret.stat().st_mode & 0o777 == 0o600
    assert len(secret.read_bytes()) == 32
    assert not elsewhere.exists()


def test_a_secret_that_others_could_read_is_not_used(tmp_path: Path) -> None:
    Players(tmp_path)
    (tmp_path / "players_secret").chmod(0o640)
    with pytest.raises(BadFile, match="can be read by others"):
        Players(tmp_path)
