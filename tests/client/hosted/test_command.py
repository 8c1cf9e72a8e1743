"""Who plays on the host's machine, what they may ask for, and what is kept of them."""

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from diadem.hosting import Orders
from diadem_client.hosted import command
from diadem_client.hosted.command import (
    ALLOWED_VARIABLES,
    HostedSettingsStore,
    NotAllowed,
    expects_utf8,
    from_command_line,
    from_orders,
)
from diadem_client.net.address import Address
from diadem_client.settings import Settings
from tests.cases import cases

HOME = Address("games.example")
ORDERS = Orders("/run/socket", "192.0.2.1", "Ana", {}, token="token")  # noqa: S106


def given(**named: Any) -> Namespace:
    usual = {"table": None, "player": "ana", "host": None, "name": None, "idle": 0, "lang": None}
    return Namespace(**(usual | {"ascii": False} | named))


@pytest.fixture(autouse=True)
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "user_state_path", lambda *_, **__: tmp_path)
    return tmp_path


def test_orders_lead_to_the_servers_own_socket_for_whom_the_gate_let_in() -> None:
    launch = from_orders(ORDERS)
    assert (launch.address.socket, launch.address.player_from) == ("/run/socket", "192.0.2.1")
    assert launch.store.token(HOME, "Ana") == "token"


def test_settings_of_a_player_are_kept_and_those_of_a_guest_are_not(tmp_path: Path) -> None:
    player = HostedSettingsStore(tmp_path / "ana", "token")
    player.save(Settings(language="fr"))
    assert HostedSettingsStore(tmp_path / "ana").settings().language == "fr"
    guest = HostedSettingsStore(None)
    guest.save(Settings(language="fr"))
    assert guest.settings() == Settings()
    assert not guest.is_known_player


def test_a_token_that_follows_from_the_key_is_not_written_down(tmp_path: Path) -> None:
    store = HostedSettingsStore(tmp_path, "token")
    store.save_token(HOME, "Ana", "another")
    assert store.token(HOME, "Ana") == "another"
    assert [
        path for path in tmp_path.rglob("*") if path.is_file() if "another" in path.read_text()
    ] == []


def test_a_token_over_the_systems_ssh_is_found_again_under_any_name(tmp_path: Path) -> None:
    HostedSettingsStore(tmp_path, saves_token=True).save_token(HOME, "Ana", "token")
    assert HostedSettingsStore(tmp_path, saves_token=True).token(HOME, "Bob") == "token"


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
