"""The Diamino pane: words laid by keys alone, checked as they lie."""

import re

import pytest
from msgspec.structs import replace

from diadem_shared.games.diamino.notation import notate
from diadem_shared.games.diamino.play import Direction
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Lay,
    Move,
    Object,
    Pass,
    Silence,
    TurnPhase,
)
from diadem_shared.games.diamino.words import finder_of
from diadem_shared.match import Phase
from diadem_shared.refusals import Refusal
from tests.client.board.host import (
    HUGE,
    LARGE,
    NARROW,
    SMALL,
    Desk,
    Host,
    desk_at,
    lines_of,
    matches_in_all_forms,
    press,
)
from tests.client.games.diamino.pane import pane_of, small
from tests.shared.games.diamino.positions import DICTIONARY, TABLE, after


def keys_for(move: Move, host: Host) -> list[str]:
    """What a person presses to make a move."""
    match move:
        case Pass():
            return ["2", "enter"]
        case Exchange(tiles):
            return ["4", *map(key_of, tiles), "enter"]
        case Give(tiles):
            return [*map(key_of, tiles), "enter"]
        case Accept() | Silence():
            return ["+"]
        case Object():
            return ["-"]
        case Lay(play):
            keys = keys_to(host, play.start, play.direction)
            for tile in play.tiles:
                keys += [".", tile] if tile.islower() else [tile.lower()]
            return [*keys, "enter"]


def key_of(tile: str) -> str:
    return "." if tile == "*" else tile.lower()


def keys_to(host: Host, field: str, direction: Direction) -> list[str]:
    draft = pane_of(host).draft
    assert draft is not None
    target = draft.board.layout.square(field)
    assert target is not None
    width = draft.board.layout.width
    down = target // width - draft.cursor // width
    across = target % width - draft.cursor % width
    keys = ["down" if down > 0 else "up"] * abs(down)
    keys += ["right" if across > 0 else "left"] * abs(across)
    return keys if draft.direction is direction else [*keys, "space"]


def greedy(desk: Desk) -> Move:
    """As many tiles as go, so that a game ends soon."""
    view = desk.view(0)
    assert view.private is not None
    table, hand = view.public, view.private.tiles
    if table.phase is TurnPhase.GIVE:
        return Give(hand[: table.owed])
    found = finder_of(table.options).find(table.board, hand, table.terms)
    plays = found.ranked(lambda slot: len(slot.squares) - len(slot.letters))
    play = next(iter(plays), None)
    return Lay(play) if play else Pass()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "size"),
    [
        ("diamino-bonus", 2, LARGE),
        ("diamino-rummy", 3, NARROW),
    ],
)
async def test_a_whole_game_is_played_by_keys_alone(
    game: str, seats: int, size: tuple[int, int]
) -> None:
    desk = Desk(game, seats=seats, seed="amber", level="zombie")
    host = Host(desk)
    async with host.run_test(size=size) as pilot:
        while desk.match.phase is Phase.PLAYING:
            move, before = greedy(desk), len(host.played)
            await press(pilot, keys_for(move, host))
            assert host.played[before:] == [notate(move)]
        assert desk.match.phase is Phase.OVER
        assert re.search("(is|are) out|Nothing goes any more", pane_of(host).told[-1].sentence)


FORMS = {"small": SMALL, "wide": (110, 30), "large": LARGE, "huge": HUGE}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
async def test_a_table_half_way(game: str) -> None:
    desk = Desk(game, seats=2 if game == "diamino-rummy" else 4, seed="jade", level="zombie")
    host = Host(desk, ascii_only=True)
    async with host.run_test(size=SMALL) as pilot:
        for _ in range(3):
            await press(pilot, keys_for(greedy(desk), host))
        *keys, _ = keys_for(greedy(desk), host)
        await press(pilot, keys)
        await matches_in_all_forms(pilot, host, game, FORMS, only_ascii=True)


