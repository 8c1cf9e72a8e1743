"""What is saved between two runs, and what happens where it cannot be."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Barrier

import pytest

from diadem_client.net.address import Address
from diadem_client.settings import MOST_BYTES, Settings, SettingsStore
from diadem_client.state.puzzle_record import PuzzleRecord

HERE = Address("games.example")


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    kept = Settings(host="games.example", name="Ana", theme="light", bell=False)
    SettingsStore(tmp_path, tmp_path).save(kept)
    assert SettingsStore(tmp_path, tmp_path).settings() == kept


def test_at_first_everything_is_as_usual(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "nowhere", tmp_path / "nowhere")
    assert store.settings() == Settings()
    assert store.token(HERE, "Ana") is None


def test_what_is_damaged_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "client.json").write_text("{not json")
    store = SettingsStore(tmp_path, tmp_path)
    store.save_token(HERE, "Ana", "one")
    (kept,) = (tmp_path / "sessions").iterdir()
    kept.write_text('{"token": 3}')
    assert store.settings() == Settings()
    assert store.token(HERE, "Ana") is None


def test_tokens_are_by_server_and_name_and_for_no_other_eyes(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path, tmp_path)
    store.save_token(HERE, "Ana", "one")
    store.save_token(HERE, "Bob", "two")
    assert store.token(HERE, "ana") == "one"
    assert store.token(HERE, "Bob") == "two"
    assert store.token(Address("games.example", 9), "Ana") is None
    files = list((tmp_path / "sessions").iterdir())
    assert len(files) == 2
    assert not [file for file in files if file.stat().st_mode & 0o077]


def test_clients_that_start_at_once_all_keep_their_tokens(tmp_path: Path) -> None:
    names = [f"Ana {number}" for number in range(8)]
    together = Barrier(len(names))

    def arrive(name: str) -> None:
        together.wait()
        SettingsStore(tmp_path, tmp_path).save_token(HERE, name, f"of {name}")

    with ThreadPoolExecutor(len(names)) as clients:
        list(clients.map(arrive, names))
    store = SettingsStore(tmp_path, tmp_path)
    assert [store.token(HERE, name) for name in names] == [f"of {name}" for name in names]


def test_where_nothing_can_be_written_play_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    store = SettingsStore(blocked, blocked)
    store.save(Settings(name="Ana"))
    store.save_token(HERE, "Ana", "one")
    assert store.settings() == Settings()


def test_what_is_known_of_puzzles_is_found_again(tmp_path: Path) -> None:
    day = date(2026, 11, 19)
    record = PuzzleRecord().tried(day, day, solves=True)
    SettingsStore(tmp_path, tmp_path).save_puzzle_record(record)
    assert SettingsStore(tmp_path, tmp_path).puzzle_record() == record


@pytest.mark.parametrize(
    "content",
    [
        b'{"days": {"today": "solved"}}',
        b'{"days": {"2026-11-19": {"tries": 1e30}}}',
        b'{"days": {"2026-11-19": {"tries": -1}}}',
        b'{"other":' + b"[" * 100_000,
        b'{"other": "\xff"}',
        b'{"other": "' + b" " * MOST_BYTES + b'"}',
    ],
    ids=["no day", "large", "negative", "deep", "no text", "long"],
)
def test_a_record_of_puzzles_that_is_none_is_not_used(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "puzzles.json").write_bytes(content)
    assert SettingsStore(tmp_path, tmp_path).puzzle_record() == PuzzleRecord()
