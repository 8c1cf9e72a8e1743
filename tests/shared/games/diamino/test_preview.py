"""Tiles tried on the board are judged as the play would be."""

import pytest

from diadem.game import Refused
from diadem.games.diamino.verdict import Illegal, Legal
from tests.shared.games.diamino.positions import RUMMY, TABLE, position


def test_a_draft_that_could_be_laid() -> None:
    verdict = RUMMY.preview(RUMMY.view(position("E", "A"), 0), {"D1": "E"})
    assert isinstance(verdict, Legal)
    assert str(verdict.play) == "lay D1 across E"


def test_a_draft_that_could_not() -> None:
    verdict = RUMMY.preview(RUMMY.view(position("X", "A"), 0), {"D1": "X"})
    assert isinstance(verdict, Illegal)
    assert verdict.refusal.code == "unknown_words"


def test_words_are_tried_while_it_is_not_your_turn() -> None:
    verdict = RUMMY.preview(RUMMY.view(position("E", "A", turn=1), 0), {"D1": "E"})
    assert isinstance(verdict, Legal)


def test_where_the_players_judge_any_word_goes() -> None:
    verdict = RUMMY.preview(RUMMY.view(position("X", "A", options=TABLE), 0), {"D1": "X"})
    assert isinstance(verdict, Legal)


def test_who_watches_has_no_tiles_to_try() -> None:
    verdict = RUMMY.preview(RUMMY.view(position("E", "A"), None), {"D1": "E"})
    assert isinstance(verdict, Illegal)
    assert verdict.refusal.code == "not_your_tiles"


@pytest.mark.parametrize("draft", [{"??": "E"}, {"D1": "EE"}, {"D1": "1"}])
def test_what_is_no_draft(draft: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        RUMMY.preview(RUMMY.view(position("E", "A"), 0), draft)
    assert refused.value.refusal.code == "unreadable"
