"""What is said of castle moves is true of the table."""

from diadem_shared.chance import Chance
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import Buy, Draw, Pay, Shield, Stop, TableView, TurnPhase
from tests.shared.games.castles.test_bots import FIVE_BLUE, GAMES, RICH, holds, table

GAME = GAMES["diamoniak"]
DANGER, SHIELD = "danger", "shield"


def advice(view: TableView, move: type) -> dict[str, dict[str, object]]:
    """By code what is said of the best move of this kind."""
    adviser = GAME.adviser(Chance(b"advice"))
    assert adviser
    best = next(each for each in adviser.evaluate(view, 99) if isinstance(each.move, move))
    return {reason.code: {**reason.about} for reason in best.reasons}


def test_the_next_card_is_counted() -> None:
    """7 witches, 2 of them next to the deck; 54 cards, 7 of them in sight."""
    seen = table(holds("blue1 blue2", RICH), holds(), aside=(DANGER, DANGER))
    told = advice(seen, Draw)
    about = {"percent": 11, "dangers": 5, "cards": 47}
    assert told[CastlesReason.DANGER_AHEAD] == about
    assert told[CastlesReason.GOOD_CARDS] == {"good": 4, "cards": 47}
    assert told[CastlesReason.DANGER_WOULD_COST] == {"cards": ["currency"] * 3}


def test_an_empty_deck_is_the_one_that_would_be_shuffled() -> None:
    """K-15."""
    every = [*GAME.edition.deck()]
    for card in (DANGER, "blue1", "yellow1"):
        every.remove(card)
    rest = " ".join(card for card in every if card not in {DANGER, SHIELD})
    others = (*[DANGER] * 6, *[SHIELD] * 3)
    seen = table(holds("blue1"), holds("yellow1", rest), phase=TurnPhase.DRAWN, aside=others)
    seen_about = advice(seen, Draw)[CastlesReason.DANGER_AHEAD]
    assert seen_about == {"percent": 100, "dangers": 1, "cards": 1}


def test_a_shield_is_all_that_a_danger_takes() -> None:
    seen = table(holds(FIVE_BLUE, SHIELD), holds("yellow1"), phase=TurnPhase.DRAWN)
    assert CastlesReason.SHIELD_READY in advice(seen, Stop)


def test_a_part_that_wins_needs_no_other_reason() -> None:
    seen = table(holds(FIVE_BLUE, RICH), holds("pink1 pink2 pink3 pink4", "blue6"))
    assert advice(seen, Buy) == {CastlesReason.COMPLETES: {}}


def test_the_rival_who_is_nearest_is_named() -> None:
    near = holds("pink1 pink2 pink3 pink4 pink5")
    seen = table(holds("blue1", RICH), holds("yellow1"), near)
    assert advice(seen, Draw)[CastlesReason.RIVAL_NEAR] == {"seat": 2, "missing": 1}


def test_a_part_that_a_rival_needs_is_kept_from_them() -> None:
    mine = holds("blue1", "pink1 currency currency")
    seen = table(mine, holds("pink2"), phase=TurnPhase.DANGER, aside=(DANGER,))
    told = advice(seen, Pay)
    assert told[CastlesReason.KEPT_FROM] == {"seat": 1, "colour": "pink"}
    assert CastlesReason.SPARES_CASTLE in told


def test_a_shield_costs_no_cards() -> None:
    seen = table(holds("blue1", SHIELD), holds(), phase=TurnPhase.DANGER, aside=(DANGER,))
    assert CastlesReason.COSTS_NO_CARDS in advice(seen, Shield)
