"""Matches are written in each form, to files that nobody else has named."""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from diadem_client.local import match_exports
from diadem_client.local.match_exports import NoSuchForm, exported, forms, printed, save
from diadem_client.state.past_matches import Form
from diadem_shared.entries import Setup
from diadem_shared.match_file import Untrue, read
from diadem_shared.playout import play_out
from tests.shared.match_files import SECRET, TABLE, file_of, played

DATA = file_of(*played())
FILE = read(DATA)


def test_each_form_is_written() -> None:
    assert exported(FILE, DATA, Form.JSON) == [DATA.decode()]
    assert "Ana" in exported(FILE, DATA, Form.TEXT)[0]
    assert forms("diadingo") == [Form.TEXT, Form.JSON]
    assert Form.GCG in forms("diamino-rummy")


def test_of_a_match_of_diamino_there_is_a_score_sheet_for_each_round() -> None:
    setup = Setup("diamino-bonus", {"language": "en"}, rounds=2)
    steps = list(play_out(setup, ["zombie", "zombie"], SECRET))
    data = file_of(steps[-1].match, [step.entry for step in steps])
    sheets = exported(read(data), data, Form.GCG)
    assert len(sheets) == 2
    assert printed(data, Form.GCG).count("#player1") == 2


def test_nothing_that_is_there_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_exports, "MOST_OF_A_NAME", 3)
    (tmp_path / f"diadem-{TABLE}.txt").write_text("mine")
    (tmp_path / f"diadem-{TABLE}-2.txt").symlink_to(tmp_path / "elsewhere")
    (path,) = save(tmp_path, FILE, Form.TEXT, ["told"])
    assert path == tmp_path / f"diadem-{TABLE}-3.txt"
    assert path.read_text() == "told"
    assert (tmp_path / f"diadem-{TABLE}.txt").read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(FileExistsError):
        save(tmp_path, FILE, Form.TEXT, ["told"])


@pytest.mark.parametrize("code", ["../../x", "a/b", "x\n", ".", "x" * 12 + "/"])
def test_no_server_names_a_file(tmp_path: Path, code: str) -> None:
    file = structs.replace(FILE, header=structs.replace(FILE.header, table=code))
    paths = save(tmp_path / "out", file, Form.GCG, ["one", "two"])
    assert [path.name for path in paths] == ["diadem-match-round1.gcg", "diadem-match-round2.gcg"]
    assert {path.parent for path in paths} == {tmp_path / "out"}


def test_what_is_no_match_or_no_such_form_is_not_printed() -> None:
    with pytest.raises(NoSuchForm):
        printed(DATA, Form.GCG)
    lines = DATA.splitlines(keepends=True)
    with pytest.raises(Untrue):
        printed(b"".join([*lines[:-3], *lines[-2:]]), Form.TEXT)
    assert msgspec.json.decode(lines[0])["type"] == "table"
