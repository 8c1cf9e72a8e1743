"""The server's files are private, whatever other users of the machine have prepared."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_server.storage.backup import back_up
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import (
    NotPrivate,
    others_may_read,
    private_file,
    private_folder,
)
from diadem_server.storage.schema import FILE, LOCK, InUse
from diadem_server.storage.sqlite import SqliteJournal

NOBODY = 65_534


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o7777


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A folder of a user without rights, who runs the test."""
    folder = Path(tempfile.mkdtemp())
    before = os.geteuid()
    if before == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    os.seteuid(before)
    folder.chmod(0o700)
    shutil.rmtree(folder)


def test_a_folder_that_is_made_is_closed_to_others(tmp_path: Path) -> None:
    private_folder(tmp_path / "a" / "data")
    assert mode(tmp_path / "a" / "data") == 0o700
    assert mode(tmp_path / "a") == 0o755, "what is above it is not the server's"


@pytest.mark.parametrize("before", [0o755, 0o777, 0o750, 0o2775])
def test_an_open_folder_of_ours_is_closed_and_that_is_said_once(
    tmp_path: Path, before: int, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.chmod(before)
    with caplog.at_level("INFO"):
        for _ in range(2):
            private_folder(tmp_path)
    assert mode(tmp_path) & 0o777 == 0o700
    assert caplog.messages == [f"{tmp_path} was open to others on this machine; it is no longer"]


def test_a_folder_that_all_share_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    with pytest.raises(NotPrivate, match="others may write in"):
        private_folder(tmp_path)
    assert mode(tmp_path) == 0o1777


def test_a_folder_of_somebody_else_is_taken_if_nobody_else_writes_there(nobodys: Path) -> None:
    private_folder(Path("/usr"))
    nobodys.chmod(0o777)
    os.seteuid(os.getuid())
    if os.geteuid() == 0:
        with pytest.raises(NotPrivate, match="others may write in"):
            private_folder(nobodys)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(NotPrivate, match="data is a file"):
        private_folder(tmp_path / "data")


def test_a_file_is_closed_to_others(tmp_path: Path) -> None:
    for name, content in (("new", ""), ("old", "kept")):
        path = tmp_path / name
        if content:
            path.write_text(content)
        private_file(path)
        assert (mode(path), path.read_text()) == (0o600, content)


@pytest.mark.parametrize("name", [FILE, LOCK])
def test_no_link_is_followed_to_a_file_of_somebody_else(tmp_path: Path, name: str) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir()
    elsewhere.write_text("precious")
    (data / name).symlink_to(elsewhere)
    with pytest.raises(JournalUnavailable, match="no ordinary file"):
        SqliteJournal(data)
    assert (elsewhere.read_text(), mode(elsewhere)) == ("precious", 0o644)


async def test_everything_in_the_data_folder_is_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch(mode=0o644)
    journal = SqliteJournal(tmp_path)
    assert {each.name for each in tmp_path.iterdir()} > {FILE, LOCK, f"{FILE}-wal", f"{FILE}-shm"}
    assert {mode(each) for each in tmp_path.iterdir()} == {0o600}
    with pytest.raises(InUse):
        SqliteJournal(tmp_path)
    with pytest.raises(InUse):
        SqliteJournal(tmp_path)
    await journal.close()
    await SqliteJournal(tmp_path).close()


def test_where_nothing_can_be_written_a_sentence_says_so(nobodys: Path) -> None:
    nobodys.chmod(0o500)
    private_folder(nobodys)
    with pytest.raises(JournalUnavailable, match="Permission denied"):
        SqliteJournal(nobodys)
    with pytest.raises(JournalUnavailable, match="No such file or directory"):
        SqliteJournal(nobodys / "gone")


async def test_a_journal_on_a_disk_that_is_read_only_is_named(nobodys: Path) -> None:
    await SqliteJournal(nobodys).close()
    (nobodys / FILE).chmod(0o400)
    nobodys.chmod(0o500)
    with pytest.raises(JournalUnavailable, match=r"readonly|unable to open"):
        SqliteJournal(nobodys)


async def test_whatever_lies_where_a_backup_goes_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, copies, elsewhere = (tmp_path / name for name in ("data", "copies", "elsewhere"))
    for folder in (data, copies):
        folder.mkdir()
    await SqliteJournal(data).close()
    elsewhere.write_text("precious")
    for name in ("copy", f"copy.{os.getpid()}", "copy-journal", "copy-wal"):
        (copies / name).symlink_to(elsewhere)
    drafts: list[tuple[Path, int]] = []
    connect = sqlite3.connect

    def watched(path: Path) -> sqlite3.Connection:
        drafts.append((path, mode(path.parent)))
        return connect(path)

    monkeypatch.setattr(sqlite3, "connect", watched)
    for _ in range(2):
        back_up(data, copies / "copy")
    assert elsewhere.read_text() == "precious"
    assert not (copies / "copy").is_symlink()
    assert mode(copies / "copy") == 0o600
    first, second = [(path, closed) for path, closed in drafts if path.parent != data]
    assert first[1] == second[1] == 0o700
    assert first[0] != second[0], "nobody knows where it is made"
    assert len(list(copies.iterdir())) == 4, "nothing is left behind"


def test_what_systemd_hands_over_is_a_secret_though_its_group_may_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    password = tmp_path / "password"
    password.touch()
    password.chmod(0o440)
    assert others_may_read(password.stat(), password)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert not others_may_read(password.stat(), password)
    elsewhere = tmp_path.parent / f"{tmp_path.name}-not"
    assert others_may_read(password.stat(), elsewhere / "password")
