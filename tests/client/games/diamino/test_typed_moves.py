"""Moves that are typed: nothing is given away, and what is meant is understood."""

import pytest
from msgspec.structs import replace

from diadem_client.board.registry import pane_for
from diadem_client.board.typed import LinePane, Sent
from diadem_client.games.diamino.typed_moves import forms, meant
from diadem_shared.games.diamino.table import TurnPhase
from diadem_shared.refusals import RefusalError
from tests.client.board.host import desk_at
from tests.client.games.diamino.pane import small
from tests.shared.games.diamino.positions import RUMMY


def test_the_same_is_shown_whatever_is_held() -> None:
    """A list of plays would be a hint in a rated game."""
    for phase in (TurnPhase.PLAY, TurnPhase.GIVE, TurnPhase.JUDGE):
        states = [replace(small(hand, "A"), phase=phase) for hand in ("EN", "*QX", "E" * 40)]
        (told,) = {forms(RUMMY.public(state)) for state in states}
        assert told.startswith("You may: ")


def test_the_typed_pane_lists_no_plays() -> None:
    pane = pane_for("diamino-rummy", typed=True)
    assert isinstance(pane, LinePane)
    scene = desk_at("diamino-rummy", small("EN", "A")).scene()
    assert "D1" not in pane.may(scene)
    assert "FIELD" in pane.may(scene)


LOOSELY = (
    ("lay d1 across en", "EN", "lay d1 across EN"),
    ("lay d1 across en", "*EX", "lay d1 across En"),
    ("lay D1 across een", "*EN", "lay D1 across EeN"),
    ("lay D1 across eN", "EN*", "lay D1 across eN"),
    ("lay D1 across qq", "*EN", "lay D1 across QQ"),
    ("lay D1 down M\u00fcDE", "DEMU", "lay D1 down MuDE"),
    ("lay D1 down m\u00fcde", "DEMU", "lay D1 down MUDE"),
    ("LAY D1 DOWN STRA\u00dfE", "AERSST", "LAY D1 DOWN STRASSE"),
    ("lay D1 down stra\u00dfe", "AERSST", "lay D1 down STRASSE"),
    ("exchange \u00e4 \u00d6", "AO", "exchange a O"),
    ("pass", "EN", "pass"),
    ("nonsense", "EN", "nonsense"),
)
"""What is typed, what is held, and what is meant."""


def test_what_is_typed_loosely_is_meant_so() -> None:
    for typed, hand, move in LOOSELY:
        view = desk_at("diamino-rummy", small(hand, "A")).view(0)
        assert (typed, meant(view, typed)) == (typed, move)


def test_whatever_else_is_typed_is_refused_as_unreadable() -> None:
    view = desk_at("diamino-rummy", small("EN", "A")).view(0)
    odd = ("lay " * 3_000, "lay D1 across \x1b[2J", "lay D1 across \ud800", "give \x00", "\u00df")
    for typed in odd:
        with pytest.raises(RefusalError, match="unreadable"):
            RUMMY.parse(meant(view, typed))


def test_lines_that_were_sent_come_back_and_what_is_new_is_not_lost() -> None:
    sent, line = Sent(), "lay"
    for typed in ("pass", "pass", "keep"):
        sent.keep(typed)
    seen = []
    for by in (1, 1, 1, -1, -1, -1):
        line = sent.recall(by, line)
        seen.append(line)
    assert seen == ["keep", "pass", "pass", "keep", "lay", "lay"]


def test_no_more_lines_are_kept_than_anybody_looks_for() -> None:
    sent = Sent()
    for number in range(1_000):
        sent.keep(str(number))
    assert sent.recall(1_000, "") == "950"
