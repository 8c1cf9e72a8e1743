"""Files that the host names are used as they are meant, or refused in a line."""

import logging
from pathlib import Path

import pytest

import diadem_shared.lexicon.shelf as word_lists
from diadem_server.config import Config
from diadem_server.option_files import (
    BadFile,
    check_certificate,
    load_word_list,
    read_database,
    read_password,
    shows_password,
    without_password,
)
from diadem_server.options import WordListFile
from diadem_shared.lexicon.shelf import WordListLine


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


def test_a_database_is_a_url_or_in_a_file(tmp_path: Path) -> None:
    url = "postgresql://diadem:sesame@db.example/diadem"
    assert read_database(url) == url
    assert read_database(str(secret(tmp_path, f"{url}\n"))) == url


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("db.example", 0o600, "is no postgresql://"),
        ("", 0o600, "is no postgresql://"),
        ("postgresql://db.example/diadem", 0o640, "can be read by others"),
    ],
)
def test_a_database_that_is_none_is_refused(
    tmp_path: Path, text: str, mode: int, said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        read_database(str(secret(tmp_path, text, mode)))
    with pytest.raises(BadFile, match="no file that can be read"):
        read_database(str(tmp_path / "nothing"))


def test_a_password_that_was_typed_is_noticed() -> None:
    for typed in (
        "postgresql://diadem:sesame@db/diadem",
        "--cluster=postgres://:sesame@db",
        "postgresql://db/diadem?user=diadem&password=sesame&sslmode=require",
    ):
        assert shows_password(typed)
        assert "sesame" not in without_password(typed)
    for typed in ("postgresql://diadem@db:5432/diadem", "postgresql://db:5432/a@b", "/run/a:b@c"):
        assert not shows_password(typed)


def test_a_word_list_is_there_by_its_name_afterwards(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("tor\nrot\n")
    load_word_list("of the club", WordListFile(tmp_path / "words.txt", "de"))
    assert WordListLine("of the club", "de", 2) in word_lists.lines()


def test_what_is_left_out_of_a_word_list_is_told_by_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    (tmp_path / "words.txt").write_text("tor\na\nit's\n3D\nDVD\nc'est\n\x1b[2J\n")
    load_word_list("of the club", WordListFile(tmp_path / "words.txt"))
    assert [record.getMessage() for record in caplog.records] == [
        "word list of the club: 1 word",
        "word list of the club: left out 1 line of less than 2 letters: a",
        "word list of the club: left out 4 lines with something that is on no tile: it's, 3D, c'est, ...",
        "word list of the club: left out 1 line like an abbreviation: DVD",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("\ufefftor\r\nrot\r\n".encode(), 2),
        (b"tor\n" + 1_000_000 * b"x" + b"\n", 1),
        (b"tor\x00\nrot\n" + bytes(1000), 1),
        (b"#" + 50_000 * b"#\n" + b"tor", 1),
    ],
    ids=["byte order mark and CRLF", "a line of 1 MB", "zeros", "comments"],
)
def test_an_odd_file_is_read_for_its_words(tmp_path: Path, content: bytes, words: int) -> None:
    (tmp_path / "words.txt").write_bytes(content)
    load_word_list("odd", WordListFile(tmp_path / "words.txt"))
    assert len(word_lists.take("odd")) == words


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("tor\nm\u00fcde\n".encode("latin-1"), "line 2 is not UTF-8"),
        ("tor\n".encode("utf-16"), "line 1 is not UTF-8"),
        (bytes(range(256)) * 40, "is not UTF-8"),
        (b"\x7fELF\x02\x01\x01" + bytes(5000), "no word of 2 to 15 letters"),
        (b"", "no word of 2 to 15 letters"),
        (1_000_000 * b"x", "no word of 2 to 15 letters"),
    ],
)
def test_a_file_without_words_is_refused_in_a_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "words.txt").write_bytes(content)
    with pytest.raises(BadFile, match=said) as refused:
        load_word_list("none", WordListFile(tmp_path / "words.txt"))
    assert str(refused.value).isprintable()
    assert "none" not in word_lists.names()


def test_without_a_certificate_there_is_nothing_to_check(tmp_path: Path) -> None:
    check_certificate(Config(tmp_path))


def test_a_certificate_that_is_not_there_is_refused(tmp_path: Path) -> None:
    config = Config(tmp_path, tls_cert=tmp_path / "cert.pem", tls_key=tmp_path / "key.pem")
    with pytest.raises(BadFile, match=r"cert.pem cannot be used with the key .*key.pem: No such"):
        check_certificate(config)
