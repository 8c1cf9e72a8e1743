"""Each clause of placing, by example. The board is 9 by 7; `letters` draws what lies on it."""

import msgspec
import pytest

from diadem_shared.games.diamino.board import Board, empty_board, parse_layout
from diadem_shared.games.diamino.placing import judge, lay
from diadem_shared.games.diamino.play import LooseTiles, Play, parse_play
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import TILE_SETS
from diadem_shared.games.diamino.verdict import Illegal, Legal, Reading, Verdict, Way
from diadem_shared.refusals import Refusal
from tests.cases import cases
from tests.shared.games.diamino.plain import WordSet

LAYOUT = parse_layout(
    """
    . . . . . . . . .
    . # . . . . . . .
    . . . . . . # . .
    . . . . S . . . .
    . . g . . . . R .
    . . g # . # . . .
    . . . . . . . . .
    """
)
RUMMY = Terms(RuleSet.RUMMY, 40)
LEXICON = WordSet({"TOR", "ROT", "TORE", "ER", "OR", "RE", "NEBEL", "EI", "ERBSCHAFT", "ERBSCHAF"})


def board(letters: str) -> Board:
    """A board from a drawing of its upper rows."""
    text = "".join("".join(line.split()) for line in letters.splitlines())
    return Board(LAYOUT, text.ljust(len(LAYOUT.fields), "."))


EMPTY = empty_board(LAYOUT)
TOR = board(
    """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . T O R . .
    """
)


def verdict(
    on: Board, play: str | LooseTiles, hand: str = "", terms: Terms = RUMMY, *, judged: bool = True
) -> Verdict:
    placed = parse_play(play) if isinstance(play, str) else play
    return judge(
        on, placed, hand or "ABCDEFGHIJKLMNOPQRSTUVWXYZ", terms, LEXICON if judged else None
    )


def legal(on: Board, play: str | LooseTiles, hand: str = "", terms: Terms = RUMMY) -> Legal:
    judged = verdict(on, play, hand, terms)
    assert isinstance(judged, Legal), judged
    return judged


def reasons(
    on: Board, play: str | LooseTiles, hand: str = "", terms: Terms = RUMMY
) -> tuple[Refusal, ...]:
    judged = verdict(on, play, hand, terms)
    assert isinstance(judged, Illegal), judged
    return judged.reasons


@cases(
    ("play", "way"),
    [
        ("lay E4 across TOR", Way.ACROSS),
        ("lay E4 down TORE", Way.DOWN),
        ("lay E2 down ROT", Way.UP),
        ("lay E1 down EROT", Way.UP),
    ],
)
def test_the_opening_begins_on_the_start_and_reads_right_down_or_up(play: str, way: Way) -> None:
    """M-4, M-8"""
    opening = legal(EMPTY, play)
    assert opening.covers_start
    assert [reading.way for reading in opening.runs[0].readings] == [way]


@pytest.mark.parametrize("play", ["lay D4 across TOR", "lay E3 down TOR", "lay A1 across TOR"])
def test_an_opening_elsewhere_is_refused(play: str) -> None:
    """M-4"""
    assert reasons(EMPTY, play) == (Refusal(LayingCode.NOT_ON_START, {"start": "E4"}),)


def test_an_opening_must_be_a_word_in_the_way_that_begins_on_the_start() -> None:
    """M-4: EROT is a word upward only, and downward is the way to read it here"""
    assert reasons(EMPTY, "lay E4 down EROT") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["EROT"]}),
    )
    assert reasons(EMPTY, "lay E1 down TORX") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["XROT"]}),
    )


def test_a_word_that_ends_on_the_start_is_told_where_it_begins() -> None:
    """M-4: upward it would be TORE, but it is meant downward"""
    assert reasons(EMPTY, "lay E1 down TORE") == (
        Refusal(LayingCode.NOT_ON_START, {"start": "E4"}),
    )


def test_what_fell_off_the_board_is_not_looked_up_without_its_end() -> None:
    """M-7: half a word is no word that anybody meant"""
    codes = {each.code for each in reasons(EMPTY, "lay E4 across TOREXXXX")}
    assert codes == {LayingCode.OFF_BOARD, LayingCode.NOT_YOUR_TILES}


