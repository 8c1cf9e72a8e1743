"""A server and two clients, each in a terminal of its own, play every game to its end by keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_client.settings import Settings, SettingsStore
from diadem_shared.games.diadingo.board import SPOTS
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.terms import RuleSet
from tests.e2e import castles, diadingo, diamino
from tests.e2e.diadingo import Diadingo
from tests.e2e.diamino import Diamino
from tests.e2e.rig import TMUX, Tmux, tmux
from tests.e2e.table import OUT_OF_TURN, Match, seat

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")


AT_ONCE = Settings(pace="instant", motion=False)
"""Nothing is shown for longer than it takes to paint it."""


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    """With the settings of somebody who is here for the first time."""
    with tmux(tmp_path) as it:
        yield it


@pytest.fixture
def quick_terminals(tmp_path: Path) -> Iterator[Tmux]:
    SettingsStore(tmp_path / "config" / "diadem", tmp_path / "state").save(AT_ONCE)
    with tmux(tmp_path) as it:
        yield it


def test_diamoniak(quick_terminals: Tmux, tmp_path: Path) -> None:
    """Half of it in words, as every game can be played, half of it by the keys of its own pane."""
    match = seat(quick_terminals, tmp_path / "matches", "Diamoniak")
    for player in match.players:
        castles.type_moves(player)
    assert not match.play(castles.typed_turn, 8)
    match.kill_and_bring_back_bob()
    match.ana.press("F6")
    assert match.play(castles.turn)
    assert sorted(score for _name, score in match.results()) == ["0", "1"]


def test_piratatak(quick_terminals: Tmux, tmp_path: Path) -> None:
    match = seat(quick_terminals, tmp_path / "matches", "Piratatak")
    refused_out_of_turn(match, "Draw a card", "d")
    assert not match.play(castles.turn, 8)
    match.kill_and_bring_back_bob()
    assert match.play(castles.turn)
    assert sorted(score for _name, score in match.results()) == ["0", "1"]


def test_diadingo(quick_terminals: Tmux, tmp_path: Path) -> None:
    """In memory play: what has moved is seen by who comes back, what has not is forgotten."""
    options = {"Scoring": "professional: empty rings"}
    match = seat(quick_terminals, tmp_path / "matches", "Diadingo", options)
    game = Diadingo()
    refused_out_of_turn(match, diadingo.RING, "Enter")
    assert not match.play(game.turn, 20)
    match.kill_and_bring_back_bob()
    left = diadingo.diamonds(match.ana.text)
    back = match.bob.settled(lambda text: diadingo.diamonds(text) == left, "the same board")
    assert not diadingo.tried(back)
    refused_where_nothing_lies(match, game)
    assert match.play(game.turn)
    match.results()
    match.ended(diadingo.ENDED)


@pytest.mark.parametrize("rules", RuleSet)
def test_diamino(terminals: Tmux, tmp_path: Path, rules: RuleSet) -> None:
    match = seat(terminals, tmp_path / "matches", f"Diamino {rules.capitalize()}")
    game = Diamino(rules)
    refused_out_of_turn(match, diamino.TURN, "2")
    refused_as_no_word(match)
    assert not match.play(game.turn, 3)
    exchanged(match)
    assert not match.play(game.turn, 2)
    match.kill_and_bring_back_bob()
    lying = diamino.lying(match.ana.text)
    match.bob.settled(
        lambda text: diamino.has_board(text) and diamino.lying(text) == lying, "the same board"
    )
    assert match.play(game.turn)
    match.results()
    match.ended(diamino.ENDED)


def refused_out_of_turn(match: Match, question: str, key: str) -> None:
    other = match.other(match.asked(question))
    other.press(key)
    other.reads(OUT_OF_TURN)


def refused_where_nothing_lies(match: Match, game: Diadingo) -> None:
    on = match.asked(diadingo.CARD.pattern)
    while diadingo.RING not in (shown := on.settled(diadingo.is_asked, "a card")):
        game.turn(on)
        on = match.asked(diadingo.CARD.pattern)
    there = diadingo.diamonds(shown)
    gone = next(spot for spot in SPOTS if spot not in there)
    on.press(*gone, "Enter")
    on.reads(f"{gone} is empty already.")
    on.press(*there[0])
    on.reads(f"type {there[0]}, Enter takes")


def refused_as_no_word(match: Match) -> None:
    """The draft says no as it lies, the whole sentence comes when it is to be laid all the same."""
    on = match.asked(diamino.TURN)
    shown = on.settled(diamino.is_asked, "all of the table")
    word = diamino.no_word(diamino.hand(shown))
    diamino.set_down(on, shown, Play("H8", Direction.ACROSS, word))
    on.reads("\u00d7 The list does not know")
    on.press("Enter")
    on.reads(f"The list does not know {word}.")
    on.press("3")
    on.until(lambda text: diamino.hand(text) == diamino.hand(shown), "all tiles to be back")


def exchanged(match: Match) -> None:
    on = match.asked(diamino.TURN)
    held = diamino.hand(on.settled(diamino.is_asked, "all of the hand"))
    diamino.exchange(on, held[:2])
    on.reads(f"You exchange 2 tiles: {held[:2]}")
