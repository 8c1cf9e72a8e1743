"""The names of bots: everybody's own, and the same again for the same seed."""

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.bot_names import BOT_NAMES, name_for_bot
from diadem_shared.games import GAMES
from diadem_shared.protocol import LONGEST_NAME

seeds = st.binary(min_size=1, max_size=32)


@given(seed=seeds)
def test_no_two_bots_of_a_table_have_one_name(seed: bytes) -> None:
    named: list[str] = []
    for _ in range(len(BOT_NAMES) + 3):
        named.append(name_for_bot(seed, named))
    assert len({*named}) == len(named)
    assert {*named[: len(BOT_NAMES)]} == {*BOT_NAMES}


@given(seed=seeds, taken=st.frozensets(st.sampled_from(BOT_NAMES)))
def test_a_name_is_the_same_again_and_nobody_elses(seed: bytes, taken: frozenset[str]) -> None:
    assert name_for_bot(seed, taken) == name_for_bot(seed, taken)
    assert name_for_bot(seed, taken) not in taken


def test_names_differ_from_table_to_table() -> None:
    assert len({name_for_bot(bytes([key]), ()) for key in range(50)}) > 10


def test_there_are_enough_short_names() -> None:
    assert len({*BOT_NAMES}) == len(BOT_NAMES)
    assert len(BOT_NAMES) >= max(game.seats[-1] for game in GAMES.values())
    assert [name for name in BOT_NAMES if len(name) > LONGEST_NAME // 2] == []
