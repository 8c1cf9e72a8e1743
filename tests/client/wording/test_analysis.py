"""What a decision cost is told in what the game counts."""

from diadem_client.wording.analysis import cost, has_rack, kept, summary
from diadem_shared.advice import Reason, Unit
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diamino.reasons import DiaminoReason
from tests.cases import cases

DIADINGO, DIAMINO = "diadingo", "diamino-bonus"


def weighed(unit: Unit, made: float, best: float, *reasons: Reason) -> MoveAnalysis:
    return MoveAnalysis(7, 0, "one", made, unit, "other", best, (), reasons)


@cases(
    ("decision", "told"),
    [
        (weighed(Unit.CHANCE, 0.31, 0.54), "23 of 100"),
        (weighed(Unit.POINTS, -4.0, 17.2), "21 points"),
        (weighed(Unit.POINTS, 0.0, 1.0), "1 point"),
        (weighed(Unit.TILES, 2.0, 4.0), "2 tiles"),
        (weighed(Unit.TILES, 2.0, 1002.0), "the round"),
        (weighed(Unit.DOLLARS, 0.0, 3333.3), "$3 333"),
    ],
)
def test_a_cost_is_told_in_its_unit(decision: MoveAnalysis, told: str) -> None:
    assert cost(decision).replace("\xa0", " ") == told


def test_a_sum_says_how_many_were_best_and_what_was_left() -> None:
    decisions = [
        weighed(Unit.POINTS, 5.0, 5.2),
        weighed(Unit.POINTS, 0.0, 12.0),
        weighed(Unit.POINTS, 0.0, 1000.0),
    ]
    assert summary(DIAMINO, decisions) == (
        "1 of 3 decisions were the best that could be known. 12 points were left behind."
    )


def test_one_of_a_kind_is_told_of_in_the_singular() -> None:
    light, heavy = (
        (Reason(DiaminoReason.KEEPS, {"tiles": "EX", "hand": hand}),) for hand in ("light", "heavy")
    )
    harder = MoveAnalysis(7, 0, "one", 0.0, Unit.POINTS, "other", 1.0, light, heavy)
    assert "1 point was left behind." in summary(DIAMINO, [weighed(Unit.POINTS, 0.0, 1.0)])
    assert "2 points were left behind." in summary(DIAMINO, [weighed(Unit.POINTS, 0.0, 2.0)])
    assert "1 tile more could have gone." in summary(DIAMINO, [weighed(Unit.TILES, 0.0, 1.0)])
    forgotten = weighed(Unit.DOLLARS, 0.0, 1.0, Reason(DiadingoReason.KNOWN_FIXED))
    assert "gave away 1 dollar on average." in summary(DIADINGO, [forgotten])
    assert "In 1 turn the tiles" in summary(DIAMINO, [harder])
    assert "In 2 turns the tiles" in summary(DIAMINO, [harder, harder])


def test_what_was_forgotten_is_counted() -> None:
    forgotten = weighed(Unit.DOLLARS, 0.0, 2000.0, Reason(DiadingoReason.KNOWN_FIXED))
    assert "2 tries went to spots" in summary(DIADINGO, [forgotten, forgotten])
    assert "1 try went to a spot" in summary(DIADINGO, [forgotten])


def tried(came: float, *reasons: Reason) -> MoveAnalysis:
    return MoveAnalysis(
        7, 0, "take A1", 1000.0, Unit.DOLLARS, "take A1", 1000.0, reasons, reasons, came
    )


def test_luck_is_told_apart_from_memory() -> None:
    unknown = Reason(DiadingoReason.UNTRIED, {"loose": 1, "spots": 2, "percent": 50})
    lucky, unlucky = tried(2000.0, unknown), tried(0.0, unknown)
    told = summary(DIADINGO, [lucky, lucky, lucky, unlucky])
    assert "No try went to a spot that had been seen to be fixed." in told
    assert "Of 4 other tries 3 came off, where some 2 were to be expected." in told
    assert "Luck brought 2 000 dollars." in told.replace("\xa0", " ")
    assert "Bad luck cost 1 000 dollars." in summary(DIADINGO, [unlucky]).replace("\xa0", " ")
    even = summary(DIADINGO, [lucky, unlucky])
    assert "luck" not in even.lower()
    assert "Of 1 other" not in summary(
        DIADINGO, [tried(-2000.0, Reason(DiadingoReason.KNOWN_FIXED))]
    )


def keeping(hand: str, better: str, cost: float) -> MoveAnalysis:
    def keeps(named: str) -> tuple[Reason, ...]:
        about = {"tiles": "AB", "hand": named}
        return (Reason(DiaminoReason.KEEPS, {**about}),) if named else ()

    return MoveAnalysis(7, 0, "one", 0.0, Unit.TILES, "two", cost, keeps(better), keeps(hand))


def test_it_is_counted_how_often_harder_tiles_were_kept() -> None:
    worse, same = keeping("heavy", "even", 2.0), keeping("light", "light", 2.0)
    best, gone = keeping("heavy", "light", 0.0), keeping("light", "", 2.0)
    assert "In 1 turn the tiles" in summary(DIAMINO, [worse, same, best])
    assert "In 2 turns the tiles" in summary(DIAMINO, [worse, same, best, gone])
    assert "the tiles that were kept" not in summary(DIAMINO, [same, best])
    assert (kept(DIAMINO, worse.of_made), kept(DIAMINO, gone.reasons)) == ("AB", "")
    assert has_rack(DIAMINO, gone)
    assert not has_rack(DIADINGO, tried(0.0))


def test_a_game_that_is_not_known_here_has_the_sum_that_all_have() -> None:
    assert summary("chess", [weighed(Unit.POINTS, 0.0, 0.0)]).startswith("1 of 1 decisions")
