"""What the judge says of tiles that lie on the board for a try only."""

import pytest

from diadem_shared.game import Viewer
from diadem_shared.games.diamino.table import Lay
from diadem_shared.games.diamino.verdict import Illegal, Legal, Verdict
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.shared.games.diamino.positions import BONUS, DICTIONARY, TABLE, position


def preview(draft: dict[str, str], *, table: bool = False, viewer: Viewer = 0) -> Verdict:
    state = position("EN*", "RS", options=TABLE if table else DICTIONARY)
    return BONUS.preview(BONUS.view(state, viewer), draft)


def codes(verdict: Verdict) -> set[str]:
    assert isinstance(verdict, Illegal)
    return {reason.code for reason in verdict.reasons}


def test_a_good_draft_is_a_move_that_is_allowed() -> None:
    verdict = preview({"D1": "E"})
    assert isinstance(verdict, Legal)
    view = BONUS.view(position("EN*", "RS"), 0)
    assert BONUS.explain(view, Lay(verdict.play)) is None


def test_every_reason_is_named_at_once() -> None:
    assert codes(preview({"D1": "X", "A4": "E", "C6": "*"})) >= {
        "joker_unnamed",
        "not_in_line",
        "not_your_tiles",
    }


def test_where_the_table_judges_words_are_not_looked_up() -> None:
    assert codes(preview({"D1": "N"})) == {"unknown_words"}
    assert isinstance(preview({"D1": "N"}, table=True), Legal)


def test_who_looks_on_holds_no_tiles() -> None:
    assert "not_your_tiles" in codes(preview({"D1": "E"}, viewer=None))


@cases("draft", [{"D1": "EE"}, {"D1": ""}, {"D1": "1"}, {"D1": "é"}, {"": "E"}])
def test_what_is_no_tile_or_no_field_is_refused(draft: dict[str, str]) -> None:
    with pytest.raises(RefusalError) as refused:
        preview(draft)
    assert refused.value.refusal.code == "bad_draft"


def test_a_field_that_is_nowhere_is_beside_the_board() -> None:
    assert "off_board" in codes(preview({"Z9": "E"}))
