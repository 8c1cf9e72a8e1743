"""What is kept for players who come by a gate."""

import os
from pathlib import Path

import pytest

from diadem_server.gates import player_files
from diadem_server.gates.player_files import PlayerFiles
from diadem_shared.forkserver_protocol import LONGEST_FILE

ANA, BOB = "a" * 32, "b" * 32


def test_what_is_kept_is_found_again_by_that_player_alone(tmp_path: Path) -> None:
    files = PlayerFiles(tmp_path / "players")
    files.keep(ANA, "client.json", b"{}")
    files.keep(ANA, "client.json", b'{"language": "fr"}')
    files.keep(ANA, "puzzles.json", b"{}")
    again = PlayerFiles(tmp_path / "players")
    assert again.of(ANA) == {"client.json": b'{"language": "fr"}', "puzzles.json": b"{}"}
    assert again.of(BOB) == {}


def test_it_is_for_the_servers_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        PlayerFiles(tmp_path).keep(ANA, "client.json", b"{}")
    finally:
        os.umask(before)
    assert (tmp_path / ANA).stat().st_mode & 0o777 == 0o700
    assert (tmp_path / ANA / "client.json").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_too_long_or_none_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ANA / "puzzles.json").mkdir(parents=True)
    (tmp_path / ANA / "client.json").write_bytes(bytes(LONGEST_FILE + 1))
    assert PlayerFiles(tmp_path).of(ANA) == {}


def test_those_who_came_least_lately_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_files, "MOST_PLAYERS", 3)
    monkeypatch.setattr(player_files, "PRUNED_EVERY", 1)
    here = PlayerFiles(tmp_path)
    here.of(ANA)
    assert not (tmp_path / ANA).exists()  # it is made when something is kept
    for number in range(6):
        here.keep(str(number), "client.json", b"{}")
        os.utime(tmp_path / str(number), (number, number))
    here.of("1")
    assert {each.name for each in tmp_path.iterdir()} == {"1", "4", "5"}
