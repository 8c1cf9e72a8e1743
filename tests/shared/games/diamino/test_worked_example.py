"""The worked example of the leaflet, move by move, on the board that comes along for it."""

from diadem_shared.games.diamino.board import SHIPPED, Board, FieldKind, empty_board, shipped_layout
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.placing import judge, lay
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import from_hand, sorted_hand
from diadem_shared.games.diamino.verdict import Legal
from tests.cases import cases
from tests.shared.games.diamino.plain import WordSet

LAYOUT = shipped_layout("leaflet")
LEXICON = WordSet(
    {"SPIELEN", "ERLEBEN", "IDEAL", "LANDER", "ERBSCHAFT", "EIS", "HARTE", "STARK", "EI", "ES"}
)

PLAYS = [
    ("lay C5 across SPIELEN", ["SPIELEN"]),
    ("lay G3 down EREBEN", ["ERLEBEN"]),
    ("lay E6 down DEAL", ["IDEAL"]),
    ("lay F9 across ADER", ["LANDER"]),
    ("lay F7 across RSCHAFT", ["ERBSCHAFT"]),
    ("lay H6 across I", ["EI", "EIS"]),
    ("lay J8 down ATE", ["HARTE"]),
    ("lay I10 across SARK", ["STARK", "ES"]),
]


def board_after(count: int) -> Board:
    board = empty_board(LAYOUT)
    for text, _ in PLAYS[:count]:
        play = parse_play(text)
        verdict = judge(board, play, play.tiles, Terms(RuleSet.RUMMY, 0), LEXICON)
        assert isinstance(verdict, Legal), verdict
        board = lay(board, verdict)
    return board


@cases("rules", RuleSet)
@cases("number", range(len(PLAYS)))
def test_each_play_is_legal_and_forms_its_words_and_nothing_else(
    number: int, rules: RuleSet
) -> None:
    """M-4, M-5, M-6, M-7, M-8, M-9"""
    text, formed = PLAYS[number]
    play = parse_play(text)
    hand = sorted_hand(play.tiles + "XXXXX")
    verdict = judge(board_after(number), play, hand, Terms(rules, 40), LEXICON)
    assert isinstance(verdict, Legal), verdict
    assert sorted(run.tiles for run in verdict.runs) == sorted(formed)
    assert [run for run in verdict.runs if not run.readings] == []
    assert verdict.left == "XXXXX"


@cases("number", range(len(PLAYS)))
def test_the_finder_finds_each_play(number: int) -> None:
    play = parse_play(PLAYS[number][0])
    hand = sorted_hand(from_hand(play.tiles))
    found = Finder(LEXICON).find(board_after(number), hand, Terms(RuleSet.BONUS, 40))
    assert play in list(found)


def test_m2_the_board_for_it_differs_from_the_standard_one_in_where_fields_are() -> None:
    assert {"leaflet"} == {*SHIPPED}
    standard = shipped_layout("standard")
    assert {kind: LAYOUT.fields.count(kind) for kind in FieldKind} == {
        kind: standard.fields.count(kind) for kind in FieldKind
    }


def test_the_board_ends_as_in_the_leaflet() -> None:
    letters = board_after(len(PLAYS)).letters
    rows = [letters[at : at + LAYOUT.width] for at in range(0, len(letters), LAYOUT.width)]
    assert rows[2:11] == [
        "......E........",
        "......R........",
        "..SPIELEN......",
        "....D.EI.......",
        "....ERBSCHAFT..",
        "....A.E..A.....",
        "....LANDER.....",
        "........STARK..",
        ".........E.....",
    ]
