"""M-18: what is hidden stays hidden; and a leak would be noticed."""

from collections import Counter, deque
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Happening, Seat, Viewer
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.table import (
    Cause,
    DiaminoEvent,
    Hand,
    Move,
    PublicState,
    PutBack,
    State,
    Took,
)
from diadem_shared.games.diamino.terms import RuleSet
from tests.rig import Broken
from tests.rig.interference import check_interference
from tests.rig.walk import options_for, walk
from tests.shared.games.diamino.positions import (
    DICTIONARY,
    RUMMY,
    TABLE,
    after,
    all_tiles,
    play,
    position,
)
from tests.thoroughness import times

Told = Sequence[Happening[DiaminoEvent]]


# What a seat can know of the others' tiles


def hands_thought_possible(state: State, viewer: Viewer, of: Seat) -> set[str]:
    return {
        RUMMY.resample(state, viewer, Chance(seed.to_bytes(2, "little"))).hands[of]
        for seed in range(300)
    }


def test_m18_a_hand_may_hold_anything_unseen() -> None:
    state = position("AB", "CD", reserve="EF")
    assert hands_thought_possible(state, 0, of=1) == {"CD", "CE", "CF", "DE", "DF", "EF"}
    assert hands_thought_possible(state, 0, of=0) == {"AB"}
    assert len(hands_thought_possible(state, None, of=0)) == 15


def test_m18_open_hands_leave_nothing_to_guess() -> None:
    state = position("AB", "CD", reserve="EF", options=replace(DICTIONARY, open_hands=True))
    assert hands_thought_possible(state, 0, of=1) == {"CD"}


def test_m18_nothing_is_guessed_once_the_hands_lie_open() -> None:
    state = after(position("AB", "CD", reserve="EF"), *["pass"] * 4)
    assert hands_thought_possible(state, 0, of=1) == {"CD"}


def test_m12_a_play_that_is_judged_came_from_its_players_hand() -> None:
    state = after(position("XYZ", "CD", reserve="EF", options=TABLE), "lay D1 across X")
    possible = hands_thought_possible(state, 1, of=0)
    assert [hand for hand in possible if "X" not in hand] == []
    assert len(possible) > 1


def test_m12_a_refused_play_is_remembered_by_all_who_saw_it() -> None:
    state = after(
        position("XYZ", "CD", "B", reserve="EF", options=TABLE),
        "lay D1 across X",
        "2: object",
        "3: object",
    )
    assert state.witnessed == ("", "X", "X", "X")
    for viewer in (1, 2, None):
        assert [
            hand for hand in hands_thought_possible(state, viewer, of=0) if "X" not in hand
        ] == []


def test_m13_who_gives_tiles_back_knows_them_and_nobody_else_does() -> None:
    state = after(position("AB", "CD", reserve="EF"), "exchange B")
    assert state.witnessed == ("B", "", "")
    assert [hand for hand in hands_thought_possible(state, 0, of=1) if "B" in hand] == []
    assert any("B" in hand for hand in hands_thought_possible(state, 1, of=0))


def test_m13_nothing_that_was_given_back_is_forgotten() -> None:
    state = after(position("AB", "CD", reserve="EF"), "exchange B", "exchange D", "exchange A")
    assert state.witnessed == ("AB", "D", "")


def test_m21_so_it_is_with_tiles_given_for_reds() -> None:
    state = after(position("EXY", "CD", reserve="F"), "lay C2 across E", "give X")
    assert state.witnessed == ("X", "", "")


def test_resampling_keeps_how_many_there_are() -> None:
    state = position("ABB", "CCD", "Q", reserve="EF**")
    other = RUMMY.resample(state, 2, Chance(b"other"))
    assert [len(hand) for hand in other.hands] == [3, 3, 1]
    assert all_tiles(other) == all_tiles(state)
    assert other.hands[2] == "Q"


@pytest.mark.parametrize("typed", ["exchange AB", "lay B2 across R"])
def test_m18_which_tiles_come_is_told_to_their_owner_only(typed: str) -> None:
    state = position("ABR", "C", reserve="EFG")
    _, happenings = RUMMY.play(state, 0, RUMMY.parse(typed), Chance(b"told"))
    moved = [each for each in happenings if isinstance(each.event, Took | PutBack)]
    assert moved
    for each in moved:
        own, theirs, watched = (each.told(viewer) for viewer in (0, 1, None))
        assert isinstance(own, Took | PutBack)
        assert own.tiles is not None
        assert theirs == watched == replace(own, tiles=None)


