"""What stays in sight of a round: plays since one's own turn, unseen tiles, the score sheet."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_client.board.canvas import Canvas, Rect
from diadem_client.board.pane import Scene
from diadem_client.games.diamino import history, sheet
from diadem_client.games.diamino.sheet import Sheet
from diadem_client.games.diamino.unseen import unseen
from diadem_shared.entries import Started
from diadem_shared.game import Event
from diadem_shared.games.diamino.board import standard_layout
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.table import (
    Cause,
    DiaminoEvent,
    Ended,
    Laid,
    Passed,
    Proposed,
    PutBack,
    State,
    TakenBack,
    TurnPhase,
)
from tests.client.board.host import LARGE, SMALL, Desk, Host, desk_at, lines_of, press
from tests.shared.games.diamino.positions import BONUS, DICTIONARY, RUMMY, TABLE, after, position

LAYOUT = standard_layout()
PLAY = parse_play("lay A1 across E")
PASSED, EXCHANGED = Passed(0), PutBack(0, 1, why=Cause.EXCHANGE)
GIVEN = PutBack(0, 1, why=Cause.RED)


def laid(seat: int, *fields: str, points: tuple[int, ...] = (0, 0)) -> Laid:
    return Laid(seat, PLAY, ("E",), 0, 0, black=False, points=points, fields=fields)


def names_of(past: Sequence[Event], seat: int | None = 0) -> set[str]:
    return {LAYOUT.name(square) for square in history.marked(past, seat, LAYOUT)}


def test_all_plays_since_the_own_last_turn_are_marked() -> None:
    for own in (PASSED, EXCHANGED, laid(0, "A1"), TakenBack(0, again=False)):
        past = [laid(1, "O1"), own, laid(1, "B1", "C1"), Passed(2), laid(3, "D1")]
        assert (own, names_of(past)) == (own, {"B1", "C1", "D1"})


def test_the_own_last_play_is_marked_until_somebody_lays() -> None:
    past = [laid(1, "O1"), laid(0, "A1", "A2"), GIVEN, Passed(1)]
    assert names_of(past) == {"A1", "A2"}


def test_a_play_refused_once_does_not_end_the_turn() -> None:
    past = [laid(0, "A1"), laid(1, "B1"), Proposed(0, PLAY, ()), TakenBack(0, again=True)]
    assert names_of(past) == {"B1"}


def test_who_watches_sees_the_last_play_marked() -> None:
    assert names_of([laid(0, "A1"), laid(1, "B1")], None) == {"B1"}


def test_fields_off_the_board_are_not_marked() -> None:
    assert names_of([laid(1, "Z99", "B1")]) == {"B1"}


def test_unseen_is_what_lies_neither_on_the_board_nor_in_the_own_hand() -> None:
    """M-18: by what the view shows, with the jokers that lie there as letters."""
    table = RUMMY.public(position("*EN", "AAA", letters="ToR", reserve="QX"))
    left = unseen(table, "*EN", 0)
    assert (left["*"], left["T"], left["O"], left["R"], left["E"]) == (0, 6, 4, 6, 15)
    assert left["A"] == 7
    assert sum(left.values()) == 112 - 6


def test_open_hands_have_been_seen() -> None:
    options = replace(DICTIONARY, open_hands=True)
    table = RUMMY.public(position("EN", "AAA", options=options))
    assert unseen(table, "EN", 0)["A"] == 4


def test_what_is_being_judged_has_been_seen() -> None:
    """M-12: by all; its player still holds it, and counts it once."""
    table = RUMMY.public(after(position("XEY", "A", options=TABLE), "lay D1 across X"))
    assert unseen(table, "A", 1)["X"] == 0
    assert sum(unseen(table, "EXY", 0).values()) == 112 - 3 - 3


def bonus(*hands: str, **given: Any) -> State:
    return position(*hands, **given)


def scene_of(state: State, *past: DiaminoEvent) -> Scene:
    desk = desk_at("diamino-bonus", state)
    return replace(desk.scene(), past=past)


def drawn(scene: Scene, *, up: int = 0, height: int = 20) -> str:
    canvas = Canvas(80, height)
    sheet.draw(canvas, scene, Sheet(up), Rect(1, 0, 78, height))
    return canvas.text()


def test_the_sheet_has_a_row_a_turn_and_the_sums() -> None:
    state = bonus("EN", "A", points=(17, 5))
    text = drawn(scene_of(state, laid(0, "A1", points=(10, 5)), GIVEN, PASSED, EXCHANGED))
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert rows[0] == "Player Words You Bob"
    assert rows[2] == "1 You E (A1) +10 +5"
    assert rows[3] == "2 You pass."
    assert rows[4] == "3 You exchange 1 tile."
    assert "Sum 17 5" in rows


def test_the_end_of_a_round_is_on_the_sheet_and_in_the_sums() -> None:
    """M-29, M-31."""
    state = replace(bonus("", "AX", points=(17, 5)), phase=TurnPhase.OVER, out=0)
    text = drawn(scene_of(state, Ended(0, doubled=False, hands=("", "AX"))))
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "Left over -9" in rows
    assert "Out +34" in rows
    ended = BONUS.outcome(BONUS.public(state))
    assert ended is not None
    assert f"Sum {ended.scores[0]} {ended.scores[1]}" in rows


def test_a_long_sheet_is_scrolled_and_stops_at_its_ends() -> None:
    scene = scene_of(bonus("EN", "A"), *[Passed(number % 2) for number in range(40)])
    area = Rect(1, 0, 78, 20)
    assert " 40 " in drawn(scene)
    assert " 40 " not in drawn(scene, up=1)
    top = Sheet().scrolled(10_000, scene, area)
    assert " 1 You pass" in " ".join(drawn(scene, up=top.up).split())
    assert top.scrolled(-10_000, scene, area) == Sheet()


def test_who_plays_with_odd_events_is_told_no_more_than_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scene = scene_of(bonus("EN", "A"), laid(0, "??", "A1"), replace(laid(1), words=()))
    assert "E" in drawn(scene)
    assert not caplog.records


async def test_both_lie_over_or_beside_the_board_and_go_with_their_key_or_esc() -> None:
    host = Host(desk_at("diamino-bonus", bonus("EN", "A")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        board = lines_of(host.pane)
        for key, word in (("6", "Unseen"), ("7", "Nobody has had a turn yet.")):
            for leave in (key, "escape"):
                await press(pilot, [key])
                assert word in lines_of(host.pane)
                await press(pilot, [leave])
                assert lines_of(host.pane) == board


async def test_the_sheet_leaves_log_and_chat_where_they_are() -> None:
    host = Host(desk_at("diamino-bonus", bonus("EN", "A")), bots=False)
    async with host.run_test(size=LARGE) as pilot:
        talk = host.pane.talk
        assert talk is not None
        await press(pilot, ["7"])
        assert host.pane.talk == talk
        lines = lines_of(host.pane).splitlines()
        assert "Nobody has had a turn yet." in lines[2]
        assert not any(line[: talk.x - 1].strip() for line in lines[6:])


async def test_letters_do_nothing_under_the_sheet() -> None:
    host = Host(desk_at("diamino-bonus", bonus("EN", "A")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        board = lines_of(host.pane)
        await press(pilot, ["7", "e", "space", ".", "2", "4", "right", "escape"])
        assert lines_of(host.pane) == board
        assert host.played == []


async def test_the_last_play_stays_in_sight_beside_a_draft() -> None:
    desk = Desk("diamino-bonus", seats=2, seed="amber", level="easy")
    host = Host(desk)
    async with host.run_test(size=SMALL) as pilot:
        while not (host.pane.scene and any(isinstance(e, Laid) for e in host.pane.scene.past)):
            await press(pilot, ["2", "enter"])
        view = desk.view(0)
        hand = view.private.tiles.strip("*") if view.private else ""
        await press(pilot, [*hand[:5].lower()])
        word = next(e for e in reversed(host.pane.scene.past) if isinstance(e, Laid)).words[0]
        side = [line[48:] for line in lines_of(host.pane).splitlines()]
        assert any(line.strip().startswith(f"Bob  {word}") for line in side), side


async def test_another_round_begins_with_nothing_of_the_last() -> None:
    host = Host(desk_at("diamino-bonus", bonus("EN", "A")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        start = host.pane.draft.cursor  # type: ignore[attr-defined]
        await press(pilot, ["7", "7", "down", "right", "right", "e", "4"])
        fresh = Desk("diamino-bonus", seats=2, seed="jade", options={"board": DICTIONARY.board})
        host.pane.show(fresh.enter(Started()))
        await pilot.pause()
        assert host.pane.draft.placed == ()  # type: ignore[attr-defined]
        assert host.pane.draft.cursor == start  # type: ignore[attr-defined]
        assert "Bob passes" not in lines_of(host.pane)
