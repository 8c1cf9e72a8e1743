"""What is agreed on is checked whole when it is agreed on: nothing that cannot start can be made."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.chance import Chance
from diadem_shared.entries import Clock, Sat, Setup, Started
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.board import standard_layout
from diadem_shared.match import Match, apply, explain, explain_setup, open_match, replay
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.rig import require
from tests.rig.walk import option_sets
from tests.thoroughness import times

SEED = b"setups"
SMALLEST = "S....\n" + 4 * ".....\n"


def code(game: str, **options: Any) -> str | None:
    refusal = explain_setup(Setup(game, options))
    return None if refusal is None else refusal.code


def why(board: str) -> object:
    refusal = explain_setup(Setup("diamino-rummy", {"board": board}))
    return None if refusal is None else refusal.about["why"]


@pytest.mark.parametrize("game", ["diamoniak", "piratatak"])
def test_who_begins_has_a_seat_at_some_table(game: str) -> None:
    assert [code(game, youngest=seat) for seat in (None, 0, 1, 2, 3)] == [None] * 5
    assert [code(game, youngest=seat) for seat in (-1, 4, 10**12)] == ["no_such_seat"] * 3


@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
def test_a_word_list_is_one_of_those_there_are(game: str) -> None:
    assert [code(game, word_list=name) for name in ("", "de", "fr")] == [None] * 3
    assert code(game, word_list="../../etc/passwd") == "no_such_word_list"


@cases(
    ("board", "reason"),
    [
        ("hello", "unknown_kind"),
        ("S..S.\n" + 4 * ".....\n", "not_one_start"),
        (5 * ".....\n", "not_one_start"),
        ("S....\n....\n" + 3 * ".....\n", "uneven_rows"),
        ("S", "too_small"),
        ("S.", "too_small"),
        ("S...\n" + 4 * "....\n", "too_small"),
        ("S....\n" + 3 * ".....\n", "too_small"),
        ("S" + 26 * ".", "too_large"),
        ("#####\n#####\n##S##\n#####\n#####\n", "walled_start"),
        ("....S\n....#\n" + 3 * ".....\n", "walled_start"),
        (4 * ".....\n" + ".S#..\n", None),
        (3 * ".....\n" + ".#...\n.S#..\n", "walled_start"),
        (".#...\n.S...\n.#...\n" + 2 * ".....\n", None),
        ("S#...\n" + 4 * ".....\n", None),
        (SMALLEST, None),
        (25 * (26 * "." + "\n") + 25 * "." + "S\n", None),
        (str(standard_layout()), None),
    ],
)
def test_m2_a_board_is_one_on_which_a_game_can_begin(board: str, reason: str | None) -> None:
    assert why(board) == reason


@cases(
    ("game", "options"),
    [
        ("diamoniak", {"youngest": "0"}),
        ("diamoniak", {"youngest": True}),
        ("diamino-rummy", {"open_hands": 1}),
        ("diamino-rummy", {"open_hands": "yes"}),
        ("diamino-rummy", {"open_hands": None}),
        ("diamino-rummy", {"judging_time": "30"}),
        ("diamino-rummy", {"judging_time": 4}),
        ("diamino-rummy", {"words_score": True}),
        ("diadingo", {"play": "Marked"}),
        ("diadingo", {"colour": "red"}),
    ],
)
def test_options_have_the_types_and_names_they_are_told_to_have(
    game: str, options: dict[str, Any]
) -> None:
    assert code(game, **options) == "bad_option"
    with pytest.raises(RefusalError):
        open_match(Setup(game, options))


@cases(
    "clock",
    [
        {"type": "none", "foo": 1},
        {"type": "none", "seconds": 60},
        {"type": "turn", "seconds": 60, "increment": 5},
        {"type": "game", "seconds": 60, "foo": 1},
        {"type": "turn", "seconds": "60"},
        {"type": "turn", "seconds": 60.0},
    ],
)
def test_a_clock_says_what_belongs_to_it_and_no_more(clock: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(clock), type=Clock)


ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10) | st.integers(-(2**63), 2**63 - 1),
    st.sampled_from(["", "0", "de", "fr", "table", "../../etc/passwd", SMALLEST, "hello"]),
    st.text(max_size=20),
    st.lists(st.text("S.#gR", min_size=5, max_size=7), max_size=7).map("\n".join),
)


@st.composite
def option_maps(draw: st.DrawFn, game: AnyGame) -> dict[str, Any]:
    """Those of the game, some of them changed to whatever a client may send."""
    options: dict[str, Any] = msgspec.to_builtins(draw(st.sampled_from([*option_sets(game)])))
    names = st.sampled_from([*options, "no_such_option"])
    return options | draw(st.dictionaries(names, ANY_VALUE, max_size=3))


def started(setup: Setup, seats: int) -> Match | None:
    match = open_match(setup)
    for number in range(seats):
        match, _ = apply(match, Sat(f"bot {number}", "zombie"), SEED)
    return None if explain(match, Started()) else apply(match, Started(), SEED)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=times(200, 2000))
@given(data=st.data())
def test_whatever_can_be_made_can_be_started_by_some_number_of_players(
    name: str, data: st.DataObject
) -> None:
    game = GAMES[name]
    setup = Setup(name, data.draw(option_maps(game)))
    if explain_setup(setup):
        with pytest.raises(RefusalError):
            open_match(setup)
        return
    read = game.read_options(setup.options)
    for option, value in setup.options.items():
        require(type(getattr(read, option)) is type(value), "an option is what was sent", option)
    matches = [match for seats in game.seats if (match := started(setup, seats))]
    require(bool(matches), "some number of players can start it", setup)
    (seat, *_) = matches[0].actors
    view = game.view(matches[0].state, seat)
    move = game.bots["zombie"](Chance(SEED)).choose(view)
    require(game.explain(view, move) is None, "and then play", move)


@pytest.mark.parametrize(
    "setup",
    [
        Setup("diamino-rummy", {"open_hands": 1, "judging_time": "30"}),
        Setup("diamino-rummy", {"board": "S..\n"}),
        Setup("diamoniak", {"youngest": "1"}),
    ],
)
def test_what_older_rules_agreed_on_is_still_replayed(setup: Setup) -> None:
    assert explain_setup(setup) is not None
    match = replay(setup, [Sat("Ana"), Sat("Bob"), Started()], SEED)
    assert match.setup == setup
    assert match.actors
