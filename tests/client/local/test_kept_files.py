"""Files are kept within bounds, and none is made or read but those with names of ours."""

import re
from pathlib import Path

import pytest

from diadem_client.local.kept_files import KeptFiles

NAME = re.compile(r"\d{4}-[a-f]+\.txt")


def files_in(folder: Path, most: int = 3, together: int = 100) -> KeptFiles:
    return KeptFiles(folder, NAME, most, together)


def test_the_oldest_go(tmp_path: Path) -> None:
    files = files_in(tmp_path / "kept")
    for number in (3, 1, 4, 2):
        files.keep(f"{number:04d}-abc.txt", b"one")
    assert files.names() == ["0004-abc.txt", "0003-abc.txt", "0002-abc.txt"]
    files.keep("0005-abd.txt", b"x" * 96)
    assert files.names() == ["0005-abd.txt", "0004-abc.txt"]
    assert files.find("abd") == "0005-abd.txt"
    assert files.find("fff") is None
    assert files.read("0004-abc.txt", 2) == b"one"
    assert files.read("0005-abd.txt", 10) == b"x" * 11


def test_what_else_lies_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "shopping.txt").write_text("bread")
    (tmp_path / "0001-abc.txt").mkdir()
    files = files_in(tmp_path, most=1)
    files.keep("0002-abc.txt", b"one")
    assert files.read("0001-abc.txt", 10) is None
    assert {path.name for path in tmp_path.iterdir()} == {
        "shopping.txt",
        "0001-abc.txt",
        "0002-abc.txt",
    }


@pytest.mark.parametrize("name", ["../shopping.txt", "/etc/passwd", "", "0001-abc.txt/../../x"])
def test_nothing_else_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "shopping.txt").write_text("bread")
    assert files_in(tmp_path / "kept").read(name, 10) is None


def test_what_cannot_be_written_is_not_kept_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    files_in(tmp_path).keep("0001-abc.txt", b"one")
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "file").touch()
    files_in(tmp_path / "file" / "kept").keep("0001-abc.txt", b"one")
    assert files_in(tmp_path / "file" / "kept").names() == []
