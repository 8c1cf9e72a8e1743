"""What is said of Diadingo moves: what was seen, and no more."""

import pytest

from diadem_shared.advice import Unit
from diadem_shared.chance import Chance
from diadem_shared.game import View
from diadem_shared.games.diadingo.board import FIXED, SPOTS, THEFT
from diadem_shared.games.diadingo.game import Diadingo
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diadingo.table import Hand, Options, TableView, Take, Tried
from tests.shared.games.diadingo.positions import position

GAME = Diadingo()
PROFESSIONAL = Options(scoring="professional")


def test_spots_that_were_seen_to_be_fixed_come_last() -> None:
    adviser = GAME.adviser(Chance(b"advice"))
    assert adviser
    for spot in ("A1", "B2"):
        adviser.see(Tried(1, spot, 1000, loose=False))
    view: TableView = View(0, GAME.public(position(3000, Hand(), Hand(empty=(1000, 1000)))))
    advice = adviser.evaluate(view, len(SPOTS))
    *untried, last, least = advice
    assert {last.move, least.move} == {Take("A1"), Take("B2")}
    assert {reason.code for reason in last.reasons} == {DiadingoReason.KNOWN_FIXED}
    best, avoided = untried[0].reasons
    assert best.about == {"loose": 26, "spots": 40, "percent": 65}
    assert avoided.about == {"spots": ["A1", "B2"]}
    assert advice[0].unit is Unit.DOLLARS
    assert advice[0].value == pytest.approx(3000 * 26 / (26 + FIXED - 2))


def test_a_ring_is_at_stake_in_professional_scoring_alone() -> None:
    adviser = GAME.adviser(Chance(b"advice"))
    assert adviser
    for options, value in ((Options(), 3000 * 26 / 42), (PROFESSIONAL, 3000 * (26 - 16) / 42)):
        view: TableView = View(0, GAME.public(position(3000, Hand(), Hand(), options=options)))
        best = adviser.evaluate(view, 1)[0]
        codes = [reason.code for reason in best.reasons]
        assert best.value == pytest.approx(value)
        assert (DiadingoReason.RING_AT_STAKE in codes) == (options is PROFESSIONAL)


def test_a_theft_says_what_it_brings_and_who_is_next() -> None:
    adviser = GAME.adviser(Chance(b"advice"))
    assert adviser
    hands = Hand(empty=(6000,)), Hand((6000,)), Hand((1000,))
    best = adviser.evaluate(View(0, GAME.public(position(THEFT, *hands))), 1)[0]
    about = {reason.code: reason.about for reason in best.reasons}
    assert about[DiadingoReason.THEFT_BRINGS] == {"gain": 6000, "seat": 1}
    assert about[DiadingoReason.ROBS_LEADER] == {"seat": 1}
    assert about[DiadingoReason.ROBBED_IS_NEXT] == {"seat": 1}
    assert best.unit is Unit.CHANCE
