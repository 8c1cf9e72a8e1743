"""The moves a player is offered: all that are allowed, by the list or by the players' own judgement."""

from itertools import permutations, product

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.board import field_name
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.table import Exchange, Lay, Move, Pass, State
from tests.shared.games.diamino.positions import BONUS, DICTIONARY, RUMMY, TABLE, after, position

FIELDS = [field_name(row, column) for row in range(6) for column in range(5)]


def offered(state: State, game: Diamino = RUMMY) -> list[Move]:
    return list(game.moves(game.view(state, state.turn)))


def typed(state: State, game: Diamino = RUMMY) -> set[str]:
    return {game.notate(move) for move in offered(state, game)}


def all_plays(tiles: str) -> set[Play]:
    """Every play of these letters there could be, allowed or not."""
    hands = {"".join(part) for count in (1, 2, 3) for part in permutations(tiles, count)}
    return {Play(*where) for where in product(FIELDS, Direction, hands)}


def test_the_tables_own_list_says_what_is_offered() -> None:
    """M-11: the shipped list knows more, such as OS down column B."""
    assert typed(position("ES", "A")) == {
        "pass",
        "lay D1 across E",
        "lay C2 across E",
    }
    shipped = replace(DICTIONARY, word_list="")
    assert "lay B2 across S" in typed(position("ES", "A", options=shipped))


def test_with_a_list_all_that_is_allowed_is_offered() -> None:
    """M-14, M-13, and what is laid, M-4 to M-8, against every play there could be."""
    for letters in ("TOR", ""):
        state = position("ERO", "A", letters=letters)
        view = RUMMY.view(state, 0)
        allowed = {play for play in all_plays("ERO") if RUMMY.explain(view, Lay(play)) is None}
        assert {*offered(state)} == {Pass(), *map(Lay, allowed)}
        assert allowed


def test_m12_where_players_judge_every_play_is_offered() -> None:
    """Words of the list or not; known ones first, and each once."""
    for letters, hand in (("TOR", "EXO"), ("", "EXO"), ("TOR", "EXE")):
        state = position(hand, "A", letters=letters, options=TABLE)
        view = RUMMY.view(state, 0)
        allowed = {play for play in all_plays(hand) if RUMMY.explain(view, Lay(play)) is None}
        moves = offered(state)
        assert len(moves) == len(set(moves))
        assert {*moves} == {Pass(), *map(Lay, allowed)}
        assert allowed


def test_m12_where_players_judge_a_joker_may_be_anything() -> None:
    state = position("*", "A", options=TABLE)
    letters = {text[-1] for text in typed(state) if text.startswith("lay D1")}
    assert len(letters) == 26


def test_m12_after_a_refused_play_no_exchange_is_offered() -> None:
    before = position("EX", "A", reserve="QQ", options=TABLE)
    refused = after(before, "lay D1 across X", "2: object")
    assert any(isinstance(move, Exchange) for move in offered(before))
    assert [move for move in offered(refused) if isinstance(move, Exchange)] == []
    assert {*offered(refused)} < {*offered(before)}


def test_m21_every_choice_for_the_reds_is_offered_once() -> None:
    state = after(position("OREEX*", "A"), "lay A2 down OR")
    moves = offered(state)
    assert len(moves) == len({*moves})
    assert typed(state) == {
        "keep",
        *("give *", "give E", "give X"),
        *("give *E", "give *X", "give EE", "give EX"),
    }


def test_nobody_else_is_offered_anything() -> None:
    state = position("E", "E", "E")
    assert list(RUMMY.moves(RUMMY.view(state, 1))) == []
    assert list(RUMMY.moves(RUMMY.view(state, None))) == []


def test_a_move_by_chance_is_of_the_tables_own_list() -> None:
    """A play most of the time, each as likely as any other; sometimes an exchange or a pass."""
    state = position("ES", "A", reserve="QQ")
    moves = [BONUS.any_move(BONUS.view(state, 0), Chance(bytes([seed, 1]))) for seed in range(200)]
    kinds = [type(move) for move in moves]
    assert {BONUS.notate(move) for move in moves if isinstance(move, Lay)} == {
        "lay D1 across E",
        "lay C2 across E",
    }
    assert kinds.count(Lay) > 120
    assert kinds.count(Exchange) > 5
    assert kinds.count(Pass) > 5


def test_a_move_by_chance_after_a_refused_play_is_no_exchange() -> None:
    """M-12."""
    state = replace(position("XS", "A", reserve="QQ", options=TABLE), refused=1)
    for seed in range(40):
        assert BONUS.any_move(BONUS.view(state, 0), Chance(bytes([seed]))) == Pass()
