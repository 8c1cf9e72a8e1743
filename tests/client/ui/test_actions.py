"""What keys are offered for an action."""

from collections import Counter

import pytest
from textual.binding import Binding

from diadem_client.board.pane import GamePane
from diadem_client.games.castles.pane import CastlesPane
from diadem_client.games.diadingo.pane import DiadingoPane
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.ui.actions import Action, bindings, either_case
from diadem_client.ui.screens.table import TableScreen


def keys_of(*keys: str) -> str:
    (binding,) = bindings([Action("draw", keys, "draw", "Draw a card.")])
    assert isinstance(binding, Binding)
    return binding.key


def test_a_letter_does_the_same_with_caps_lock_on() -> None:
    assert keys_of("d") == "d,D"
    assert keys_of("d", "enter", "f10", "1") == "d,D,enter,f10,1"


def test_a_child_with_caps_lock_on_can_draw() -> None:
    keys = [each.key.split(",") for each in CastlesPane.BINDINGS if isinstance(each, Binding)]
    assert ["d", "D"] in keys


@pytest.mark.parametrize("pane", [CastlesPane, DiadingoPane, DiaminoPane])
def test_at_a_table_a_key_does_one_thing(pane: type[GamePane]) -> None:
    """But for those of which one can be done at a time."""
    actions = [*TableScreen.ACTIONS, *pane.ACTIONS]
    counts = Counter(key for action in actions for key in either_case(action.keys))
    twice = {key for key, count in counts.items() if count > 1}
    assert twice <= {"f2", "f8", "ctrl+g", "backspace", "enter", "escape", "space"}


def test_letters_stay_tiles_on_the_board_of_diamino() -> None:
    keys = {key for action in DiaminoPane.ACTIONS for key in action.keys}
    assert not [key for key in keys if len(key) == 1 and key.isalpha()]