def test_an_opening_has_two_to_eight_letters() -> None:
    """M-4"""
    wide = empty_board(parse_layout("S........\n........."))
    assert reasons(wide, "lay A1 across ERBSCHAFT") == (
        Refusal(LayingCode.OPENING_LENGTH, {"length": 9}),
    )
    assert legal(wide, "lay A1 across ERBSCHAF").play.tiles == "ERBSCHAF"
    assert reasons(EMPTY, "lay E4 across E") == (Refusal(LayingCode.OPENING_LENGTH, {"length": 1}),)


def test_a_later_word_may_be_longer_than_eight() -> None:
    """M-5"""
    wide = Board(parse_layout("S........\n........."), "E" + "." * 17)
    assert legal(wide, "lay B1 across RBSCHAFT").runs[0].tiles == "ERBSCHAFT"


def test_a_play_apart_from_all_letters_is_refused() -> None:
    """M-5"""
    assert reasons(TOR, "lay A7 across TOR") == (Refusal(LayingCode.TOUCHES_NOTHING),)
    assert reasons(TOR, "lay D5 across E") == (Refusal(LayingCode.TOUCHES_NOTHING),)


def test_a_play_alongside_uses_the_letters_it_touches() -> None:
    """M-5, M-7: EI below T O: the columns TE and OI are no words, RE below is one"""
    assert reasons(TOR, "lay E5 across EI") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["TE", "OI"]}),
    )
    played = legal(TOR, "lay G5 across EI")
    assert [(run.start, run.tiles) for run in played.runs] == [("G5", "EI"), ("G4", "RE")]


def test_every_unknown_word_is_named() -> None:
    """M-7"""
    assert reasons(TOR, "lay E5 across XYZ") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["XYZ", "TX", "OY", "RZ"]}),
    )


def test_new_tiles_lie_in_one_line_without_holes() -> None:
    """M-6"""
    assert reasons(TOR, LooseTiles({"H4": "E", "G5": "E"}), "EE") == (
        Refusal(LayingCode.NOT_IN_LINE),
    )
    assert reasons(TOR, LooseTiles({"G5": "E", "G7": "I"})) == (
        Refusal(LayingCode.GAP, {"fields": ["G6"]}),
    )
    assert legal(TOR, LooseTiles({"G5": "E"})).play == parse_play("lay G5 across E")


def test_the_field_between_two_new_tiles_may_carry_a_letter() -> None:
    """M-6"""
    lone = board(". . . . . . . . .\n" * 3 + ". . . . . O . . .")
    played = legal(lone, LooseTiles({"E4": "T", "G4": "R"}))
    assert played.play == parse_play("lay E4 across TR")
    assert [run.tiles for run in played.runs] == ["TOR"]


