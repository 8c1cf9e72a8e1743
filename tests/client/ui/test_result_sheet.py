"""The drawing of a result: everything can be read at any size, and bars show rounds as they came."""

import pytest
from msgspec.structs import replace

from diadem_client.board.canvas import Canvas
from diadem_client.state.client_state import TableState
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_client.ui.widgets.result_sheet import BAR, HIGHEST, draw, draw_bar, rows_of
from diadem_client.wording.values import grouped
from diadem_shared.entries import MAX_ROUNDS, Sat, Setup, Started
from diadem_shared.game import Outcome
from diadem_shared.match import Phase
from diadem_shared.match_file import Fault
from tests.client.ui.screens.staged import Sitting

NAMES = ("Ana", "Bartholomea Fitzroya", "Cem", "[b]Dee[/b]", "Eve", "Flo", "Gus", "Ida")


def table_of(*rounds: tuple[int, ...]) -> TableState:
    seats = len(rounds[0])
    sitting = Sitting(Setup("diadingo", rounds=len(rounds)))
    table = sitting.enter(*map(Sat, NAMES[:seats]), Started()).table
    assert table is not None
    outcomes = tuple(Outcome(each, (0,) * seats) for each in rounds)
    return replace(table, public=replace(table.public, phase=Phase.OVER, rounds=outcomes))


def bar_of(table: TableState, seat: int, upto: int | None = None) -> str:
    canvas = Canvas(BAR, 1, ascii_only=True)
    draw_bar(canvas, table, seat, 0, 0, upto)
    return canvas.text().strip()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("width", [60, 78, 110, 200])
def test_twenty_rounds_of_eight_players_can_all_be_read(width: int, ascii_only: bool) -> None:  # noqa: FBT001
    rounds = [
        tuple(-40000 + 7919 * at * (seat + 1) % 99999 for seat in range(8))
        for at in range(MAX_ROUNDS)
    ]
    table = table_of(*rounds)
    rows = rows_of(table, width)
    assert rows < HIGHEST
    canvas = Canvas(width, rows, ascii_only=ascii_only)
    draw(canvas, table)
    text = canvas.text()
    for scores in rounds:
        assert all(grouped(score) in text for score in scores)
    assert f"{MAX_ROUNDS}." in text
    assert not ascii_only or text.isascii()


def test_a_bar_shows_each_round_in_a_shade_of_its_own() -> None:
    table = table_of((10, 0), (10, 15), (10, 0))
    assert bar_of(table, 0) == "#" * 10 + "=" * 10 + "-" * 10
    assert bar_of(table, 1) == "=" * 15


def test_a_bar_can_be_shown_as_it_was_after_a_round() -> None:
    table = table_of((10, 0), (10, 15), (10, 0))
    assert bar_of(table, 0, 0) == ""
    assert bar_of(table, 0, 2) == "#" * 10 + "=" * 10


def test_what_a_round_took_away_is_taken_off_the_bar() -> None:
    table = table_of((20, 0), (-10, 5), (5, 5))
    assert bar_of(table, 0) == "#" * 15 + "-" * 7


def test_who_has_less_than_nothing_has_no_bar() -> None:
    assert bar_of(table_of((-5, -1), (-5, -1)), 0) == ""


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (ShuffleCheck(), ""),
        (ShuffleCheck(is_verified=True), "Shuffle verified."),
        (ShuffleCheck(Doubt.LEFT_OUT), "This shuffle is without your part"),
        (ShuffleCheck(fault=Fault.RESULT), "The record of this match does not hold"),
    ],
)
def test_what_is_known_of_the_shuffle_stands_below_who_won(check: ShuffleCheck, said: str) -> None:
    table = table_of((10, 0), (10, 15))
    plain, checked = Canvas(110, HIGHEST), Canvas(110, HIGHEST)
    draw(plain, table)
    draw(checked, replace(table, shuffle=check))
    assert said in checked.text()
    assert (checked.text() == plain.text()) == (not said)
