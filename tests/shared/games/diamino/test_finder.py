"""What one can ask of what was found. That it is the right plays, brute force says next door."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.games.diamino.bitsets import Index, nth_one, ones
from diadem_shared.games.diamino.board import Board, empty_board, parse_layout, standard_layout
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.findings import Findings
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.slots import Slot
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import TILE_SETS, sorted_hand
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.lexicon import shipped
from tests.cases import cases
from tests.shared.games.diamino.plain import Table, WordSet
from tests.shared.games.diamino.tables import board_of, lexicon_of, random_table, terms_of
from tests.thoroughness import times

RUNNING = Terms(RuleSet.BONUS, 40)
SMALL = parse_layout("S....\n.....\n.#...\n.....\n.....")


def texts(findings: Findings) -> list[str]:
    return sorted(map(str, findings))


def find(board: Board, hand: str, words: set[str], terms: Terms = RUNNING) -> Findings:
    return Finder(WordSet(words)).find(board, sorted_hand(hand), terms)


def table_with_plays(seed: int) -> tuple[Table, Findings]:
    table = random_table(seed)
    found = Finder(lexicon_of(table)).find(board_of(table), table.hand, terms_of(table))
    return (table, found) if found else table_with_plays(seed + 1)


def test_an_opening_reads_right_down_and_up_from_the_start() -> None:
    """M-4, M-8"""
    middle = empty_board(parse_layout(".....\n.....\n..S..\n.....\n....."))
    assert texts(find(middle, "NEU", {"NEU"})) == [
        "lay C1 down UEN",
        "lay C3 across NEU",
        "lay C3 down NEU",
    ]


def test_an_opening_stays_on_the_board_and_within_eight_letters() -> None:
    """M-4"""
    words = {"NEU", "NEUNTE", "NEUNUNDNEU", "NEUNUND", "NEUNUNDN", "NEUNUNDNE"}
    wide = empty_board(parse_layout("S........."))
    assert {len(play.tiles) for play in find(wide, "NEUNUNDNEUTE", words)} == {3, 6, 7, 8}


def test_a_word_both_ways_is_one_play_in_a_column() -> None:
    """M-8"""
    board = empty_board(SMALL).with_tiles({2: "R", 7: "E"})
    assert texts(find(board, "N", {"REN", "NER"})) == ["lay C3 across N"]


@cases(
    ("hand", "plays"),
    [
        ("EN", ["lay A2 down EN"]),
        ("E*", ["lay A2 down En"]),
        ("EN*", ["lay A2 down EN", "lay A2 down En", "lay A2 down eN"]),
        ("**", ["lay A2 down en"]),
    ],
)
def test_every_choice_of_jokers_is_a_play(hand: str, plays: list[str]) -> None:
    """M-10"""
    board = empty_board(SMALL).with_tiles({0: "R"})
    found = find(board, hand, {"REN"})
    assert [text for text in texts(found) if "down" in text] == plays
    assert found.count() == 2 * len(plays)


@cases(
    ("hand", "rules", "reserve", "found"),
    [
        ("N", RuleSet.RUMMY, 40, True),
        ("N", RuleSet.BONUS, 0, True),
        ("*", RuleSet.BONUS, 0, True),
        ("N", RuleSet.BONUS, 1, False),
        ("NE", RuleSet.RUMMY, 0, False),
    ],
)
def test_the_last_tile_may_go_on_black(
    hand: str, rules: RuleSet, reserve: int, *, found: bool
) -> None:
    """M-15, M-22, M-30"""
    board = empty_board(SMALL).with_tiles({10: "I"})
    on_black = [
        play for play in find(board, hand, {"IN"}, Terms(rules, reserve)) if play.start == "B3"
    ]
    assert bool(on_black) is found


def test_nothing_is_found_for_an_empty_hand_or_without_words() -> None:
    board = empty_board(SMALL).with_tiles({0: "R"})
    for found in (find(board, "", {"REN"}), find(board, "EN", {"AB"}), find(board, "EN", set())):
        assert not found
        assert found.count() == 0
        assert list(found) == []
    with pytest.raises(IndexError):
        find(board, "", {"REN"}).nth(0)


@given(st.integers(0, 1 << 20))
@settings(max_examples=times(60, 600))
def test_the_nth_play_is_the_nth_in_iteration(seed: int) -> None:
    _, found = table_with_plays(seed)
    plays = list(found)
    assert [found.nth(n) for n in range(len(plays))] == plays
    for beyond in (-1, len(plays)):
        with pytest.raises(IndexError):
            found.nth(beyond)


@given(st.integers(0, 1 << 20))
@settings(max_examples=times(40, 400))
def test_ranking_gives_every_play_and_the_best_slots_first(seed: int) -> None:
    _, found = table_with_plays(seed)

    def tiles(slot: Slot) -> int:
        return slot.new

    ranked = list(found.ranked(tiles))
    assert Counter(map(str, ranked)) == Counter(map(str, found))
    lengths = [len(play.tiles) for play in ranked]
    assert lengths == sorted(lengths, reverse=True)


@given(st.integers(0, 1 << 20), st.sampled_from("AEINST"), st.integers(1, 2))
@settings(max_examples=times(60, 600))
def test_plays_can_be_narrowed_to_those_that_lay_a_letter(
    seed: int, letter: str, times: int
) -> None:
    _, found = table_with_plays(seed)
    wanted = [play for play in found if play.tiles.upper().count(letter) >= times]
    assert texts(found.laying(letter, times)) == sorted(map(str, wanted))


@given(st.integers(0, 1 << 20))
@settings(max_examples=times(60, 600))
def test_the_first_play_is_legal_and_missing_only_where_there_is_none(seed: int) -> None:
    table = random_table(seed)
    board, terms, lexicon = board_of(table), terms_of(table), lexicon_of(table)
    first = Finder(lexicon).first(board, table.hand, terms)
    found = Finder(lexicon).find(board, table.hand, terms)
    assert (first is not None) == bool(found)
    if first is not None:
        assert isinstance(judge(board, first, table.hand, terms, lexicon), Legal)
        shortest = min(len(found.slot.squares) for found in found.found)
        assert first in [
            play
            for slot in found.found
            if len(slot.slot.squares) == shortest
            for play in found.plays(slot)
        ]


def test_forty_tiles_with_jokers_open_on_an_empty_board() -> None:
    """M-4, M-19"""
    hand = TILE_SETS["de"].tiles[:2] + "ABDEEEEEEFGHIIKLMNNNNOPRRRSSSTTTUUAEHW"
    found = Finder(shipped.load("de")).find(empty_board(standard_layout()), hand, RUNNING)
    assert len(hand) == 40
    assert found.count() > 100_000
    last = found.nth(found.count() - 1)
    verdict = judge(empty_board(standard_layout()), last, hand, RUNNING, shipped.load("de"))
    assert isinstance(verdict, Legal)
    assert verdict.covers_start


@given(st.integers(0, 1 << 200))
def test_bits_are_numbered_from_the_lowest(bits: int) -> None:
    numbers = ones(bits)
    assert numbers == [n for n in range(bits.bit_length()) if bits >> n & 1]
    assert [nth_one(bits, n) for n in range(len(numbers))] == numbers


def test_an_index_answers_by_position_count_and_mirror() -> None:
    words = ["ANNA", "NANU", "REBE", "REBN", "UNAN"]
    index = Index(WordSet(set(words)))
    four = index.words(4)

    def those(bits: int) -> list[str]:
        return [four.word(n) for n in ones(bits)]

    assert those(four.every) == words
    assert those(four.at[0][ord("R") - 65]) == ["REBE", "REBN"]
    assert those(four.from_end[0][ord("N") - 65]) == ["REBN", "UNAN"]
    assert those(four.holding[ord("N") - 65][2]) == ["ANNA", "NANU", "UNAN"]
    assert len(four.holding[ord("E") - 65]) == 3
    assert those(four.both_ways) == ["ANNA", "NANU", "UNAN"]
    assert those(four.one_of(3, (1 << 4) | (1 << 20))) == ["NANU", "REBE"]


def test_letters_between_others_are_read_in_the_ways_allowed() -> None:
    """M-7, M-8"""
    index = Index(WordSet({"TOR", "ROT", "TAT", "RUT"}))
    assert letters(index.letters_between("T", "R", upward=False)) == "O"
    assert letters(index.letters_between("T", "R", upward=True)) == "OU"
    assert letters(index.letters_between("X", "R", upward=True)) == ""


def letters(bits: int) -> str:
    return "".join(chr(ord("A") + n) for n in ones(bits))


def test_a_play_typed_is_among_those_found() -> None:
    board = empty_board(SMALL).with_tiles({0: "R"})
    assert parse_play("lay A2 down EN") in list(find(board, "EN", {"REN"}))