def test_a_single_tile_is_a_play_and_forms_words_both_ways() -> None:
    """M-6"""
    below_e = board(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . E . .
        . . . . . O . . .
        """
    )
    played = legal(below_e, "lay G4 across R")
    assert [run.tiles for run in played.runs] == ["OR", "ER"]


def test_a_column_is_read_down_or_up_and_a_row_only_rightward() -> None:
    """M-8"""
    assert legal(TOR, "lay E5 down OR").runs[0].readings == (
        Reading("TOR", Way.DOWN),
        Reading("ROT", Way.UP),
    )
    assert reasons(TOR, "lay H4 across EI") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["TOREI"]}),
    )
    assert reasons(board(". R O T"), "lay A1 across E") == (
        Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["EROT"]}),
    )


def test_a_side_word_may_be_read_upward() -> None:
    """M-8"""
    below = board(". . . . . . . . .\n" * 3 + ". . . . I . . . .")
    played = legal(below, "lay E5 across ER")
    side = played.runs[1]
    assert (side.tiles, side.readings) == ("IE", (Reading("EI", Way.UP),))


def test_a_joker_is_its_letter_in_both_directions_and_worth_nothing() -> None:
    """M-10"""
    played = legal(TOR, "lay G5 across eI", "*I")
    assert [run.tiles for run in played.runs] == ["eI", "Re"]
    assert played.used == "*I"
    assert played.words_value(TILE_SETS["de"]) == 1 + 1
    assert lay(TOR, played).letters[42] == "e"
    assert legal(TOR, "lay G5 across EI").words_value(TILE_SETS["de"]) == 2 + 2


def test_a_joker_lying_keeps_its_letter() -> None:
    """M-10"""
    lying = TOR.with_tiles({33: "r"})
    played = legal(lying, "lay G5 across E")
    assert played.runs[0].tiles == "rE"
    assert played.words_value(TILE_SETS["de"]) == 1


def test_an_unnamed_joker_is_refused_and_its_words_are_not_judged() -> None:
    """M-10"""
    assert reasons(TOR, LooseTiles({"G5": "*"}), "*") == (
        Refusal(LayingCode.JOKER_UNNAMED, {"fields": ["G5"]}),
    )


def test_tiles_must_be_held_jokers_too() -> None:
    assert reasons(TOR, "lay E5 down OrE", "OE") == (
        Refusal(LayingCode.NOT_YOUR_TILES, {"tiles": "*"}),
    )
    assert reasons(TOR, "lay H4 across E", "A*") == (
        Refusal(LayingCode.NOT_YOUR_TILES, {"tiles": "E"}),
    )


def test_without_a_lexicon_the_words_are_left_to_the_table() -> None:
    """M-11, M-12"""
    judged = verdict(TOR, "lay G5 across XY", judged=False)
    assert isinstance(judged, Legal)
    assert [reading.word for run in judged.runs for reading in run.readings] == ["XY", "RX", "XR"]
    assert isinstance(verdict(TOR, "lay A7 across XX", judged=False), Illegal)


def test_tiles_that_fall_off_the_board_are_named() -> None:
    assert reasons(TOR, "lay H4 across EIN")[0] == Refusal(LayingCode.OFF_BOARD, {"tiles": "N"})
    assert reasons(TOR, "lay P9 across EI") == (
        Refusal(LayingCode.OFF_BOARD, {"tiles": "EI"}),
        Refusal(LayingCode.TOUCHES_NOTHING),
    )
    assert Refusal(LayingCode.OFF_BOARD, {"tiles": "E"}) in reasons(
        TOR, LooseTiles({"J1": "E", "H4": "E"})
    )


def test_a_taken_field_is_refused() -> None:
    assert reasons(TOR, LooseTiles({"E4": "X", "H4": "E"})) == (
        Refusal(LayingCode.FIELD_TAKEN, {"fields": ["E4"]}),
    )
    assert Refusal(LayingCode.FIELD_TAKEN, {"fields": ["E4"]}) in reasons(TOR, "lay E4 across EX")


@pytest.mark.parametrize(
    "play", [LooseTiles({}), Play("A1", parse_play("lay A1 down EE").direction, "")]
)
def test_laying_nothing_is_no_play(play: LooseTiles | Play) -> None:
    assert judge(TOR, play, "E", RUMMY, LEXICON) == Illegal((Refusal(LayingCode.NOTHING_LAID),))


def test_all_reasons_are_given_at_once() -> None:
    draft = LooseTiles({"B2": "X", "E4": "O", "H7": "E", "Z1": "Q", "A7": "*"})
    codes = {reason.code for reason in reasons(TOR, draft, "EN")}
    assert codes == {
        "off_board",
        "field_taken",
        "joker_unnamed",
        "black_field",
        "not_your_tiles",
        "not_in_line",
        "touches_nothing",
    }


def test_all_reasons_make_one_refusal() -> None:
    judged = verdict(TOR, "lay H4 across EIN", "EI")
    assert isinstance(judged, Illegal)
    off, missing = judged.reasons
    assert judged.refusal == Refusal(LayingCode.OFF_BOARD, {"tiles": "N"}, (missing,))
    assert off.also == ()


def test_black_fields_are_walls() -> None:
    """M-15"""
    near = board(". . . . . . . . .\n" * 5 + ". . . . E . . . .")
    assert reasons(near, "lay F6 across I") == (
        Refusal(LayingCode.BLACK_FIELD, {"fields": ["F6"], "why": ["hand_not_emptied"]}),
    )


def black(hand: str, terms: Terms, play: str = "lay F6 across I") -> Verdict:
    near = board(". . . . . . . . .\n" * 5 + ". . . . E . . . .")
    return verdict(near, play, hand, terms)


def test_the_last_tile_may_lie_on_black_in_rummy() -> None:
    """M-22"""
    judged = black("I", RUMMY)
    assert isinstance(judged, Legal)
    assert judged.blacks == ("F6",)
    assert judged.empties_hand
    assert isinstance(black("*", RUMMY, "lay F6 across i"), Legal)


def test_black_takes_one_field_of_a_play_that_lays_the_whole_hand() -> None:
    """M-22"""
    wide = WordSet({"NEBEL"})
    near = board(". . . . . . . . .\n" * 5 + ". . . . B . . . .")
    play = parse_play("lay C6 across NEEL")
    assert judge(near, play, "NEEL", Terms(RuleSet.RUMMY, 0), wide) == Illegal(
        (Refusal(LayingCode.BLACK_FIELD, {"fields": ["D6", "F6"], "why": ["more_than_one"]}),)
    )
    assert judge(near, play, "NEELX", RUMMY, wide) == Illegal(
        (
            Refusal(
                LayingCode.BLACK_FIELD,
                {
                    "fields": ["D6", "F6"],
                    "why": ["hand_not_emptied", "more_than_one", "green_draws"],
                },
            ),
        )
    )


@cases(
    ("rules", "reserve", "why"),
    [
        (RuleSet.RUMMY, 1, ["green_draws"]),
        (RuleSet.RUMMY, 0, []),
        (RuleSet.BONUS, 1, ["reserve_not_empty"]),
        (RuleSet.BONUS, 0, []),
    ],
)
def test_black_with_a_green_in_the_same_play(rules: RuleSet, reserve: int, why: list[str]) -> None:
    """M-22, M-30"""
    near = board(". . . . . . . . .\n" * 5 + ". . . . R . . . .")
    judged = judge(near, parse_play("lay C6 across TO"), "OT", Terms(rules, reserve), LEXICON)
    if why:
        assert judged == Illegal((Refusal(LayingCode.BLACK_FIELD, {"fields": ["D6"], "why": why}),))
    else:
        assert isinstance(judged, Legal)
        assert (judged.greens, judged.blacks, judged.empties_hand) == (("C6",), ("D6",), True)


@pytest.mark.parametrize(("reserve", "allowed"), [(0, True), (1, False)])
def test_black_in_bonus_needs_an_empty_reserve(reserve: int, *, allowed: bool) -> None:
    """M-30"""
    assert isinstance(black("I", Terms(RuleSet.BONUS, reserve)), Legal) is allowed


def test_devils_act_when_first_covered() -> None:
    """M-16: a red under a new tile counts, under a lying one it does not"""
    row = board(". . . . . . . . .\n" * 4 + ". . . . . T O R .")
    played = legal(board(". . . . . . . . .\n" * 4 + ". . . . . T O . ."), "lay H5 across R")
    assert played.reds == ("H5",)
    assert legal(row, "lay I5 across E").reds == ()


@pytest.mark.parametrize(("reserve", "draws"), [(40, 2), (1, 1), (0, 0)])
def test_greens_draw_from_the_reserve_in_rummy(reserve: int, draws: int) -> None:
    """M-20"""
    column = board(". . . . . . . . .\n" * 3 + ". . T . . . . . .")
    played = legal(column, "lay C5 down OR", "OR", Terms(RuleSet.RUMMY, reserve))
    assert played.greens == ("C5", "C6")
    assert played.draws == draws
    assert played.empties_hand is (draws == 0)


@pytest.mark.parametrize(("hand", "reserve", "draws"), [("E", 40, 12), ("E", 3, 3), ("E", 0, 0)])
def test_hands_are_refilled_in_bonus(hand: str, reserve: int, draws: int) -> None:
    """M-25"""
    played = legal(TOR, "lay H4 across E", hand, Terms(RuleSet.BONUS, reserve))
    assert played.draws == draws
    assert played.empties_hand is (draws == 0)


def test_nothing_is_drawn_in_rummy_without_greens() -> None:
    """M-19"""
    assert legal(TOR, "lay H4 across E", "EE").draws == 0


def test_a_verdict_survives_serialising() -> None:
    for judged in (legal(TOR, "lay G5 across EI"), verdict(TOR, "lay A7 across XX")):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(judged), type=Verdict) == judged
