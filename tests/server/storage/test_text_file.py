"""Files that a host names are read whole, or not at all, and nothing is waited for."""

import os
from pathlib import Path

import pytest

from diadem_server.storage.text_file import Unreadable, read_text

MEGABYTE = 1 << 20


def test_an_ordinary_file_is_read_to_its_last_letter(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_bytes("käse\nœuf\n".encode())
    assert read_text(path, 100) == "käse\nœuf\n"
    assert read_text(path, path.stat().st_size) == "käse\nœuf\n"


def test_a_longer_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_bytes(b"x" * (MEGABYTE + 1))
    with pytest.raises(Unreadable, match="longer than 1 MiB"):
        read_text(path, MEGABYTE)


def test_a_pipe_to_which_nobody_writes_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(Unreadable, match="no ordinary file"):
        read_text(path, MEGABYTE)


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_devices_and_folders_are_not_opened(path: str) -> None:
    with pytest.raises(Unreadable, match="no ordinary file"):
        read_text(Path(path), MEGABYTE)


def test_what_is_not_there_or_no_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read_text(tmp_path / "nothing", MEGABYTE)
    (tmp_path / "noise").write_bytes(b"\xff\xfe")
    with pytest.raises(Unreadable, match="line 1 is not UTF-8"):
        read_text(tmp_path / "noise", MEGABYTE)
