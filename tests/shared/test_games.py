"""Every game of the registry is held to the contract by the rig."""

from itertools import islice
from typing import Any, get_args

import pytest

from diadem_shared.bot_levels import Lineup
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry
from diadem_shared.game import COMMON_REFUSALS, pack
from diadem_shared.games import GAMES
from diadem_shared.match_events import MatchOver, RoundOver
from tests.cases import cases
from tests.rig.conformance import check_level, check_match, check_round
from tests.rig.interference import check_interference
from tests.rig.walk import option_sets, options_for, seats_for, walk
from tests.thoroughness import times

every_game = pytest.mark.parametrize("name", GAMES)
SEEDS = [
    pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(times(3, 48))
]
"""Each day as many as tests/rig/test_plants.py needs to find every planted fault."""
WITH_WORDS = {name for name in GAMES if "language" in GAMES[name].options_type.__struct_fields__}
"""Their bots think for longer."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in WITH_WORDS)) for name in GAMES],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_of_random_play_keeps_every_promise(name: str, seed: int) -> None:
    check_round(GAMES[name], seed)


@cases("name", GAMES)
@cases("seed", range(times(4, 48)))
def test_a_match_of_zombies_ends_and_adds_up(name: str, seed: int) -> None:
    check_match(GAMES[name], seed)


def levels_of(name: str) -> list[Any]:
    """Those that think for long are only played each night."""
    bots = GAMES[name].bots.items()
    heavy = {level for level, bot in bots if bot(Chance(b"level")).heavy}
    slow = [
        [pytest.mark.slow] * (level in heavy or name in WITH_WORDS) for level in GAMES[name].bots
    ]
    return [
        pytest.param(name, level, marks=marks)
        for level, marks in zip(GAMES[name].bots, slow, strict=True)
    ]


@pytest.mark.parametrize(("name", "level"), [each for name in GAMES for each in levels_of(name)])
def test_bots_of_one_level_bring_a_round_to_its_end(name: str, level: str) -> None:
    slow = GAMES[name].bots[level](Chance(b"level")).slow
    for seed in range(times(0, 1) if slow else times(1, 12)):
        check_level(GAMES[name], level, seed)


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_hidden_changes_nothing_that_is_seen(name: str, seed: int) -> None:
    assert check_interference(GAMES[name], seed) > 0


@cases("name", GAMES)
def test_resampling_really_changes_what_is_hidden(name: str) -> None:
    """Otherwise the check above would compare every state with itself."""
    game = GAMES[name]
    steps = walk(game, options_for(game, 0), seats_for(game, 0), b"resample")
    states = [step.before for step in islice(steps, 20)]
    others = [game.resample(state, None, Chance(b"other")) for state in states]
    assert any(pack(state) != pack(other) for state, other in zip(states, others, strict=True))


@cases("name", GAMES)
def test_a_game_says_what_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert name.isascii()
    assert name == name.casefold()
    assert game.version >= 1
    assert next(iter(game.bots)) == "zombie"
    assert not isinstance(game.bots, Lineup) or list(game.bots) == list(game.bots.loaded)
    assert game.refusals >= COMMON_REFUSALS
    assert [
        options for options in option_sets(game) if game.check(options, game.seats[-1]) is not None
    ] == []


@cases("name", GAMES)
def test_events_are_not_taken_for_entries(name: str) -> None:
    """Both come in one stream, told apart by their tags."""
    around = tags(Entry | RoundOver | MatchOver)
    assert tags(GAMES[name].event_type).isdisjoint(around)


def tags(union: Any) -> set[str]:
    kinds = get_args(union) or (union,)
    return {kind.__struct_config__.tag for kind in kinds}
