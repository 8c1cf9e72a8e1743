"""Every code by which a server or a match refuses is said where it should be."""

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.refusals import Code
from tests.rig.wire import Player
from tests.server import NUMBERS, code, done, guess_right, is_in, started

TESTS = Path(__file__).parents[2]
SAYS_SO = sorted([*TESTS.glob("server/**/test_*.py"), *TESTS.glob("shared/**/test_*.py")])


def expected_in(source: str) -> set[str]:
    words = set(re.findall(r'"(\w+)"', source))
    named = set(re.findall(r"\bCode\.([A-Z_]+)", source))
    return words | {each.value for each in Code if each.name in named}


def test_every_one_is_brought_about_by_a_test() -> None:
    expected = set().union(*(expected_in(path.read_text()) for path in SAYS_SO))
    assert set(Code) - expected == set()


UNKNOWN_LIST = Setup("diamino-bonus", options={"word_list": "x"})


IN_THE_HALL = (
    (protocol.Sit(1), "at_no_table"),
    (protocol.Join(1, "NONE"), "no_such_table"),
    (protocol.GetReplay(1, "NONE"), "no_such_replay"),
    (protocol.Export(1, "NONE"), "no_such_replay"),
    (protocol.GetStandings(1, "chess"), "no_such_game"),
    (protocol.Make(1, Setup("chess")), "no_such_game"),
    (protocol.Make(1, Setup("numbers", absent="oracle")), "no_such_bot"),
    (protocol.Make(1, Setup("numbers", options={"highest": 10})), "bad_option"),
    (protocol.Make(1, Setup("diamoniak", options={"youngest": "0"})), "bad_option"),
    (protocol.Make(1, Setup("diamoniak", options={"youngest": -1})), "no_such_seat"),
    (protocol.Make(1, Setup("diamino-bonus", options={"board": "hello"})), "bad_board"),
    (protocol.Make(1, UNKNOWN_LIST), "no_such_word_list"),
)


async def check(player: Player, cases: Sequence[tuple[protocol.Command, str]]) -> None:
    """Each command is refused so; it has a number of its own, and is not taken for the one before."""
    answers = [
        (command, code(await player.ask_again(replace(command, id=100 + number))))
        for number, (command, _) in enumerate(cases)
    ]
    wrong = [given for given, (_, why) in zip(answers, cases, strict=True) if given[1] != why]
    assert wrong == []


async def test_refused_in_the_hall(app: App, ana: Player) -> None:
    await check(ana, IN_THE_HALL)
    assert app.lobby.tables == {}


AT_A_TABLE = (
    (protocol.Sit(100), "seated_already"),
    (protocol.Make(100, NUMBERS), "seated_elsewhere"),
    (protocol.AddBot(100, "oracle"), "no_such_bot"),
    (protocol.Change(100, Setup("diamino-rummy", options={"open_hands": 1})), "bad_option"),
    (protocol.Change(100, Setup("diamino-rummy", options={"board": "S"})), "bad_board"),
    (protocol.Change(100, UNKNOWN_LIST), "no_such_word_list"),
    (protocol.Change(100, Setup("piratatak", options={"youngest": 4})), "no_such_seat"),
    (protocol.Remove(100, 7), "no_such_seat"),
    (protocol.Remove(100, -1), "no_such_seat"),
    (protocol.Play(100, "guess 5"), "not_started"),
    (protocol.Check(100, {}), "not_playing"),
    (protocol.Say(100, "\u200b\x07"), "nothing_said"),
    (protocol.TakeBack(100), "not_started"),
    (protocol.Resign(100), "not_started"),
    (protocol.Again(100), "not_over"),
)


async def test_refused_at_a_table(app: App, ana: Player) -> None:
    table = await ana.make(NUMBERS)
    await check(ana, AT_A_TABLE)
    assert app.lobby.tables[table].match.entries == 1


OF_THE_MAKER = (
    protocol.Start(100),
    protocol.Change(100, NUMBERS),
    protocol.AddBot(100, "halver"),
    protocol.Remove(100, 0),
)


async def test_refused_to_all_but_the_maker(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table, sit=False)
    await check(bob, [(command, "only_the_maker") for command in OF_THE_MAKER])


TO_WHO_LOOKS_ON = (
    (protocol.Play(100, "guess 5"), "no_seat"),
    (protocol.Ready(100, ready=True), "no_seat"),
    (protocol.HandOver(100, "halver"), "no_seat"),
    (protocol.Resign(100), "no_seat"),
    (protocol.Stand(100), "no_seat"),
    (protocol.Check(100, {}), "not_playing"),
    (protocol.Sit(100), "already_started"),
)


async def test_refused_to_who_looks_on(ana: Player, bob: Player) -> None:
    table = await started(ana)
    await bob.join(table, sit=False)
    await check(bob, TO_WHO_LOOKS_ON)


IN_PLAY = (
    (protocol.Play(100, "guess 99"), "out_of_range"),
    (protocol.Play(100, "dance"), "unreadable"),
    (protocol.Check(100, {"H8": "A"}), "no_drafts"),
    (protocol.Ready(100, ready=True), "already_started"),
    (protocol.Stand(100), "already_started"),
    (protocol.TakeBack(100), "already_back"),
    (protocol.HandOver(100, "oracle"), "no_such_bot"),
)


async def test_refused_in_play(app: App, ana: Player) -> None:
    table = await started(ana)
    before = app.lobby.tables[table].match
    await check(ana, IN_PLAY)
    assert app.lobby.tables[table].match is before


async def test_refused_out_of_turn(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    assert ana.view is not None
    waits = ana if ana.view.seat not in ana.view.public["actors"] else bob
    assert code(await waits.play("guess 5")) == "not_your_turn"


async def test_refused_when_all_is_over(app: App, ana: Player) -> None:
    await started(ana)
    await guess_right(ana, app)
    await ana.seen(is_in(Phase.OVER))
    for command in (
        protocol.Play(100, "guess 5"),
        protocol.Ready(101, ready=True),
        protocol.Resign(103),
    ):
        assert code(await ana.ask_again(command)) == "match_over"


async def test_a_name_is_needed(app: App) -> None:
    assert code(await Player(app.port, "\u3164").connect()) == "name_empty"
    assert code(await Player(app.port, "A" * 21).connect()) == "name_too_long"


async def test_an_empty_chair_does_not_play(ana: Player) -> None:
    await ana.make(Setup("diamoniak"))
    assert code(await ana.ask(protocol.Start)) == "too_few_players"
    await done(ana, protocol.Stand)
    assert code(await ana.ask(protocol.Start)) == "only_the_maker"