async def test_the_shape_is_judged_here_and_the_words_by_the_server() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["down", "right", "right", "right", "e"])
        assert "\u00d7 The word has to touch" in lines_of(host.pane)
        assert host.drafts == []
        await press(pilot, ["backspace", "up", "n"])
        assert host.drafts == [{"D1": "N"}]
        assert "\u00d7 The list does not know" in lines_of(host.pane)
        await press(pilot, ["backspace", "e"])
        assert "\u2713 TORE" in lines_of(host.pane)
        await press(pilot, ["enter"])
        assert host.played == ["lay D1 across E"]


async def test_words_are_being_looked_up_until_the_server_answers() -> None:
    host = Host(desk_at("diamino-rummy", small("E", "A")), judges=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e"])
        assert "\u00b7 TORE" in lines_of(host.pane)
        pane_of(host).judged({"A6": "E"}, {"verdict": "illegal", "reasons": []})
        assert "\u00b7 TORE" in lines_of(host.pane)
        pane_of(host).judged({"D1": "E"}, "not a verdict")
        assert "\u00b7 TORE" in lines_of(host.pane)
        await press(pilot, ["enter"])
        assert host.played == ["lay D1 across E"]


async def test_what_the_shape_forbids_is_not_even_asked() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["down", "right", "right", "right", "e", "enter"])
        assert host.played == []
        assert host.hints[-1].startswith("NO")


async def test_a_refused_word_stays_as_a_draft() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")), judges=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "n"])
        host.pane.refused(Refusal(LayingCode.UNKNOWN_WORDS, {"words": ["TORN"]}))
        assert "\u00d7 The list does not know" in lines_of(host.pane)
        assert pane_of(host).draft is not None
        assert pane_of(host).draft.by_field == {"D1": "N"}  # type: ignore[union-attr]


