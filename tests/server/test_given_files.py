"""Files that the host names are used as they are meant, or refused in a line."""

from pathlib import Path

import pytest

import diadem.lexicon.shelf as word_lists
from diadem_server.config import Config
from diadem_server.given_files import BadFile, check_certificate, load_word_list, read_password


def secret(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "password"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_the_password_is_the_first_line(tmp_path: Path) -> None:
    assert read_password(secret(tmp_path, "  open sesame \nfor the club\n")) == "open sesame"


def test_the_longest_password_is_taken(tmp_path: Path) -> None:
    assert read_password(secret(tmp_path, 200 * "x")) == 200 * "x"


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        (201 * "x", 0o600, "longer than 200 letters"),
        ("\nsesame", 0o600, "is empty"),
        ("sesame", 0o640, "can be read by others"),
    ],
)
def test_a_password_that_is_none_is_refused(
    tmp_path: Path, text: str, mode: int, said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        read_password(secret(tmp_path, text, mode))


def test_a_word_list_is_there_by_its_name_afterwards(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("tor\nrot\n")
    load_word_list("of the club", tmp_path / "words.txt")
    assert "of the club" in word_lists.names()


def test_without_a_certificate_there_is_nothing_to_check(tmp_path: Path) -> None:
    check_certificate(Config(tmp_path))


def test_a_certificate_that_is_not_there_is_refused(tmp_path: Path) -> None:
    config = Config(tmp_path, tls_cert=tmp_path / "cert.pem", tls_key=tmp_path / "key.pem")
    with pytest.raises(BadFile, match=r"cert.pem cannot be used with the key .*key.pem: No such"):
        check_certificate(config)
