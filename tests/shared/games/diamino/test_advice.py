"""What is said of Diamino moves is true of the play."""

from diadem_shared.advice import Evaluation, Unit
from diadem_shared.chance import Chance
from diadem_shared.games.diamino import Diamino
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import Exchange, Lay, Move, Object, State
from tests.shared.games.diamino.test_bots import BONUS, RUMMY, a_table


def advice(game: Diamino, state: State, seat: int = 0, most: int = 3) -> list[Evaluation[Move]]:
    adviser = game.adviser(Chance(b"advice"))
    assert adviser
    return list(adviser.evaluate(game.view(state, seat), most))


def told(evaluation: Evaluation[Move]) -> dict[str, dict[str, object]]:
    return {reason.code: {**reason.about} for reason in evaluation.reasons}


OPENING = ("S......", ".......", ".......", ".......", ".......", ".......", ".......")


def test_the_last_tile_is_the_reason() -> None:
    best, *_ = advice(RUMMY, a_table("EI", *OPENING))
    assert isinstance(best.move, Lay)
    assert DiaminoReason.GOES_OUT in told(best)
    assert told(best)[DiaminoReason.LAYS] == {"tiles": 2}
    assert best.unit is Unit.TILES


def test_a_red_field_is_counted_and_what_is_kept_named() -> None:
    board = ("SR.....", *OPENING[1:])
    best, *_ = advice(BONUS, a_table("EIY", *board, reserve="E" * 30))
    assert isinstance(best.move, Lay)
    assert told(best)[DiaminoReason.SCORES] == {"points": 10}
    assert told(best)[DiaminoReason.KEEPS]["tiles"] == "Y"
    assert best.unit is Unit.POINTS


def test_where_nothing_fits_the_worst_tiles_go() -> None:
    best = advice(RUMMY, a_table("XQY", *OPENING, reserve="E" * 30))[0]
    assert isinstance(best.move, Exchange)
    assert DiaminoReason.NOTHING_FITS in told(best)
    assert told(best)[DiaminoReason.GIVES_UP] == {"tiles": best.move.tiles}


def test_a_word_that_is_in_no_list_is_objected_to_and_named() -> None:
    state = a_table("XQ", *OPENING, judging="table", others=("EI", "E"))
    play = Lay(parse_play("lay A1 across QX"))
    after, _ = RUMMY.play(state, 0, play, Chance(b"play"))
    (only,) = advice(RUMMY, after, seat=1)
    assert only.move == Object()
    assert told(only) == {DiaminoReason.NOT_IN_LIST: {"words": ["QX"]}}


def test_a_word_that_is_read_upward_is_named_as_it_is_read() -> None:
    """M-8: whatever else was made of the tiles, and not only where it was the best."""
    table = a_table("EHNTU", ".", ".", "S")
    adviser = RUMMY.adviser(Chance(b"advice"))
    assert adviser
    weighed = adviser.evaluate(RUMMY.view(table, 0), 1, Lay(parse_play("lay A1 down TUH")))
    (made,) = [each for each in weighed if each.move == Lay(parse_play("lay A1 down TUH"))]
    assert told(made)[DiaminoReason.WORD] == {"word": "HUT"}
