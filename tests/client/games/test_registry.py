"""The games that the client knows: the same as the rules know, and each loaded when it is played."""

import subprocess
import sys

import pytest

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.registry import pane_for
from diadem_client.board.typed import LinePane
from diadem_client.games import GAMES
from tests.game_features import WITH_PANE


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own interpreter, and code of this file
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "differing", ["GAMES['go'] = GAMES['diadingo']", "GAMES['go'] = GAMES.pop('diadingo')"]
)
def test_a_game_that_only_one_side_knows_fails_at_import_with_a_sentence(differing: str) -> None:
    failed = run(f"from diadem_shared.games import GAMES; {differing}; import diadem_client.games")
    last = failed.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert "go: every game needs a line both in diadem_shared.games.GAMES and in" in last
    assert ("diadingo" in last) == ("pop" in differing)


def test_no_pane_is_loaded_before_somebody_plays() -> None:
    code = "import sys; from diadem_client.games import GAMES; tuple(GAMES.values()); print(*sys.modules)"
    loaded = run(code).stdout.split()
    assert "diadem_client.games.diadingo.event_text" in loaded
    assert not [name for name in loaded if name.endswith(".pane") or name == "textual"]


def test_a_game_has_the_pane_that_it_names_and_can_be_typed_too() -> None:
    assert [game for game in GAMES if isinstance(pane_for(game), DrawnPane)] == WITH_PANE
    assert [game for game in GAMES if not isinstance(pane_for(game, typed=True), LinePane)] == []


def test_a_game_that_nobody_knows_is_played_in_words() -> None:
    assert isinstance(pane_for("go"), LinePane)
