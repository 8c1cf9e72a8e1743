"""The files of the page: which are served, and as what."""

import gzip
from pathlib import Path

import pytest

from diadem_server.gates.messages import CannotListen
from diadem_server.gates.web import page_files


def test_all_modules_are_served_as_one_and_nothing_else_of_the_folder_but_what_a_page_is_made_of() -> (
    None
):
    assert set(page_files.load()) == {"index.html", "page.css", "page.mjs", "icon.svg"}


def test_files_are_made_small_gzipped_or_not(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>\n<b>x</b>\n</p>\n")
    (tmp_path / "page.mjs").write_text('import { a } from "./a.mjs";\na( 1 ); // once\n')
    (tmp_path / "a.mjs").write_text("export const a = 2;\n")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder.css").mkdir()
    files = page_files.load(tmp_path)
    assert set(files) == {"index.html", "page.mjs"}
    assert files["index.html"].content == b"<p><b>x</b></p>"
    script = files["page.mjs"]
    assert script.kind.startswith("text/javascript")
    assert gzip.decompress(script.gzipped) == script.content == b"const a=2;a(1);"


def test_a_page_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotListen, match="there is no index"):
        page_files.load(tmp_path)
    (tmp_path / "index.html").write_text("<p>")
    with pytest.raises(CannotListen, match="there is no page"):
        page_files.load(tmp_path)
    with pytest.raises(CannotListen, match="cannot be read"):
        page_files.load(tmp_path / "nowhere")
