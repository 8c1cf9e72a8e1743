"""What was played from this machine is counted once, whoever has written its file."""

from pathlib import Path

import pytest

from diadem_client.local import home_statistics
from diadem_client.local.home_statistics import HomeStatistics, result_of
from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.local_file import read_text
from diadem_client.local.own_words import OwnWords
from diadem_shared.entries import Setup
from diadem_shared.match_file import MatchFile
from diadem_shared.results import VERSION
from tests.client.zoo import ZOO, zoo_match
from tests.shared.match_files import file_of, played

GAME = "diadingo"
FILE = file_of(*played(Setup(GAME)))
OTHER = file_of(*played(Setup("diamoniak")))


def as_it_is(file: MatchFile) -> MatchFile:
    return file


@pytest.fixture
def matches(tmp_path: Path) -> KeptMatches:
    matches = KeptMatches(tmp_path / "matches")
    matches.keep(FILE, 0, 1_795_000_000.0)
    matches.keep(OTHER, 1, 1_795_000_001.0)
    return matches


def counted(matches: KeptMatches, path: Path) -> HomeStatistics:
    home = HomeStatistics(matches, path, as_it_is)
    while home.waiting:
        home.count_one()
    home.save()
    return home


def test_what_was_counted_is_not_counted_again_and_outlives_its_file(
    matches: KeptMatches, tmp_path: Path
) -> None:
    first = counted(matches, tmp_path / "results.json")
    assert [(game.game, game.matches) for game in first.games] == [("diamoniak", 1), (GAME, 1)]
    for path in (tmp_path / "matches").iterdir():
        path.unlink()
    again = HomeStatistics(matches, tmp_path / "results.json", as_it_is)
    assert again.waiting == 0
    assert again.games == first.games


def test_results_that_were_made_otherwise_are_made_anew(
    matches: KeptMatches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(matches, tmp_path / "results.json")
    monkeypatch.setattr(home_statistics, "VERSION", VERSION + 1)
    assert HomeStatistics(matches, tmp_path / "results.json", as_it_is).waiting == 2


def test_the_oldest_results_go(
    matches: KeptMatches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home_statistics, "MOST_RESULTS", 1)
    counted(matches, tmp_path / "results.json")
    for path in (tmp_path / "matches").iterdir():
        path.unlink()
    assert [
        game.game for game in HomeStatistics(matches, tmp_path / "results.json", as_it_is).games
    ] == ["diamoniak"]


@pytest.mark.parametrize("text", ["", "{", '{"results": 5}', "[" * 100_000])
def test_a_file_that_cannot_be_read_is_written_anew(
    matches: KeptMatches, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    assert len(counted(matches, path).games) == 2
    assert HomeStatistics(matches, path, as_it_is).waiting == 0


def test_what_cannot_be_written_is_counted_all_the_same(
    matches: KeptMatches, tmp_path: Path
) -> None:
    (tmp_path / "in the way").write_text("")
    assert len(counted(matches, tmp_path / "in the way" / "results.json").games) == 2


def test_a_file_that_leads_nowhere_counts_for_nothing() -> None:
    assert result_of(FILE, 0, as_it_is) is not None
    assert result_of(FILE, None, as_it_is) is None
    assert result_of(FILE, 7, as_it_is) is None
    assert result_of(None, 0, as_it_is) is None
    assert result_of(b"a shopping list", 0, as_it_is) is None
    lines = FILE.splitlines(keepends=True)
    assert result_of(b"".join([*lines[:4], *lines[5:]]), 0, as_it_is) is None
    assert result_of(FILE.replace(b'"diadingo"', b'"diamoniak"'), 0, as_it_is) is None


def test_a_match_of_own_words_waits_for_its_list(tmp_path: Path) -> None:
    matches = KeptMatches(tmp_path / "matches")
    matches.keep(zoo_match(), 0, 1_795_000_000.0)
    own = OwnWords(str(tmp_path / "zoo.txt"))
    counted(matches, tmp_path / "results.json")
    home = HomeStatistics(
        matches, tmp_path / "results.json", lambda file: own.in_place(file, read_text)
    )
    assert home.waiting == 1
    (tmp_path / "zoo.txt").write_text(ZOO)
    home.count_one()
    home.save()
    assert HomeStatistics(matches, tmp_path / "results.json", as_it_is).waiting == 0
