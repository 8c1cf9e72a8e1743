"""The castles pane: played by keys, drawn for every size, and never silent about a key."""

from itertools import product

import pytest
from msgspec.structs import replace

from diadem_client.board.held_keys import HeldKeys
from diadem_client.games.castles.draft import KEYS, toll_for
from diadem_client.games.castles.pane import CastlesPane
from diadem_client.state.presentation import STILL
from diadem_shared.games.castles.editions import DANGER
from diadem_shared.games.castles.table import Buy, Draw, Move, Pay, Shield, Stop, TurnPhase
from diadem_shared.match import Phase
from tests.client.board.host import (
    HUGE,
    LARGE,
    NARROW,
    SMALL,
    Desk,
    Host,
    desk_at,
    lines_of,
    matches,
    matches_in_all_forms,
    press,
)
from tests.shared.games.castles.positions import position


def keys_for(move: Move, host: Host) -> list[str]:
    """What a person presses to make a move."""
    match move:
        case Draw():
            return ["d"]
        case Stop():
            return ["p"]
        case Shield():
            return ["f"]
        case Buy(seller):
            pane = host.pane
            assert isinstance(pane, CastlesPane)
            table = host.desk.view(host.desk.seat).public
            colour = table.mover.builds
            sellers = [
                seat
                for seat, holding in enumerate(table.holdings)
                if seat != host.desk.seat and holding.spare(colour)
            ]
            if len(sellers) == 1:
                return ["b"]
            return ["b", str(sellers.index(seller) + 1), "enter"]
        case Pay(cards):
            toll = toll_for(host.desk.view(host.desk.seat).public.mover)
            held = [kind.card for kind in toll.kinds]
            return [*(KEYS[held.index(card)] for card in cards), "enter"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "size", "seed"),
    [
        ("diamoniak", 2, SMALL, "amber"),
        ("diamoniak", 4, NARROW, "onyx"),
        ("piratatak", 4, LARGE, "onyx"),
    ],
)
async def test_a_whole_game_is_played_by_keys_alone(
    game: str, seats: int, size: tuple[int, int], seed: str
) -> None:
    desk = Desk(game, seats=seats, seed=seed)
    host = Host(desk)
    async with host.run_test(size=size) as pilot:
        while desk.match.phase is Phase.PLAYING:
            move = desk.chosen(desk.seat)
            before = len(host.played)
            await press(pilot, keys_for(move, host))
            assert [desk.match.game.parse(text) for text in host.played[before:]] == [move]
        assert desk.match.phase is Phase.OVER
        assert "completed" in lines_of(host.pane)


FORMS = {"small": SMALL, "large": LARGE, "huge": HUGE}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["diamoniak", "piratatak"])
async def test_a_table_half_way(name: str) -> None:
    desk = Desk(name, seats=4, seed="amber")
    host = Host(desk)
    async with host.run_test(size=SMALL) as pilot:
        for _ in range(14):
            await press(pilot, keys_for(desk.chosen(0), host))
        await matches_in_all_forms(pilot, host, name, FORMS)