async def test_black_is_explained() -> None:
    host = Host(desk_at("diamino-rummy", small("ENX", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e", "n"])
        ruler, *rows = lines_of(host.pane).splitlines()
        told = " ".join(row[ruler.index("Players") :] for row in rows)
        assert "E1 is black: only a word that lays your whole hand may cover one." in " ".join(
            told.split()
        )


async def test_a_joker_is_offered_and_laid() -> None:
    host = Host(desk_at("diamino-rummy", small("*NN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e"])
        assert host.hints == ["You have no E. Press E again to lay a joker as E."]
        await press(pilot, ["e"])
        assert "\u25ba\u2588\u2588" in lines_of(host.pane)
        assert re.search(r"\+ E .*\n.* \* ", lines_of(host.pane))
        await press(pilot, ["enter"])
        assert host.played == ["lay D1 across e"]


async def test_passing_is_asked_again() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["2"])
        assert host.pane.question.startswith("Pass?")
        await press(pilot, ["2", "enter"])
        assert host.played == []
        await press(pilot, ["2", "right", "2", "enter"])
        assert host.played == ["pass"]


async def test_tiles_are_exchanged() -> None:
    host = Host(desk_at("diamino-rummy", small("EENX", "A", reserve="AB")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["4", "e", "z", "n", "x"])
        assert host.hints == ["You have no such tile.", "You may not mark more."]
        assert re.search(r"\[E\]  . E.  .\[N\]", lines_of(host.pane))
        await press(pilot, ["backspace", "e", "enter"])
        assert host.played == ["exchange EE"]


async def test_an_exchange_can_be_left() -> None:
    host = Host(desk_at("diamino-rummy", small("EENX", "A", reserve="AB")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["4", "e", "4"])
        assert pane_of(host).parcel is None


async def test_an_empty_reserve_changes_nothing() -> None:
    host = Host(desk_at("diamino-rummy", small("EENX", "A")))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["4"])
        assert host.hints == ["The reserve has 0 tiles left. Exchange no more than that."]


async def test_tiles_are_given_back_for_red_devils() -> None:
    state = replace(small("EENX", "A"), phase=TurnPhase.GIVE, owed=2)
    host = Host(desk_at("diamino-rummy", state))
    async with host.run_test(size=SMALL) as pilot:
        assert host.pane.question.startswith("Red devils: you may give 2 tiles back.")
        await press(pilot, ["x", "e", "enter"])
        assert host.played == ["give EX"]


async def test_all_tiles_may_be_kept() -> None:
    host = Host(desk_at("diamino-rummy", replace(small("EENX", "A"), phase=TurnPhase.GIVE, owed=1)))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["enter"])
        assert host.pane.question.startswith("Keep all your tiles?")
        assert not host.played
        await press(pilot, ["enter"])
        assert host.played == ["keep"]


async def test_whether_to_keep_all_tiles_is_thought_better_of() -> None:
    host = Host(desk_at("diamino-rummy", replace(small("EENX", "A"), phase=TurnPhase.GIVE, owed=1)))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["enter", "x"])
        assert host.pane.question.startswith("Red devil: you may give 1 tile back.")
        await press(pilot, ["enter"])
        assert host.played == ["give X"]


@pytest.mark.parametrize(
    ("key", "move", "sign"), [("+", "accept", "\u2713"), ("-", "object", "\u00d7")]
)
async def test_a_word_is_judged_by_the_table(key: str, move: str, sign: str) -> None:
    state = after(small("XEY", "A", "B", options=TABLE), "lay D1 across X")
    host = Host(desk_at("diamino-rummy", state, seat=1), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        assert host.pane.question == "Ana lays TORX: + accepts, - objects."
        assert "? X" in lines_of(host.pane)
        assert "\u25ba You" in lines_of(host.pane)
        assert "\u25ba Cem" in lines_of(host.pane)
        await press(pilot, [key])
        assert host.played == [move]
        assert f"{sign} You" in lines_of(host.pane)


async def test_an_objection_is_put_to_all_anew() -> None:
    state = after(small("XEY", "A", "B", "C", options=TABLE), "lay D1 across X")
    host = Host(desk_at("diamino-rummy", state, seat=1), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["enter"])
        assert host.hints == ["The last play is being judged. Accept it or object first."]
        await press(pilot, ["+"])
        assert host.pane.question == ""
        host.pane.show(host.desk.play(3, Object()))
        assert host.pane.question == "TORX: 1 of 3 against (Dee). Now all vote: + or -."


async def test_the_draft_of_a_word_taken_back_is_still_there() -> None:
    host = Host(desk_at("diamino-rummy", small("XEY", "A", "B", options=TABLE)), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "x", "enter"])
        for seat in (1, 2):
            host.pane.show(host.desk.play(seat, Object()))
        assert host.pane.question == "Your last try: lay another word, or pass (2)."
        assert pane_of(host).draft.by_field == {"D1": "X"}  # type: ignore[union-attr]
        assert "may try once more" in pane_of(host).told[-1].sentence


async def test_a_word_can_be_prepared_while_others_think() -> None:
    host = Host(desk_at("diamino-rummy", small("E", "AN", turn=1), seat=0), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e"])
        assert "\u2713 TORE" in lines_of(host.pane)
        await press(pilot, ["enter"])
        assert host.hints[-1].startswith("It is not your turn")
        host.pane.show(host.desk.play(1, Pass()))
        await press(pilot, ["enter"])
        assert host.played == ["lay D1 across E"]


async def test_after_the_round_nothing_is_laid_any_more() -> None:
    host = Host(desk_at("diamino-rummy", small("E", "AN")), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right", "right", "right", "e"])
        assert pane_of(host).draft.placed  # type: ignore[union-attr]
        state = host.desk.match.state
        host.pane.show(desk_at("diamino-rummy", replace(state, phase=TurnPhase.OVER)).scene())
        for key in ("e", "."):
            await press(pilot, [key])
            assert pane_of(host).draft.placed == ()  # type: ignore[union-attr]
            assert host.hints.pop().startswith("This round is over.")


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 5, 8])
async def test_news_are_whole_and_signs_explained(seats: int) -> None:
    host = Host(Desk("diamino-rummy", seats=seats, seed="amber", level="easy"))
    async with host.run_test(size=SMALL) as pilot:
        for _ in range(3):
            await press(pilot, ["2", "enter"])
        for size in (SMALL, (100, 30)):
            await pilot.resize_terminal(*size)
            assert_news_are_whole(host)


def assert_news_are_whole(host: Host) -> None:
    lines = lines_of(host.pane).splitlines()
    left = next(line.index("Players") for line in lines if "Players" in line)
    side = [line[left:].rstrip() for line in lines]
    after = next(at for at, line in enumerate(side) if line.startswith("Reserve")) + 1
    told = " ".join(" ".join(side[after:]).partition("(\u03c8) green")[0].split())
    assert told
    told = " ".join(re.sub(r"[(<][\u03c8\u03a8][)>]\d?|\u25b2", "", told).split())
    newest = pane_of(host).told[-1]
    assert (newest.sentence or " ".join([newest.name, *newest.words])) in told
    assert "(\u03c8) green" in lines_of(host.pane)


async def test_names_can_be_told_apart_beside_a_large_board() -> None:
    host = Host(Desk("diamino-bonus", seats=4, seed="amber"), bots=False)
    async with host.run_test(size=LARGE) as pilot:
        host.pane.show(replace(host.desk.scene(), names=("Ana", "Player 1", "Player 2", "Dee")))
        await pilot.pause()
        assert "Player 1" in lines_of(host.pane)
        assert "Player 2" in lines_of(host.pane)


async def test_open_hands_are_shown() -> None:
    options = replace(DICTIONARY, open_hands=True)
    host = Host(desk_at("diamino-rummy", small("EN", "ABBA", options=options)), bots=False)
    async with host.run_test(size=SMALL):
        assert "AABB" in lines_of(host.pane)


async def test_a_hand_of_forty_can_be_read() -> None:
    host = Host(desk_at("diamino-rummy", small("EN" * 20, "A")))
    async with host.run_test(size=SMALL):
        assert lines_of(host.pane).count("E\u2081") == 20


async def test_the_hand_is_shuffled_and_sorted() -> None:
    host = Host(desk_at("diamino-rummy", small("ABCDEFGHIJKLMNOPQRSTUVW", "A")))
    async with host.run_test(size=SMALL) as pilot:
        sorted_ = lines_of(host.pane)
        await press(pilot, ["1"])
        assert lines_of(host.pane) != sorted_
        await press(pilot, ["5"])
        assert lines_of(host.pane) == sorted_


@pytest.mark.slow
async def test_every_key_does_something_or_says_why_not() -> None:
    silent = []
    host = Host(desk_at("diamino-rummy", small("ENTR" * 5, "A")))
    async with host.run_test(size=SMALL) as pilot:
        for key in (*"1234.+-z", "enter", "space", "backspace", "delete", "up"):
            host.sit_at(desk_at("diamino-rummy", small("ENTR" * 5, "A")))
            await press(pilot, ["escape", "down", "down"])
            before = host.all_that_is_told()
            await press(pilot, [key])
            if host.all_that_is_told() == before:
                silent.append(key)
    assert not silent


async def test_who_watches_sees_no_hand() -> None:
    host = Host(desk_at("diamino-rummy", small("EN", "A")))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.show(host.desk.watched())
        assert "\u2580" not in lines_of(host.pane)
        await press(pilot, ["e", "enter", "2", "4", ".", "1", "+", "space", "backspace"])
        assert host.played == []


async def test_a_large_board_follows_the_cursor() -> None:
    board = "S" + "." * 25 + "\n" + ("." * 26 + "\n") * 25
    options = replace(DICTIONARY, board=board)
    host = Host(desk_at("diamino-rummy", small("EN", "A", options=options)))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["right"] * 25 + ["down"] * 25)
        ruler, *rows = lines_of(host.pane).splitlines()
        assert " Z " in ruler
        (last,) = (row for row in rows if row.startswith("26 "))
        assert "\u25ba" in last
