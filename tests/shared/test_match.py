"""Seats, rounds, scores and absences around a game: C-1 to C-4, and the entries they are made of."""

from unittest.mock import patch

import pytest

from diadem_shared.clock_budget import RETURN_GRACE
from diadem_shared.entries import (
    Adjudicated,
    Changed,
    Entry,
    GameClock,
    Left,
    Moved,
    Resigned,
    Returned,
    Sat,
    Setup,
    Started,
    TakenOver,
    TimedOut,
)
from diadem_shared.game import Outcome, digest, pack
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, apply, explain, open_match, replay, restore
from diadem_shared.match_events import MatchOver, RoundOver
from diadem_shared.playout import play_out
from diadem_shared.refusals import Code, RefusalError
from tests.cases import cases
from tests.sample_game import Numbers

SEED = b"a secret of the table"
DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


def fold(*entries: Entry, setup: Setup = DIAMONIAK) -> Match:
    return replay(setup, entries, SEED)


def two_seated(setup: Setup = DIAMONIAK) -> Match:
    return fold(Sat("Ana"), Sat("Bob"), setup=setup)


def started(setup: Setup = DIAMONIAK) -> Match:
    return then(two_seated(setup), Started())


def then(match: Match, *entries: Entry) -> Match:
    for entry in entries:
        match, _ = apply(match, entry, SEED)
    return match


def code(match: Match, entry: Entry) -> str:
    """Why the entry cannot follow; and that applying it says the same and changes nothing."""
    refusal = explain(match, entry)
    assert refusal is not None
    assert refusal.code in {*Code, *match.game.refusals}
    before = digest(match)
    with pytest.raises(RefusalError) as refused:
        apply(match, entry, SEED)
    assert refused.value.refusal == refusal
    assert digest(match) == before
    return refusal.code


def between_rounds() -> Match:
    setup = Setup("diamoniak", rounds=3)
    steps = play_out(setup, ["zombie", "zombie"], SEED)
    return next(step.match for step in steps if step.match.phase is Phase.BETWEEN)


# Gathering


def test_players_take_the_next_free_seat() -> None:
    assert [player.name for player in two_seated().players] == ["Ana", "Bob"]


def test_who_leaves_before_the_start_frees_her_seat() -> None:
    match = then(two_seated(), Sat("Cem"), Left(0))
    assert [player.name for player in match.players] == ["Bob", "Cem"]


def test_a_bot_may_take_a_seat() -> None:
    player = then(two_seated(), Sat("Rob", "zombie")).players[2]
    assert player.played_by == "zombie"


def test_a_table_seats_as_many_as_its_game() -> None:
    full = then(two_seated(), Sat("Cem"), Sat("Dee"))
    assert code(full, Sat("Eve")) == "table_full"


def test_two_players_of_one_name_cannot_be_told_apart() -> None:
    assert code(two_seated(), Sat("Ana")) == "name_taken"


def test_a_game_needs_its_players() -> None:
    assert code(fold(Sat("Ana")), Started()) == "too_few_players"


def test_options_are_checked_against_the_players_at_the_start() -> None:
    match = two_seated(Setup("diamoniak", options={"youngest": 3}))
    assert code(match, Started()) == "no_such_seat"


