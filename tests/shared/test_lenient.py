"""What a newer program has written is read, but for what is not known."""

from typing import Any

import msgspec
import pytest

from diadem_shared.entries import GameClock, Setup, TurnClock
from diadem_shared.lenient import convert_known
from diadem_shared.protocol import TablePublic
from tests.cases import cases

NEWER = {
    "game": "diadingo",
    "options": {"play": "marked"},
    "clock": {"type": "turn", "seconds": 60, "later": 1},
    "later": {"deep": []},
}


def test_fields_that_are_not_known_are_left_out_however_deep() -> None:
    assert convert_known(NEWER, Setup) == Setup("diadingo", {"play": "marked"}, clock=TurnClock(60))


def test_a_clock_is_known_by_its_tag() -> None:
    clock = {"type": "game", "seconds": 600, "increment": 5, "delay": 3}
    assert convert_known(NEWER | {"clock": clock}, Setup).clock == GameClock(600, 5)


def test_lists_are_looked_into() -> None:
    assert convert_known([NEWER, NEWER], list[Setup])[1].game == "diadingo"


def test_a_view_of_a_newer_server_is_read() -> None:
    public: dict[str, Any] = {
        "setup": NEWER,
        "players": [],
        "phase": "gathering",
        "maker": None,
        "actors": [],
        "rounds": [],
        "watchers": 0,
        "left": [],
        "deadline": None,
        "game": None,
        "later": True,
    }
    assert convert_known(public, TablePublic).setup.clock == TurnClock(60)


@cases(
    "wrong",
    [
        {"game": 5},
        {**NEWER, "rounds": "many"},
        {**NEWER, "clock": {"type": "sand", "seconds": 60}},
        {**NEWER, "clock": []},
        [],
        None,
    ],
)
def test_what_is_wrong_stays_wrong(wrong: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        convert_known(wrong, Setup)
