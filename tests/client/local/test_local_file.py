"""A file that a player names is read only if it is a regular text file and not too long."""

import os
import socket
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from diadem_client.local.local_file import read_text
from diadem_client.state.forms import UnusableFile
from diadem_client.wording.refusals import sentence_for
from tests.cases import cases

LONGEST = 9
FAR_TOO_LONG = 1 << 26


def a_directory(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def a_way_to(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.symlink_to(target)

    make.__name__ = target
    return make


def too_much(path: Path) -> None:
    path.write_text("x" * (LONGEST + 1))


def far_too_much(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(FAR_TOO_LONG)


def no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


def test_a_text_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "map"
    file.write_text("äöü\n.S.\n")
    assert read_text(str(file), LONGEST) == "äöü\n.S.\n"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda _: None, "there is none of that name"),
        (a_directory, "it is no ordinary file"),
        (a_pipe, "it is no ordinary file"),
        (a_socket, "it is no ordinary file"),
        (a_way_to("/dev/zero"), "it is no ordinary file"),
        (a_way_to("/dev/tty"), "it is no ordinary file"),
        (a_way_to("itself"), "it cannot be read"),
        (too_much, "it is too long"),
        (far_too_much, "it is too long"),
        (no_text, "it is no text in UTF-8"),
    ],
)
def test_whatever_else_is_there_gets_a_sentence(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    path = tmp_path / "itself"
    make(path)
    tracemalloc.start()
    try:
        with pytest.raises(UnusableFile) as unusable:
            read_text(str(path), LONGEST)
        _, most_memory = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most_memory < FAR_TOO_LONG / 8
    assert sentence_for(unusable.value.refusal) == (
        f"That file cannot be used ({why}). Name another text file, or none."
    )


@cases("name", ["\0", "~nobody-of-that-name/x", "", "/etc/passwd/x", "x" * 5000])
def test_what_cannot_be_the_name_of_a_file_gets_a_sentence(name: str) -> None:
    with pytest.raises(UnusableFile):
        read_text(name, LONGEST)
