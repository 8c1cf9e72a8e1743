"""Looking up is agreed on beside the rules: a state does not know of it."""

import pytest
from msgspec import to_builtins

from diadem_shared.chance import Chance
from diadem_shared.game import digest
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.refusals import RefusalError
from tests.shared.games.diamino.positions import BONUS, RUMMY


@pytest.mark.parametrize("game", [RUMMY, BONUS], ids=lambda game: game.name)
def test_tables_with_and_without_it_are_dealt_the_same_state(game: Diamino) -> None:
    states = [
        game.start(game.read_options({"look_up": allowed}), 2, None, Chance(b"any"))[0]
        for allowed in (True, False)
    ]
    assert digest(states[0]) == digest(states[1])
    assert "look_up" not in to_builtins(states[0])["options"]


@pytest.mark.parametrize("game", [RUMMY, BONUS], ids=lambda game: game.name)
def test_m11_words_are_looked_up_as_usual_and_not_where_the_table_says_so(
    game: Diamino,
) -> None:
    assert game.look_up(game.read_options({}), "SCHON") == ("schon", "schön")
    assert game.look_up(game.read_options({}), "QQQ") == ()
    with pytest.raises(RefusalError) as refused:
        game.look_up(game.read_options({"look_up": False}), "SCHON")
    assert refused.value.refusal.code == "no_look_up"


def test_a_list_that_is_not_there_is_refused() -> None:
    with pytest.raises(RefusalError) as refused:
        RUMMY.look_up(RUMMY.read_options({"word_list": "no such list"}), "SCHON")
    assert refused.value.refusal.code == "no_such_word_list"
