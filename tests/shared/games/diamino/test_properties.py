"""What holds in every state of Diamino that play can reach."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.chance import Chance
from diadem_shared.game import pack
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.table import (
    DiaminoEvent,
    Ended,
    Exchange,
    Give,
    Laid,
    Move,
    Opened,
    Pass,
    State,
    TakenBack,
    TurnPhase,
)
from diadem_shared.games.diamino.terms import BONUS_HAND
from diadem_shared.games.diamino.tiles import TILE_SETS
from tests.rig.walk import Step, walk
from tests.shared.games.diamino.positions import BONUS, BOTH, RUMMY, all_tiles, told
from tests.thoroughness import times

pytestmark = pytest.mark.slow

few = settings(max_examples=times(3, 80))


@st.composite
def rounds(draw: st.DrawFn, *games: Diamino) -> tuple[Diamino, list[Step]]:
    """A round of random play; a crowded board in few moves, as hands are large."""
    game = draw(st.sampled_from(games))
    given_options: dict[str, object] = {
        "language": draw(st.sampled_from(["de", "fr", "en"])),
        "judging": draw(st.sampled_from(["dictionary", "table"])),
    }
    if game is BONUS:
        given_options["words_score"] = draw(st.booleans())
    options = game.read_options(given_options)
    seed = draw(st.binary(min_size=4, max_size=4))
    return game, list(walk(game, options, draw(st.sampled_from(game.seats)), seed))


@few
@given(rounds(*BOTH))
def test_m1_no_tile_comes_or_goes(played: tuple[Diamino, list[Step]]) -> None:
    _, steps = played
    for step in steps:
        state: State = step.after
        assert all_tiles(state) == Counter(TILE_SETS[state.options.language].tiles)


@few
@given(rounds(RUMMY))
def test_m19_to_m21_hands_shrink_by_laying_and_grow_by_greens(
    played: tuple[Diamino, list[Step]],
) -> None:
    _, steps = played
    for step in steps:
        before, after = map(len, (step.before.hands[step.seat], step.after.hands[step.seat]))
        others = [seat for seat in range(step.seats) if seat != step.before.turn]
        for seat in others:
            assert step.before.hands[seat] == step.after.hands[seat]
        laid = told([happening.event for happening in step.told], Laid)
        if laid and step.seat == step.before.turn:
            greens = min(laid[0].greens, len(step.before.reserve))
            assert after == before - len(laid[0].play.tiles) + greens
        elif step.before.phase is TurnPhase.GIVE:
            assert before - 2 <= before - step.before.owed <= after <= before
        elif step.seat == step.before.turn:
            assert after == before


@few
@given(rounds(BONUS))
def test_m25_hands_are_12_while_the_reserve_lasts(played: tuple[Diamino, list[Step]]) -> None:
    _, steps = played
    for step in steps:
        state: State = step.after
        if state.reserve:
            assert {len(hand) for hand in state.hands} == {BONUS_HAND}
        assert [hand for hand in state.hands if len(hand) > BONUS_HAND] == []


@few
@given(rounds(BONUS))
def test_m26_to_m32_scores_are_what_the_events_and_hands_add_up_to(
    played: tuple[Diamino, list[Step]],
) -> None:
    game, steps = played
    last: State = steps[-1].after
    values = TILE_SETS[last.options.language].values
    owed = [sum(values.get(tile, 0) for tile in hand) for hand in last.hands]
    scores = [-mine for mine in owed]
    for event in (happening.event for step in steps for happening in step.told):
        if isinstance(event, Laid):
            for seat in range(len(scores)):
                scores[seat] += 10 * event.reds if seat == event.seat else 5 * event.greens
            if last.options.words_score:
                scores[event.seat] += event.points[event.seat] - 10 * event.reds
        if isinstance(event, Ended) and event.out is not None:
            scores[event.out] += sum(owed) + (50 if event.doubled else 25)
    outcome = game.outcome(game.public(last))
    assert outcome is not None
    assert list(outcome.scores) == scores


@few
@given(rounds(RUMMY))
def test_m23_m24_only_who_went_out_scores(played: tuple[Diamino, list[Step]]) -> None:
    game, steps = played
    last: State = steps[-1].after
    outcome = game.outcome(game.public(last))
    assert outcome is not None
    assert [
        (seat, score) for seat, score in enumerate(outcome.scores) if seat != last.out if score != 0
    ] == []
    assert (last.out is None) or last.hands[last.out] == ""


@few
@given(rounds(*BOTH))
def test_c4_turns_go_round(played: tuple[Diamino, list[Step]]) -> None:
    _, steps = played
    for step in steps:
        turns = step.before.turn, step.after.turn
        assert turns[1] in (turns[0], (turns[0] + 1) % step.seats)
        if turns[0] == turns[1]:
            assert (
                step.after.phase in (TurnPhase.GIVE, TurnPhase.JUDGE, TurnPhase.OVER)
                or step.after.refused
            )


@few
@given(rounds(*BOTH))
def test_m17_m23_m29_a_round_ends_when_somebody_is_out_or_nobody_lays(
    played: tuple[Diamino, list[Step]],
) -> None:
    """Counted from the moves, not from the state."""
    _, steps = played
    passes = idle = 0
    for step in steps:
        events = [happening.event for happening in step.told]
        lost = any(not event.again for event in told(events, TakenBack))
        if isinstance(step.move, Pass):
            passes, idle = passes + 1, idle + 1
        elif isinstance(step.move, Exchange) or lost:
            passes, idle = 0, idle + 1
        elif told(events, Laid):
            passes = idle = 0
        blocked = passes == 2 * step.seats or idle == 3 * step.seats
        state: State = step.after
        out = step.before.turn if not state.hands[step.before.turn] else None
        assert (state.phase is TurnPhase.OVER) == (blocked or out is not None)
        if state.phase is TurnPhase.OVER:
            assert state.out == out


@few
@given(rounds(*BOTH))
def test_m12_no_third_play_is_ever_judged(played: tuple[Diamino, list[Step]]) -> None:
    _, steps = played
    for step in steps:
        assert step.after.refused < 2 or step.after.phase is TurnPhase.OVER
        assert (step.after.phase is TurnPhase.JUDGE) == (step.after.pending is not None)


@few
@given(rounds(*BOTH), st.integers(0, 2**32))
def test_m18_what_is_dealt_otherwise_looks_the_same(
    played: tuple[Diamino, list[Step]], seed: int
) -> None:
    """Witnessed letters and those of a pending play stay in place; no unseen tile comes or goes."""
    game, steps = played
    chance = Chance(seed.to_bytes(8, "little"))
    for state in [steps[0].before, *(step.after for step in steps)]:
        seats = range(len(state.hands))
        for viewer in (None, *seats):
            other = game.resample(state, viewer, chance)
            assert pack(game.view(other, viewer)) == pack(game.view(state, viewer))
            assert all_tiles(other) == all_tiles(state)
            known = {*state.witnessed[-1 if viewer is None else viewer]}
            known |= {*(state.pending.used if state.pending else "")}
            for mine, theirs in zip(
                (*state.hands, state.reserve), (*other.hands, other.reserve), strict=True
            ):
                assert [tile for tile in known if mine.count(tile) != theirs.count(tile)] == []


@pytest.mark.parametrize("game", BOTH, ids=lambda game: game.name)
def test_random_play_reaches_all_there_is(game: Diamino) -> None:
    """So that the properties above are about something."""
    kinds = {*get_args(Move), *get_args(DiaminoEvent), "joker laid"} - {Opened}
    if game is BONUS:
        kinds.remove(Give)
    missing = set(kinds)
    for seed in range(12):
        options = game.read_options({"judging": ["dictionary", "table"][seed % 2]})
        for step in walk(game, options, 2, bytes([seed])):
            missing.discard(type(step.move))
            missing -= {type(happening.event) for happening in step.told}
            if any(letter.islower() for letter in step.after.board.letters):
                missing.discard("joker laid")
        if not missing:
            break
    assert missing == set()
