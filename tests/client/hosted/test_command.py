"""Who plays on the host's machine, what they may ask for, and what is kept of them."""

import socket
from argparse import Namespace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from diadem_client.hosted import command
from diadem_client.hosted.command import (
    ALLOWED_VARIABLES,
    FolderSettingsStore,
    GateSettingsStore,
    NotAllowed,
    expects_utf8,
    from_command_line,
    from_gate,
)
from diadem_client.hosted.gate_line import GateLine
from diadem_client.net.address import Address
from diadem_client.settings import Settings
from diadem_client.state.puzzle_record import PuzzleRecord
from diadem_shared.forkserver_protocol import LENGTH, Keep, LaunchRequest, read_from_client
from tests.cases import cases

HOME = Address("games.example")
FRENCH = b'{"language": "fr"}'


def given(**named: Any) -> Namespace:
    usual = {"table": None, "player": "ana", "host": None, "name": None, "idle": 0, "lang": None}
    return Namespace(**(usual | {"ascii": False} | named))


@pytest.fixture(autouse=True)
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "user_state_path", lambda *_, **__: tmp_path)
    return tmp_path


def test_a_client_of_a_gate_connects_by_it_and_has_it_keep_what_is_kept() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line = GateLine(theirs)
        launch = from_gate(
            line, LaunchRequest("Ana", {}, is_known=True, files={"client.json": FRENCH})
        )
        assert launch.address.opened_by == line.connection
        assert launch.store.folder is None
        assert launch.store.is_known_player
        assert launch.store.settings().language == "fr"
        launch.store.save_puzzle_record(PuzzleRecord().shown(date(2026, 11, 20)))
        assert launch.store.puzzle_record().days
        kept = read_from_client(ours.recv(1000)[LENGTH.size :])
        assert isinstance(kept, Keep)
        assert kept.name == "puzzles.json"
        assert b"2026-11-20" in kept.content


def test_nothing_is_kept_for_a_guest() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)  # noqa: FBT003
        launch = from_gate(GateLine(theirs), LaunchRequest("Ana", {}))
        launch.store.save(Settings(language="fr"))
        assert launch.store.settings() == Settings()
        assert not launch.store.is_known_player
        with pytest.raises(BlockingIOError):
            ours.recv(1)


def test_a_token_is_remembered_for_as_long_as_the_client_runs() -> None:
    store = GateSettingsStore()
    store.save_token(HOME, "Ana", "token")
    assert store.token(HOME, "Bob") == "token"


def test_settings_over_the_systems_ssh_are_kept_in_a_folder(tmp_path: Path) -> None:
    FolderSettingsStore(tmp_path / "ana").save(Settings(language="fr"))
    assert FolderSettingsStore(tmp_path / "ana").settings().language == "fr"


def test_a_token_over_the_systems_ssh_is_found_again_under_any_name(tmp_path: Path) -> None:
    FolderSettingsStore(tmp_path).save_token(HOME, "Ana", "token")
    assert FolderSettingsStore(tmp_path).token(HOME, "Bob") == "token"


@cases("wanted", ["sh", "K7F3; sh", "../K7F3", "K7F3 K7F3", "K" * 13])
def test_nothing_but_the_code_of_a_table_can_be_asked_for(wanted: str) -> None:
    if wanted.isalnum() and len(wanted) < 13:
        assert from_command_line(given(), {"SSH_ORIGINAL_COMMAND": wanted}).table == wanted
        return
    with pytest.raises(NotAllowed, match="code of a table"):
        from_command_line(given(), {"SSH_ORIGINAL_COMMAND": wanted})


def test_what_ssh_was_asked_for_goes_before_what_the_host_wrote() -> None:
    launch = from_command_line(given(table="M2PX"), {"SSH_ORIGINAL_COMMAND": " K7F3 "})
    assert launch.table == "K7F3"
    assert from_command_line(given(table="M2PX"), {}).table == "M2PX"


def test_two_players_of_one_account_are_two_and_may_be_called_anything(states: Path) -> None:
    folders = set()
    for player in ("ana", "bob", "../../etc", "x" * 5_000):
        launch = from_command_line(given(player=player), {})
        assert launch.store.folder is not None
        assert launch.store.folder.parent == states / "players"
        folders.add(launch.store.folder)
    assert len(folders) == 4


def test_minutes_of_sitting_still_become_seconds() -> None:
    assert from_command_line(given(idle=30), {}).idle == 1_800.0


@cases(
    ("environment", "expected"),
    [
        ({}, True),
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, False),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),
    ],
)
def test_a_terminal_shows_unicode_unless_its_locale_says_otherwise(
    environment: dict[str, str], *, expected: bool
) -> None:
    assert expects_utf8(environment) == expected


@cases("name", ["LD_PRELOAD", "PYTHONSTARTUP", "TEXTUAL_LOG", "EDITOR", "DIADEM"])
def test_variables_that_libraries_heed_are_not_for_players_to_set(name: str) -> None:
    assert not ALLOWED_VARIABLES.fullmatch(name)
    assert ALLOWED_VARIABLES.fullmatch("LC_ALL")
