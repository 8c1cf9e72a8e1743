"""A new game: the sample games under another name, in two folders and two registries."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import cases
from tools import new_game
from tools.new_game import CLIENT, HANDS, OPEN, ROOT, SHARED, BadNameError, make, renamed

LOOK = """
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_shared.games import GAMES
from tests.rig.conformance import check_level, check_match, check_round
from tests.rig.interference import check_interference
name = {name!r}
assert CLIENT_GAMES[name].title
for seed in range(2):
    check_round(GAMES[name], seed)
    check_match(GAMES[name], seed)
    assert check_interference(GAMES[name], seed)
    for level in GAMES[name].bots:
        check_level(GAMES[name], level, seed)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project whose packages are ours, but for the games, which can be added to."""
    for folder, package in ((SHARED, "diadem_shared"), (CLIENT, "diadem_client")):
        (tmp_path / folder).mkdir(parents=True)
        for theirs in (ROOT / folder).parent.iterdir():
            if theirs.name != "games":
                (tmp_path / folder).parent.joinpath(theirs.name).symlink_to(theirs)
        for theirs in (ROOT / folder).iterdir():
            if theirs.name == "__init__.py":
                (tmp_path / folder / theirs.name).write_text(theirs.read_text())
            else:
                (tmp_path / folder / theirs.name).symlink_to(theirs)
        assert package in folder
    return tmp_path


@pytest.mark.parametrize(("name", "how"), [("made-to-try", []), ("hands-to-try", ["--hands"])])
def test_a_new_game_passes_the_rig(
    copy: Path, capsys: pytest.CaptureFixture[str], name: str, how: list[str]
) -> None:
    new_game.main([name, *how], copy)
    assert f"game-client --solo {name}" in capsys.readouterr().out
    places = [str(copy / "shared"), str(copy / "client"), str(ROOT)]
    looked = subprocess.run(  # noqa: S603 - our own interpreter, and code of this file
        [sys.executable, "-c", f"import sys; sys.path[:0] = {places}\n" + LOOK.format(name=name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert looked.returncode == 0, looked.stderr


def test_nothing_of_the_sample_is_left(copy: Path) -> None:
    for name, sample in (("made-to-try", OPEN), ("hands-to-try", HANDS)):
        for path in make(copy, name, sample):
            text = path.read_text()
            assert "tests." not in text
            assert sample.folder not in text
            if path.suffix == ".py":
                ast.parse(text)


@cases("name", ["Numbers", "numbers!", "", "2048", "lost_rows", "../up", "diadingo"])
def test_a_name_that_no_game_can_have_is_refused(name: str) -> None:
    with pytest.raises(BadNameError):
        make(ROOT, name, OPEN)


def test_classes_are_called_as_the_game() -> None:
    text = 'class NumbersPane(DrawnPane): Numbers("numbers")'
    assert (
        renamed(text, "lost-gems", OPEN) == 'class LostGemsPane(DrawnPane): LostGems("lost-gems")'
    )
