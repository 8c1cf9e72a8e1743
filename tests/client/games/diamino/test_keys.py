"""Which keys the Diamino pane offers, and what it says of words that nobody has judged."""

import re

from msgspec.structs import replace

from diadem_shared.games.diamino.table import Object, TurnPhase
from tests.client.board.host import SMALL, Host, desk_at, lines_of, press
from tests.client.games.diamino.pane import pane_of, small
from tests.shared.games.diamino.positions import DICTIONARY, TABLE, after

# Which keys are offered


def offered(host: Host) -> set[str]:
    return {
        active.binding.id
        for active in host.screen.active_bindings.values()
        if active.enabled and active.binding.show and active.binding.id
    } - {"quit"}


async def test_the_footer_offers_what_can_be_done_now() -> None:
    host = Host(desk_at("diamino-rummy", small("EN*", "A", reserve="AB")))
    always = {"unseen", "sheet", "shuffle"}
    async with host.run_test(size=SMALL) as pilot:
        assert offered(host) == always | {"turn", "joker", "pass", "exchange"}
        await press(pilot, ["down", "e"])
        assert offered(host) == always | {"turn", "joker", "lay", "take_back"}
        await press(pilot, ["3", "2"])
        assert offered(host) == {"confirm", "leave_it"}
        await press(pilot, ["escape", "4"])
        assert offered(host) == always | {"swap", "leave_it"}
        await press(pilot, ["e"])
        assert offered(host) == always | {"swap", "leave_it", "unmark"}
        await press(pilot, ["escape", "7"])
        assert offered(host) == {"leave_it", "sheet", "scroll_up"}
        await press(pilot, ["escape"])
        assert offered(host) == always | {"turn", "joker", "pass", "exchange"}
        assert host.played == []


async def test_the_footer_offers_giving_back() -> None:
    state = replace(small("EENX", "A"), phase=TurnPhase.GIVE, owed=2)
    host = Host(desk_at("diamino-rummy", state))
    async with host.run_test(size=SMALL):
        assert offered(host) == {"give", "unseen", "sheet", "shuffle"}


async def test_the_footer_offers_the_vote() -> None:
    state = after(small("XEY", "A", "B", options=TABLE), "lay D1 across X")
    host = Host(desk_at("diamino-rummy", state, seat=1), bots=False)
    async with host.run_test(size=SMALL):
        assert {"accept", "object"} <= offered(host)
        assert not {"lay", "pass", "exchange", "give", "swap"} & offered(host)


async def test_who_watches_is_offered_what_can_be_read() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.show(host.desk.watched())
        await pilot.pause()
        assert offered(host) == {"unseen", "sheet"}


# What nobody has judged


async def test_words_that_the_players_will_judge_are_neither_right_nor_wrong() -> None:
    """M-12."""
    host = Host(desk_at("diamino-rummy", small("XEY", "A", options=TABLE)), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "x"])
        assert "\u00b7 TORX" in lines_of(host.pane)
        assert "\u2713" not in lines_of(host.pane)
        assert " ok " not in lines_of(host.pane)


async def test_a_refused_play_is_proposed_again_only_if_that_is_meant() -> None:
    """M-12."""
    host = Host(desk_at("diamino-rummy", small("XEY", "A", options=TABLE)), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "x", "enter"])
        host.pane.show(host.desk.play(1, Object()))
        assert "Refused, 1 of 1 against: TORX." in pane_of(host).told[-1].sentence
        await press(pilot, ["enter"])
        assert host.pane.question.startswith("The table has just refused that.")
        await press(pilot, ["escape", "backspace", "y", "enter"])
        assert host.played == ["lay D1 across X", "lay D1 across Y"]


async def test_words_that_score_are_told_with_what_they_bring() -> None:
    """M-26: each, and all of them."""
    options = replace(DICTIONARY, words_score=True)
    host = Host(desk_at("diamino-bonus", small("EN", "A", options=options)))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e"])
        side = [" ".join(line.split()) for line in lines_of(host.pane).splitlines()]
        assert any(line.endswith("Draft ok +5") for line in side)
        assert any(line.endswith("\u2713 TORE 5") for line in side)


async def test_the_total_at_the_end_is_that_of_the_result() -> None:
    """M-29, M-31."""
    state = replace(small("", "AX", points=(17, 5)), phase=TurnPhase.OVER, out=0)
    desk = desk_at("diamino-bonus", state)
    host = Host(desk, bots=False)
    ended = desk.match.game.outcome(desk.match.game.public(state))
    assert ended is not None
    async with host.run_test(size=SMALL):
        lines = lines_of(host.pane)
        for seat, name in enumerate(("You", "Bob")):
            assert re.search(rf"{name} +{ended.scores[seat]} ", lines)
