"""The files of the page: which are served, and as what."""

import gzip
from pathlib import Path

import pytest

from diadem_server.gates.messages import CannotListen
from diadem_server.gates.web import page_files


def test_all_files_of_the_page_are_served_and_nothing_else() -> None:
    there = {each.name for each in page_files.FOLDER.iterdir() if each.is_file()}
    assert set(page_files.load()) == there


def test_files_are_as_they_are_on_the_disk_gzipped_or_not(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"<p>")
    (tmp_path / "page.mjs").write_bytes(b"1" * 1000)
    (tmp_path / "notes.txt").write_bytes(b"mine")
    (tmp_path / "folder.css").mkdir()
    files = page_files.load(tmp_path)
    assert set(files) == {"index.html", "page.mjs"}
    script = files["page.mjs"]
    assert script.kind.startswith("text/javascript")
    assert gzip.decompress(script.gzipped) == script.content == b"1" * 1000


def test_a_page_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotListen, match="there is no index"):
        page_files.load(tmp_path)
    with pytest.raises(CannotListen, match="cannot be read"):
        page_files.load(tmp_path / "nowhere")
