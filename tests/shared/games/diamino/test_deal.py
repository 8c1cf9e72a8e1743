"""How a round begins: M-1, M-3, M-18, M-19, M-25."""

from collections import Counter

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import pack
from diadem_shared.games.diamino.deal import draw_for_start
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.table import BonusTable, Opened, State
from diadem_shared.games.diamino.tiles import TILE_SETS
from tests.cases import cases
from tests.shared.games.diamino.positions import BONUS, BOTH, DICTIONARY, RUMMY, after, position


def dealt(game: Diamino, seats: int, seed: int, language: str = "de") -> tuple[State, Opened]:
    options = game.read_options({"language": language})
    state, told = game.start(options, seats, 0, Chance(seed.to_bytes(2, "little")))
    (opened,) = [happening.event for happening in told]
    assert isinstance(opened, Opened)
    return state, opened


@cases("language", TILE_SETS)
@cases("game", BOTH, ids=lambda game: game.name)
def test_m1_a_round_is_dealt_from_the_112_tiles_of_the_language(
    game: Diamino, language: str
) -> None:
    state, _ = dealt(game, 4, 1, language)
    tiles = Counter("".join(state.hands) + state.reserve)
    assert tiles == Counter(TILE_SETS[language].tiles)
    assert tiles.total() == 112


def test_m2_a_board_is_15_by_15_unless_the_table_brings_its_own() -> None:
    assert dealt(RUMMY, 2, 1)[0].board.layout.width == 15
    state, _ = RUMMY.start(DICTIONARY, 2, None, Chance(b"own"))
    assert str(state.board.layout).replace(" ", "") == DICTIONARY.board


def test_m3_the_letter_nearest_the_front_begins() -> None:
    for seed in range(40):
        _, opened = dealt(RUMMY, 5, seed)
        drawn = dict(opened.draws[-1])
        ranks = {seat: "A" if tile == "*" else tile for seat, tile in drawn.items()}
        first = min(ranks.values())
        assert [seat for seat, rank in ranks.items() if rank == first] == [opened.seat]


def test_m3_only_the_tied_draw_again() -> None:
    """Three kinds of tile, so that ties abound."""
    again = 0
    for seed in range(60):
        opened = draw_for_start("AAABBBCCC", 4, Chance(bytes([seed])))
        assert [seat for seat, _ in opened.draws[0]] == [0, 1, 2, 3]
        for before, after_ in zip(opened.draws, opened.draws[1:], strict=False):
            first = min(tile for _, tile in before)
            tied = [seat for seat, tile in before if tile == first]
            assert [seat for seat, _ in after_] == tied
            assert len(tied) > 1
            again += 1
    assert again > 20


def test_m3_a_joker_counts_as_an_a() -> None:
    ties, wins = 0, 0
    for seed in range(60):
        opened = draw_for_start("*AB", 2, Chance(bytes([seed])))
        tiles = {tile for _, tile in opened.draws[0]}
        ties += tiles == {"*", "A"} and len(opened.draws) > 1
        wins += tiles == {"*", "B"} and dict(opened.draws[0])[opened.seat] == "*"
        assert tiles != {"*", "A"} or len(opened.draws) > 1
        assert tiles != {"*", "B"} or dict(opened.draws[0])[opened.seat] == "*"
    assert ties
    assert wins


def test_m3_the_draw_says_nothing_of_the_hands() -> None:
    """The tiles go back before the hands are dealt: they turn up in the mover's hand by chance."""
    held = 0
    for seed in range(100):
        state, opened = dealt(BONUS, 4, seed)
        drawn = dict(opened.draws[0])
        held += drawn[1] in state.hands[1]
        assert Counter("".join(state.hands) + state.reserve).total() == 112
    assert 20 < held < 80


def test_m3_finds_the_starter_of_every_round() -> None:
    """Whoever's round it would be by C-1."""
    starts = {dealt(RUMMY, 3, seed)[0].turn for seed in range(40)}
    assert starts == {0, 1, 2}


@cases(("seats", "size"), [(2, 40), (3, 32), (4, 24), (5, 18), (6, 16), (7, 14), (8, 12)])
def test_m19_hands_in_rummy(seats: int, size: int) -> None:
    state, _ = dealt(RUMMY, seats, 1)
    assert [len(hand) for hand in state.hands] == [size] * seats
    assert len(state.reserve) == 112 - seats * size


@pytest.mark.parametrize("seats", BONUS.seats)
def test_m25_hands_in_bonus(seats: int) -> None:
    state, _ = dealt(BONUS, seats, 1)
    assert [len(hand) for hand in state.hands] == [12] * seats
    assert len(state.reserve) == 112 - seats * 12


def test_players() -> None:
    assert (RUMMY.seats, BONUS.seats) == (range(2, 9), range(2, 5))


def test_m18_hands_are_hidden_but_not_how_many_tiles_there_are() -> None:
    state = position("OR", "EEE", reserve="AB")
    table = RUMMY.public(state)
    assert (table.hands, table.sizes, table.reserve) == (None, (2, 3), 2)
    assert RUMMY.private(state, 0).tiles == "OR"
    assert pack(table) == pack(RUMMY.public(position("XY", "ZZZ", reserve="QQ")))


def test_m18_a_table_may_play_with_open_hands() -> None:
    opened = replace(DICTIONARY, open_hands=True)
    assert RUMMY.public(position("OR", "EEE", options=opened)).hands == ("OR", "EEE")


def test_m18_hands_lie_open_once_the_round_is_over() -> None:
    ended = after(position("OR", "EEE"), *["pass"] * 4)
    assert RUMMY.public(ended).hands == ("OR", "EEE")


def test_options_have_defaults() -> None:
    """M-1, M-11, M-18, M-26: the first of each choice."""
    assert BONUS.read_options({}) == BonusTable(
        language="de",
        judging="dictionary",
        open_hands=False,
        words_score=False,
        look_up=True,
    )
    assert not hasattr(RUMMY.read_options({}), "words_score")