@pytest.mark.slow
async def test_every_key_does_something_or_says_why_not() -> None:
    keys = ("d", "p", "b", "f", "space", "enter", "backspace", "left", "down")
    phases = (TurnPhase.OPEN, TurnPhase.DRAWN, TurnPhase.DANGER)
    silent = []
    host = Host(Desk("diamoniak", seats=2, seed="amber"), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        for seat, phase, key in product((0, 1), phases, keys):
            if key == "space" and (seat or phase is not TurnPhase.DANGER):
                continue  # it is for the screen then
            state = position("| green1 green2", "| blue1", phase=phase)
            host.sit_at(desk_at("diamoniak", state, seat=seat))
            before = host.all_that_is_told()
            await press(pilot, [key])
            if host.all_that_is_told() == before:
                silent.append((key, phase, seat))
    assert not silent


async def test_a_witch_is_paid_with_marked_cards() -> None:
    state = position("blue1 blue2 | currency currency green5", "|", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        matches("diamoniak-witch", lines_of(host.pane))
        await pilot.press("1", "enter")
        assert host.hints == ["Mark 2 more cards first."]
        await pilot.press("right", "space", "4", "3")
        assert host.hints[-1].startswith("Enough cards are marked.")
        await pilot.press("1", "3", "enter")
        assert host.played == ["pay blue1 blue2 diamond"]


async def test_a_castle_given_up_is_called_one_in_whole() -> None:
    state = position("yellow4 | currency", "|", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL):
        assert "[ ] yellow 4 (castle)" in lines_of(host.pane)


async def test_what_was_paid_is_told_beside_the_witch() -> None:
    state = position("| currency", "|", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await pilot.press("1", "enter")
        assert "You: gave up diamond" in lines_of(host.pane)
        assert "WITCH" in lines_of(host.pane)


async def test_nothing_of_the_round_before_is_left() -> None:
    host = Host(Desk("diamoniak", seats=2, seed="amber"), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        anew = host.desk.scene()
        host.pane.show(host.desk.play(host.desk.match.actors[0], Draw()))
        assert "drew" in lines_of(host.pane)
        host.pane.show(anew)
        assert "drew" not in lines_of(host.pane)
        await pilot.pause()


async def test_who_looks_on_sees_what_the_mover_builds() -> None:
    host = Host(desk_at("diamoniak", position("blue1", "green5")), bots=False)
    async with host.run_test(size=SMALL):
        mine = lines_of(host.pane).replace("Your cards", "Ana")
        host.pane.show(host.desk.watched())
        assert "\u25ba Ana" in lines_of(host.pane)
        assert " ".join(lines_of(host.pane).replace("Ana", "You").split()) == " ".join(
            mine.replace("Ana", "You").split()
        )


async def test_a_fairy_is_offered_in_the_question() -> None:
    host = Host(desk_at("diamoniak", position("| currency shield", "|", phase=TurnPhase.DANGER)))
    async with host.run_test(size=SMALL) as pilot:
        assert host.pane.question.endswith("Or send your fairy: F.")
        await pilot.press("f")
        assert host.played == ["fairy"]


async def test_with_several_sellers_the_buyer_says_which() -> None:
    state = position("blue1 | currency currency currency", "| blue2", "| blue3 blue4")
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        assert host.played == []
        matches("diamoniak-sellers", lines_of(host.pane))
        await pilot.press("backspace", "b", "2", "enter")
        assert host.played == ["buy from 3"]


async def test_with_one_seller_nothing_is_asked() -> None:
    state = position("blue1 | currency currency currency", "| blue2", "|")
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        assert host.played == ["buy from 2"]


async def test_a_hint_to_buy_opens_the_list_at_the_seller_who_is_meant() -> None:
    state = position("blue1 | currency currency currency", "| blue2", "| blue3 blue4")
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.propose(Buy(2))
        assert "From whom" in host.pane.question
        await pilot.press("b", "enter")
        assert host.played == ["buy from 3"]


async def test_a_hint_to_buy_shows_the_only_seller_and_one_to_draw_closes_the_list() -> None:
    state = position("blue1 | currency currency currency", "| blue2", "|")
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.propose(Buy(2))  # who has none
        assert "From whom" not in host.pane.question
        host.pane.propose(Buy(1))
        assert "From whom" in host.pane.question
        host.pane.propose(Draw())
        assert "From whom" not in host.pane.question
        host.pane.propose(Buy(1))
        await pilot.press("enter")
        assert host.played == ["buy from 2"]


async def test_marks_survive_another_view_of_the_same_table() -> None:
    state = position("| currency currency green5 blue2", "|", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.press("3", "3")
        host.pane.show(host.desk.scene())
        assert "Marked 2 of 3" in host.pane.question


async def test_who_comes_back_sees_the_card_that_lies_there() -> None:
    host = Host(desk_at("diamoniak", position("|", "|", phase=TurnPhase.DRAWN), seat=1), bots=False)
    async with host.run_test(size=SMALL):
        assert "diamond" in lines_of(host.pane)


async def test_a_name_is_never_markup_nor_control() -> None:
    host = Host(desk_at("diamoniak", position("|", "|")))
    async with host.run_test(size=SMALL):
        scene = replace(host.desk.watched(), names=("[@click=q]x[/]", "\x1b[31m\u202eBob"))
        host.pane.show(scene)
        assert "[@click=q]x[/]" in lines_of(host.pane)
        assert "?[31m?Bob" in lines_of(host.pane)


async def test_a_watcher_is_told_so() -> None:
    host = Host(desk_at("diamoniak", position("|", "|")))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.show(host.desk.watched())
        await pilot.press("d")
        assert host.hints == ["You are only watching."]


async def test_a_click_marks_a_card() -> None:
    state = position("| currency currency green5 blue2", "|", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        y = next(
            n for n, line in enumerate(lines_of(host.pane).splitlines()) if "1\u25ba[ ]" in line
        )
        await pilot.click(host.pane, offset=(60, y))
        assert "1\u25ba[x]" in lines_of(host.pane)


async def test_the_deck_is_tapped_twice_to_draw() -> None:
    host = Host(Desk("diamoniak", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        rows = lines_of(host.pane).splitlines()
        row = next(n for n, line in enumerate(rows) if "deck" in line)
        deck = rows[row].index("deck"), row - 2
        await pilot.click(host.pane, offset=deck)
        assert not host.played
        assert host.hints == ["Tap once more to draw a card."]
        await pilot.click(host.pane, offset=deck)
        assert host.played == ["draw"]


async def test_the_deck_of_others_turns_is_not_drawn_from() -> None:
    state = position("|", "| currency", phase=TurnPhase.DANGER)
    host = Host(desk_at("diamoniak", state))
    async with host.run_test(size=SMALL) as pilot:
        rows = lines_of(host.pane).splitlines()
        row = next(n for n, line in enumerate(rows) if "deck" in line)
        for _ in range(2):
            await pilot.click(host.pane, offset=(rows[row].index("deck"), row - 2))
        assert not host.played
        assert not host.hints


async def test_capitals_command_too() -> None:
    host = Host(Desk("diamoniak", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.press("D")
        assert host.played == ["draw"]


async def test_a_drawn_card_turns_over_before_anything_is_told() -> None:
    state = position("blue1 |", "|", top="blue2", phase=TurnPhase.DRAWN)
    host = Host(desk_at("diamoniak", state, seat=1), bots=False)
    async with host.run_test(size=SMALL):
        before = lines_of(host.pane)
        scene = host.desk.play(0, Draw())
        motion = host.pane.motion(scene)
        assert (len(motion.before), len(motion.after)) == (2, 1)
        seen = []
        for frame in range(2):
            host.pane.pose(frame, scene)
            host.pane.redraw()
            seen.append(lines_of(host.pane))
            assert "blue 2" not in seen[-1]
        assert before != seen[0] != seen[1] != before
        tints = []
        for after in (0, None):
            host.pane.pose(after, None)
            host.pane.show(scene)
            assert "Ana: drew blue 2" in lines_of(host.pane)
            tints.append([each.style for each in host.pane.render_line(0)])
        assert tints[0] != tints[1]


def test_only_what_is_drawn_turns_and_only_who_builds_is_marked() -> None:
    pane = CastlesPane()
    desk = desk_at("diamoniak", position("| currency", "|", top="currency", phase=TurnPhase.DRAWN))
    pane.scene = desk.scene()
    drawn = pane.motion(desk.play(0, Draw()))
    assert (len(drawn.before), drawn.after) == (2, ())
    assert pane.motion(desk.play(0, Stop())) == STILL


async def test_space_marks_only_where_there_is_something_to_mark() -> None:
    host = Host(desk_at("diamoniak", position("|", "|")), bots=False)
    async with host.run_test(size=SMALL):
        mark = next(action for action in CastlesPane.ACTIONS if action.id == "mark")
        assert not host.pane.uses(mark)
        state = position("| currency", "|", phase=TurnPhase.DANGER)
        host.pane.show(desk_at("diamoniak", state).scene())
        assert host.pane.uses(mark)


async def test_a_key_held_down_draws_one_card() -> None:
    host = Host(Desk("diamoniak", seats=2, seed="amber"), bots=False, held_keys=HeldKeys())
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["d"] * 12)
        assert host.played == ["draw"]
        assert host.hints[-1] == "One press, one move: let go of the key first."
        await press(pilot, ["p"])
        assert len(host.played) == 2


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("|", "The witch! You had nothing to give up, and your turn is over."),
        ("| pink1", "The witch! You gave up all you had, and your turn is over."),
        ("| pink1 pink2 pink3 blue2", ""),
    ],
)
async def test_who_has_nothing_to_choose_is_told_why_the_turn_is_over(kept: str, said: str) -> None:
    desk = desk_at("diamoniak", position(kept, "|", top=DANGER))
    host = Host(desk, bots=False)
    async with host.run_test(size=SMALL):
        host.pane.show(desk.play(0, Draw()))
        assert host.pane.scene is not None
        if host.pane.scene.may_act:
            assert host.pane.question.startswith("Give up 3 cards")
        else:
            assert host.pane.question == said
