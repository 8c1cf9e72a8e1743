"""What came of weighing a match is found again, and nothing else is taken for it."""

from pathlib import Path

import pytest

from diadem_client.local import kept_analyses
from diadem_client.local.kept_analyses import KeptAnalyses
from diadem_shared.advice import Reason, Unit
from diadem_shared.analysis import Analysis, MoveAnalysis

MATCH, OTHER = b"a match", b"another"
FOUND = Analysis(
    (
        MoveAnalysis(
            7, 0, "draw", 0.25, Unit.CHANCE, "stop", 0.5, (Reason("danger_ahead", {"percent": 9}),)
        ),
    )
)
NOW = 1_795_000_000.0


@pytest.fixture
def analyses(tmp_path: Path) -> KeptAnalyses:
    analyses = KeptAnalyses(tmp_path / "analyses")
    analyses.keep(MATCH, FOUND, NOW)
    return analyses


def the_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "analyses").iterdir()
    return path


def test_it_is_found_again_after_a_restart(analyses: KeptAnalyses, tmp_path: Path) -> None:
    assert KeptAnalyses(tmp_path / "analyses").find(MATCH) == FOUND
    assert analyses.find(OTHER) is None
    assert the_file(tmp_path).stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("analyses")
def test_where_bots_or_rules_have_changed_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_analyses, "yardstick", lambda: b"of tomorrow")
    assert KeptAnalyses(tmp_path / "analyses").find(MATCH) is None


def test_the_yardstick_is_made_of_all_that_comes_along(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def yardstick_of(*names: str) -> bytes:
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(name.encode())
        monkeypatch.setattr(kept_analyses, "files", lambda _package: tmp_path)
        return kept_analyses.yardstick.__wrapped__()

    before = yardstick_of("bots.py")
    assert yardstick_of("__pycache__/bots.pyc") == before
    assert yardstick_of("lists/de.words") != before


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:0],
        lambda data: data[:-1],
        lambda data: data.replace(b"draw", b"drew"),
        lambda data: b"\xff" + data,
        lambda data: data.partition(b"\n")[2],
        lambda data: data.partition(b"\n")[0] + b"\n" + b"[" * 100_000,
        lambda data: data + b" " * kept_analyses.MOST_BYTES,
    ],
    ids=["empty", "cut", "changed", "no text", "no seal", "deep", "long"],
)
def test_what_is_damaged_is_as_good_as_none(
    analyses: KeptAnalyses, tmp_path: Path, harm: object
) -> None:
    path = the_file(tmp_path)
    path.write_bytes(harm(path.read_bytes()))  # type: ignore[operator]
    assert analyses.find(MATCH) is None


def test_that_of_another_match_is_not_taken(analyses: KeptAnalyses, tmp_path: Path) -> None:
    mine = the_file(tmp_path)
    analyses.keep(OTHER, Analysis(), NOW + 1)
    (other,) = {*mine.parent.iterdir()} - {mine}
    other.write_bytes(mine.read_bytes())
    assert analyses.find(OTHER) is None
    assert analyses.find(MATCH) == FOUND


def test_one_that_is_too_long_is_not_kept(tmp_path: Path) -> None:
    analyses = KeptAnalyses(tmp_path)
    analyses.keep(MATCH, Analysis(FOUND.decisions * 20_000), NOW)
    assert [*tmp_path.iterdir()] == []