@cases(
    ("setup", "why"),
    [
        (Setup("chess"), "no_such_game"),
        (Setup("diamoniak", rounds=0), "bad_rounds"),
        (Setup("diamoniak", rounds=21), "bad_rounds"),
        (Setup("diamoniak", absent="genius"), "no_such_bot"),
        (Setup("diamoniak", options={"youngest": "Ana"}), "bad_option"),
        (Setup("diamoniak", options={"oldest": 1}), "bad_option"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(setup: Setup, why: str) -> None:
    with pytest.raises(RefusalError) as refused:
        open_match(setup)
    assert refused.value.refusal.code == why
    assert code(two_seated(), Changed(setup)) == why


def test_a_game_may_ask_for_fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Numbers()
    game.most_rounds = 3
    monkeypatch.setitem(GAMES, game.name, game)
    open_match(Setup(game.name, rounds=3))
    with pytest.raises(RefusalError) as refused:
        open_match(Setup(game.name, rounds=4))
    assert refused.value.refusal.about == {"most": 3}


def test_the_setup_may_change_before_the_start() -> None:
    other = Setup("piratatak", rounds=3)
    assert then(two_seated(), Changed(other)).setup == other
    assert code(started(), Changed(other)) == "already_started"


def test_no_game_is_changed_to_whose_bots_are_not_those_who_sit() -> None:
    match = then(two_seated(), Sat("Rob", "strong"))
    zombies = next(game for game in GAMES.values() if game.name != "diamoniak")
    bots = {level: bot for level, bot in zombies.bots.items() if level != "strong"}
    with patch.object(zombies, "bots", bots):
        assert code(match, Changed(Setup(zombies.name))) == "no_such_bot"


def test_a_bot_nobody_knows_is_refused() -> None:
    assert code(two_seated(), Sat("Rob", "genius")) == "no_such_bot"
    assert code(started(), TakenOver(0, "genius")) == "no_such_bot"


# Phases


@cases("entry", [Moved(0, "draw"), TimedOut(0), Returned(0), Adjudicated()])
def test_before_the_start_nobody_plays(entry: Entry) -> None:
    assert code(two_seated(), entry) == "not_started"


@cases("entry", [Sat("Cem"), Left(0), Changed(DIAMONIAK), Started()])
def test_a_running_round_is_not_begun_again(entry: Entry) -> None:
    assert code(started(), entry) == "already_started"


@pytest.mark.parametrize("entry", [Sat("Cem"), Left(0), Moved(0, "draw")])
def test_between_rounds_nobody_moves_and_nobody_joins(entry: Entry) -> None:
    assert code(between_rounds(), entry) == "between_rounds"


@cases("entry", [Sat("Cem"), Started(), Moved(0, "draw"), Returned(0), Adjudicated()])
def test_nothing_follows_on_the_end(entry: Entry) -> None:
    assert code(then(started(), Adjudicated()), entry) == "match_over"


# Moves


def test_a_move_is_an_entry_in_notation() -> None:
    match, told = apply(started(), Moved(0, "draw"), SEED)
    assert told
    assert match.state != started().state


@cases(
    ("entry", "why"),
    [
        (Moved(0, "stop"), "must_draw_first"),
        (Moved(0, "fly"), "unreadable"),
        (Moved(1, "draw"), "not_your_turn"),
        (Moved(7, "draw"), "no_such_seat"),
        (Moved(-1, "draw"), "no_such_seat"),
    ],
)
def test_a_refused_move_changes_nothing(entry: Entry, why: str) -> None:
    assert code(started(), entry) == why


# C-1


def test_c1_scores_add_up_over_rounds_and_the_most_wins() -> None:
    *_, last = play_out(Setup("diamoniak", rounds=5), ["zombie"] * 3, SEED)
    assert last.match.phase is Phase.OVER
    assert sum(last.match.totals.scores) == 5
    assert last.told[-1].event == MatchOver(last.match.totals, last.match.totals.winners)
    assert last.told[-2].event == RoundOver(last.match.rounds[-1])


@pytest.mark.parametrize("rounds", [1, 20])
def test_c1_a_match_has_the_agreed_number_of_rounds(rounds: int) -> None:
    *_, last = play_out(Setup("diamoniak", rounds=rounds), ["zombie"] * 2, SEED)
    assert len(last.match.rounds) == rounds


def test_c1_the_next_round_is_started_by_the_next_seat() -> None:
    setup = Setup("diamoniak", rounds=4, options={"youngest": 2})
    steps = play_out(setup, ["zombie"] * 3, SEED)
    openers = [step.match.actors[0] for step in steps if step.entry == Started()]
    assert openers == [2, 0, 1, 2]


# C-2


@pytest.mark.parametrize("absence", [TimedOut(1), Resigned(1)])
def test_c2_an_absent_player_is_played_on_as_the_table_chose(absence: Entry) -> None:
    match = then(started(), absence)
    assert match.players[1].played_by == DIAMONIAK.absent
    assert match.players[1].name == "Bob"


def test_c2_her_goods_stay_in_play_and_she_may_take_the_seat_back() -> None:
    playing = then(started(), Moved(0, "draw"))
    back = then(playing, Resigned(0), Returned(0))
    assert back.players[0].played_by is None
    assert back.state == playing.state


def test_c2_a_seat_can_be_handed_to_a_bot_and_back() -> None:
    away = then(started(), TakenOver(0, "zombie"))
    assert away.players[0].played_by == "zombie"
    assert then(away, Returned(0)).players[0].played_by is None


def test_c2_who_is_not_away_does_not_come_back() -> None:
    assert code(started(), Returned(0)) == "already_back"


def test_c2_who_ran_out_of_time_comes_back_to_little_of_it() -> None:
    match = then(started(Setup("diamoniak", clock=GameClock(600))), TimedOut(1), Returned(1))
    assert match.left == (600_000, RETURN_GRACE)


def test_c2_absence_lasts_over_rounds() -> None:
    match = then(between_rounds(), Resigned(1), Started())
    assert match.players[1].stand_in == "zombie"


# C-3, adjudication


@cases(
    ("outcome", "winners"),
    [
        (Outcome((3, 1, 3), (0, 0, 0)), (0, 2)),
        (Outcome((3, 1, 3), (4, 9, 5)), (2,)),
        (Outcome((-5, -2), (0, 0)), (1,)),
        (Outcome((0, 0), (0, 0)), (0, 1)),
    ],
)
def test_c3_ties_are_shared(outcome: Outcome, winners: tuple[int, ...]) -> None:
    assert outcome.winners == winners


def test_an_adjudicated_match_counts_only_what_was_played_out() -> None:
    one_round = between_rounds()
    match = then(one_round, Started(), Adjudicated())
    assert match.phase is Phase.OVER
    assert match.totals == one_round.rounds[0]
    assert match.actors == ()


# The fold


def test_entries_and_seed_lead_to_the_same_match_and_another_seed_does_not() -> None:
    entries = [step.entry for step in play_out(DIAMONIAK, ["zombie"] * 2, SEED)]
    assert digest(replay(DIAMONIAK, entries, SEED)) == digest(replay(DIAMONIAK, entries, SEED))
    opening: list[Entry] = [Sat("Ana"), Sat("Bob"), Started()]
    assert digest(replay(DIAMONIAK, opening, SEED)) != digest(replay(DIAMONIAK, opening, b"other"))


@pytest.mark.parametrize("match", [two_seated(), started(), between_rounds()])
def test_a_match_can_be_written_down_at_any_time(match: Match) -> None:
    assert restore(pack(match)) == match