def test_m18_with_open_hands_all_is_told_to_all() -> None:
    opened = replace(DICTIONARY, open_hands=True)
    state = position("ABR", "C", reserve="E", options=opened)
    _, happenings = RUMMY.play(state, 0, RUMMY.parse("exchange A"), Chance(b"told"))
    assert [each.told(None) for each in happenings] == [
        Took(0, 1, "E", Cause.EXCHANGE),
        PutBack(0, 1, "A", Cause.EXCHANGE),
    ]


def test_nothing_tells_what_a_reserve_hands_out_next() -> None:
    """It lies sorted, and chance takes from anywhere in it."""
    state = position("AR", "C", reserve="GFE")
    assert state.reserve == "EFG"
    taken: Counter[str] = Counter()
    for seed in range(300):
        hand = play(state, "exchange A", seed=seed.to_bytes(2, "little"))[0].hands[0]
        taken[hand.replace("R", "")] += 1
    assert [tile for tile in "EFG" if not (60 < taken[tile] < 140)] == []


# Leaks, planted


class TellsAllWhatIsTaken(Diamino):
    """Its events name the tiles to everybody, though hands are hidden."""

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        moved, told = super().carry_out(state, seat, move, chance)
        return moved, [Happening(each.fuller or each.event) for each in told]


class TableWithMore(PublicState, frozen=True, kw_only=True):
    more: str


class _ShowsMore(Diamino):
    def more(self, state: State) -> str:
        raise NotImplementedError

    def public(self, state: State) -> PublicState:
        table = super().public(state)
        seen = {name: getattr(table, name) for name in table.__struct_fields__}
        return TableWithMore(**seen, more=self.more(state))


class ShowsTheReserve(_ShowsMore):
    def more(self, state: State) -> str:
        return state.reserve


class ShowsHowTheHandsAreSorted(_ShowsMore):
    """No tile, only an order that depends on them."""

    def more(self, state: State) -> str:
        return "".join(str(state.hands.index(hand)) for hand in sorted(state.hands))


class CountsByTheReserve(Diamino):
    def public(self, state: State) -> PublicState:
        table = super().public(state)
        return replace(table, idle=table.idle + (state.reserve[-1:] > "T"))


class ShowsTheHandOfTheMover(Diamino):
    def private(self, state: State, seat: Seat) -> Hand:
        return Hand(state.hands[state.turn])


class ShowsWhatAPlayLeaves(Diamino):
    """A play that waits to be judged shows the hand it leaves behind."""

    def public(self, state: State) -> PublicState:
        return replace(super().public(state), pending=state.pending)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RuleSet)
@pytest.mark.parametrize(
    "leak",
    [
        ShowsTheReserve,
        ShowsHowTheHandsAreSorted,
        CountsByTheReserve,
        ShowsTheHandOfTheMover,
        ShowsWhatAPlayLeaves,
    ],
)
def test_a_leak_of_tiles_is_noticed(leak: type[Diamino], rules: RuleSet) -> None:
    game = leak(rules)
    judged_first = sorted(range(16), key=lambda seed: options_for(game, seed).judging, reverse=True)
    with pytest.raises(Broken, match="no view shows what is hidden"):
        deque((check_interference(game, seed) for seed in judged_first), maxlen=0)  # all options


def tells_strangers_tiles(game: Diamino, seed: int) -> bool:
    """Took may disclose its tiles, so the rig lets it; to whom is for this to see."""
    options = game.read_options({"judging": "dictionary"})
    return any(
        getattr(happening.told(viewer), "tiles", None) is not None
        for step in walk(game, options, 3, bytes([seed]))
        for happening in step.told
        for viewer in (None, *range(3))
        if viewer != step.seat
    )


@pytest.mark.slow
@pytest.mark.parametrize("rules", RuleSet)
def test_m18_tiles_that_come_and_go_are_told_to_no_stranger(rules: RuleSet) -> None:
    assert [
        seed for seed in range(times(2, 20)) if tells_strangers_tiles(Diamino(rules), seed)
    ] == []
    assert tells_strangers_tiles(TellsAllWhatIsTaken(rules), 0)
