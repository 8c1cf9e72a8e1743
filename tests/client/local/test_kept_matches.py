"""Matches are kept at home, within bounds, and whatever lies in their folder harms nothing."""

from pathlib import Path

import msgspec
import pytest

from diadem_client.local import kept_matches
from diadem_client.local.kept_matches import KeptMatches
from diadem_shared.entries import Changed, Left, Sat, Setup
from tests.shared.match_files import TABLE, file_of, played

MATCH, ENTRIES = played()
FILE = file_of(MATCH, ENTRIES)


def kept(folder: Path, number: int) -> bytes:
    """Another match, which ended so many seconds after the first."""
    file = FILE.replace(b"Ana", f"A{number}".encode())
    KeptMatches(folder).keep(file, 0, 1_000.0 + number)
    return file


def test_what_was_kept_is_listed_and_read(tmp_path: Path) -> None:
    matches = KeptMatches(tmp_path / "matches")
    assert matches.listed() == []
    matches.keep(FILE, 1, 1_700_000_000.7)
    matches.keep(FILE, 1, 1_700_000_900.0)  # it comes again, as one comes back to its table
    (match,) = matches.listed()
    assert (match.code, match.game, match.names) == (TABLE, "diadingo", ("Ana", "Bob"))
    assert (match.totals, match.seat, match.ended) == (MATCH.totals, 1, 1_700_000_000)
    assert matches.read(match.file) == FILE
    assert matches.find(TABLE) == match
    assert matches.find("NONE") is None
    (path,) = (tmp_path / "matches").iterdir()
    assert path.stat().st_mode & 0o077 == 0


def test_names_are_as_they_were_at_the_start(tmp_path: Path) -> None:
    before = [Sat("Cem"), Sat("Dee"), Left(0), Left(0), Changed(Setup("diadingo"))]
    lines = [*map(msgspec.json.encode, before)]
    first, rest = FILE.split(b"\n", 1)
    KeptMatches(tmp_path).keep(b"\n".join([first, *lines, rest]), None, 1_000.0)
    (match,) = KeptMatches(tmp_path).listed()
    assert (match.names, match.seat) == (("Ana", "Bob"), None)


def test_the_newest_come_first_and_the_oldest_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_matches, "MOST_MATCHES", 3)
    for number in range(5):
        kept(tmp_path, number)
    assert [match.names[0] for match in KeptMatches(tmp_path).listed()] == ["A4", "A3", "A2"]
    assert len(list(tmp_path.iterdir())) == 3
    monkeypatch.setattr(kept_matches, "MOST_TOGETHER", 2 * len(FILE))
    kept(tmp_path, 5)
    assert [match.names[0] for match in KeptMatches(tmp_path).listed()] == ["A5", "A4"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}", FILE[:-40], b"[" * 50_000, FILE.replace(b'"scores":[', b'"scores":[1,')],
    ids=["empty", "blank", "map", "cut", "deep", "more scores"],
)
def test_what_is_no_match_is_left_out(tmp_path: Path, content: bytes) -> None:
    kept(tmp_path, 1)
    (tmp_path / f"{2_000:010d}-0-{'0' * 32}.jsonl").write_bytes(content)
    (tmp_path / "shopping.txt").write_text("bread")
    assert [match.names[0] for match in KeptMatches(tmp_path).listed()] == ["A1"]


@pytest.mark.parametrize("name", ["../client.json", "/etc/passwd", "", "0000001000-0-x.jsonl"])
def test_nothing_else_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "client.json").write_text("{}")
    assert KeptMatches(tmp_path / "matches").read(name) is None


def test_texts_of_a_file_are_sanitized(tmp_path: Path) -> None:
    KeptMatches(tmp_path).keep(FILE.replace(b"Ana", b"A\\u001b[31m" + b"n" * 90), 0, 1_000.0)
    (match,) = KeptMatches(tmp_path).listed()
    assert "\x1b" not in match.names[0]
    assert len(match.names[0]) <= 20


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    matches = KeptMatches(tmp_path / "file" / "matches")
    matches.keep(FILE, 0, 1_000.0)
    assert matches.listed() == []
