"""What every game must keep to, checked along random play and whole matches of its bots."""

import copy
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec

from diadem_shared.advice import Evaluation, Reason
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Setup, rounds_of
from diadem_shared.game import AnyAdviser, AnyBot, AnyGame, Seat, digest, pack
from diadem_shared.match import Phase, apply, open_match, replay, restore
from diadem_shared.playout import play_out
from diadem_shared.refusals import INTEGER, STRING, RefusalError
from tests.rig import Broken, require
from tests.rig.walk import Step, options_for, seats_for, walk
from tests.thoroughness import times

LONGEST_MATCH = 50_000
LONGEST_BOT_ROUND = 2_000
"""Moves of a round among bots that want it to end; the longest of many thousand had some hundreds."""
WIDEST_CHOICE = times(100, 500)
"""How many of a seat's moves are listed; a game may have millions."""
MOST_CHOICES = 3_000
"""Moves that a client is told at once: all threes of the 24 parts, currency and shield of a castle player who holds everything."""
LIGHT_EVERY = times(3, 1)
"""At how many states bots and advisers are asked once."""
HEAVY_EVERY = times(16, 5)
"""At how many one that thinks for long is."""
SLOW_EVERY = 8 * HEAVY_EVERY
"""At how many one that takes up to a second is."""
POOL = times(10, 40)
"""How many moves from elsewhere are tried at every state."""


def check_round(game: AnyGame, seed: int) -> None:
    """One round of random play, every promise tried at every step."""
    key = seed.to_bytes(4, "big")
    options, seats = options_for(game, seed), seats_for(game, seed)
    steps = list(walk(game, options, seats, key))
    pool = list({game.notate(step.move): step.move for step in steps}.values())
    picker = Chance(key, "pool")
    listed = []
    for number, step in enumerate(steps):
        strangers = [picker.pick(pool) for _ in range(min(POOL, len(pool)))]
        check_twin(game, step, key)
        listed.append(check_moves(game, step, strangers))
        check_written(game, step)
        check_resample(game, step.before, seats, key)
        ended = number == len(steps) - 1
        check_outcome(game, step.after, seats, ended=ended)
    check_bots(game, steps, listed, key)
    check_advice(game, steps, key)


def check_twin(game: AnyGame, step: Step, seed: bytes) -> None:
    """A state written down and restored is the same state, and goes on in the same way."""
    before = digest(step.before)
    twin = game.restore(pack(step.before))
    require(twin == step.before, "a restored state equals its original", step.before, twin)
    require(digest(twin) == before, "a restored state has the same digest", step.before, twin)
    after, told = game.play(twin, step.seat, step.move, Chance(seed, step.chance))
    require(after == step.after, "a restored state goes on as its original", step.move, after)
    require(list(told) == list(step.told), "a restored state tells the same", step.told, told)
    require(digest(step.before) == before, "a move changes no state, it makes a new one", step)


def check_moves(game: AnyGame, step: Step, strangers: Iterable[Any]) -> Sequence[Any]:
    """`moves`, `explain` and `play` agree on what is allowed, for whoever asks.

    The moves of the seat that went on to move, no more than are looked at.
    """
    state = step.before
    listed: Sequence[Any] = ()
    public = game.public(state)
    actors = game.actors(public)
    require(actors == tuple(sorted(set(actors))), "actors are seats in order, each once", actors)
    for seat in range(step.seats):
        view = game.view(state, seat)
        moves = list(islice(game.moves(view), WIDEST_CHOICE))
        texts = {game.notate(move) for move in moves}
        require(
            len(texts) == len(moves), "each move is listed once, under a text of its own", moves
        )
        require((seat in actors) == bool(moves), "actors have moves, and only they", seat, moves)
        _check_choices(game, view, moves)
        for move in moves[:POOL]:
            require(game.explain(view, move) is None, "a listed move is not refused", seat, move)
            require(
                re.fullmatch(game.moves_like, game.notate(move)) is not None,
                "a move is written as the game says",
                move,
            )
            require(game.parse(game.notate(move)) == move, "the text of a move gives it back", move)
            game.play(state, seat, move, Chance(b"try"))
        for move in strangers:
            _check_stranger(game, state, seat, move, moves)
        if seat == step.seat:
            listed = moves
    return listed


def _check_choices(game: AnyGame, view: Any, moves: Sequence[Any]) -> None:
    """What a client is told it may do: all of `moves`, or as many as can be listed, and how the rest begins."""
    choices = game.choices(view)
    require(len(choices.moves) <= MOST_CHOICES, "no list of moves grows long", len(choices.moves))
    listed = [game.parse(text) for text in choices.moves]
    require(len(set(choices.moves)) == len(listed), "each choice is listed once", choices)
    for move in listed:
        require(game.explain(view, move) is None, "a listed choice is not refused", move)
    for move in moves:
        word = game.notate(move).partition(" ")[0]
        require(
            move in listed or word in choices.others, "what is not listed is named", move, choices
        )


def _check_stranger(game: AnyGame, state: Any, seat: Seat, move: Any, moves: Sequence[Any]) -> None:
    view = game.view(state, seat)
    refusal = game.explain(view, move)
    try:
        game.play(state, seat, move, Chance(b"try"))
    except RefusalError as refused:
        require(refusal == refused.refusal, "play refuses as explain does", move, refusal, refused)
    else:
        require(refusal is None, "what is explained away is not played", move, refusal)
    if seat not in game.actors(game.public(state)):
        require(refusal is not None, "only actors may act", seat, move)
    if refusal is not None:
        require(refusal.code in game.refusals, "the game lists its refusals", refusal)
    elif len(moves) < WIDEST_CHOICE:
        require(move in moves, "moves lists all that explain allows", move)


def check_written(game: AnyGame, step: Step) -> None:
    """Moves, events and views come back from the wire as they were."""
    _written(step.move, game.move_type)
    for happening in step.told:
        _written(happening.event, game.event_type)
        if happening.fuller is not None:
            _written(happening.fuller, game.event_type)
    _written(game.public(step.after), game.public_type)
    for seat in range(step.seats):
        private = game.private(step.after, seat)
        if private is not None:
            _written(private, game.private_type)


def _written(value: Any, type_: Any) -> None:
    try:
        back = msgspec.msgpack.decode(pack(value), type=type_)
    except msgspec.MsgspecError as error:
        raise Broken(f"{value!r} cannot be read back: {error}") from error
    require(back == value, "what is written down is read back the same", value, back)


def check_resample(game: AnyGame, state: Any, seats: int, seed: bytes) -> None:
    for viewer in [None, *range(seats)]:
        other = game.resample(state, viewer, Chance(seed, f"resample {viewer}"))
        require(
            pack(game.view(other, viewer)) == pack(game.view(state, viewer)),
            "a resampled state looks the same to its viewer",
            viewer,
            game.view(state, viewer),
            game.view(other, viewer),
        )


def check_outcome(game: AnyGame, state: Any, seats: int, *, ended: bool) -> None:
    public = game.public(state)
    outcome = game.outcome(public)
    require((outcome is not None) == ended, "a round has an outcome when it has ended", outcome)
    require((not game.actors(public)) == ended, "nobody acts in a round that has ended", public)
    if outcome is not None:
        require(len(outcome.scores) == seats, "every seat has a score", outcome)
        require(len(outcome.tiebreaks) == seats, "every seat has a tiebreak", outcome)


def check_bots(
    game: AnyGame, steps: Sequence[Step], listed: Sequence[Sequence[Any]], seed: bytes
) -> None:
    """Every bot, put at any seat of any state it has seen grow, makes a move that is allowed."""
    for level, make in game.bots.items():
        minds = [make(Chance(seed, f"{level} {seat}")) for seat in range(steps[0].seats)]
        for number, step in enumerate(steps):
            mind = minds[step.seat]
            every = SLOW_EVERY if mind.slow else HEAVY_EVERY if mind.heavy else LIGHT_EVERY
            if number % every == 0:
                _check_choice(game, level, mind, step, listed[number])
            for seat, each in enumerate(minds):
                for happening in step.told:
                    each.see(happening.told(seat))


def _check_choice(
    game: AnyGame, level: str, mind: AnyBot, step: Step, moves: Sequence[Any]
) -> None:
    view = game.view(step.before, step.seat)
    decision = mind.decide(view)
    choice = decision.move
    refusal = game.explain(view, choice)
    require(refusal is None, "a bot makes allowed moves", level, choice, refusal)
    _check_reasons(game, decision.reasons)
    complete = len(moves) < WIDEST_CHOICE
    require(choice in moves or not complete, "moves lists what bots play", level, choice)


def _check_reasons(game: AnyGame, reasons: Sequence[Reason]) -> None:
    codes = {str(code): code for code in game.reasons}
    require(reasons or not codes, "every move has a reason", reasons)
    for reason in reasons:
        require(reason.code in codes, "the game lists its reasons", reason)
        kinds = {key: _kind(value) for key, value in reason.about.items()}
        require(kinds == dict(codes[reason.code].about), "a reason is about what it says", reason)


def _kind(value: object) -> str:
    return INTEGER if isinstance(value, int) else STRING if isinstance(value, str) else "strings"


def check_advice(game: AnyGame, steps: Sequence[Step], seed: bytes) -> None:
    """An adviser knows no more than who is advised, and plays what it advises."""
    advisers = [game.adviser(Chance(seed, f"advice {seat}")) for seat in range(steps[0].seats)]
    for number, step in enumerate(steps):
        adviser = advisers[step.seat]
        if adviser and number % (2 * HEAVY_EVERY if adviser.heavy else LIGHT_EVERY) == 0:
            _check_advice(game, adviser, step, Chance(seed, f"other {number}"))
        for seat, each in enumerate(advisers):
            if each:
                for happening in step.told:
                    each.see(happening.told(seat))


def _check_advice(game: AnyGame, adviser: AnyAdviser, step: Step, chance: Chance) -> None:
    """Each time asked as a copy, as servers do."""
    view = game.view(step.before, step.seat)
    other = game.view(game.resample(step.before, step.seat, chance), step.seat)
    advice = copy.deepcopy(adviser).evaluate(view, 3)
    moves = [each.move for each in advice]
    require(
        0 < len(moves) == len(set(map(game.notate, moves))) <= 3, "moves are advised once", moves
    )
    values = [each.value for each in advice]
    require(values == sorted(values, reverse=True), "the best advice comes first", advice)
    for each in advice:
        require(game.explain(view, each.move) is None, "an advised move is allowed", each)
        _check_reasons(game, each.reasons)
    _check_besides(adviser, view, advice, game.any_move(view, chance))
    decision = copy.deepcopy(adviser).decide(other)
    require(decision.move == moves[0], "an adviser plays what it advises", decision, advice)
    require(decision.reasons == advice[0].reasons, "and for the same reasons", decision, advice)


def _check_besides(
    adviser: AnyAdviser, view: Any, advice: Sequence[Evaluation[Any]], besides: Any
) -> None:
    """A move that is asked for besides is weighed like the others, unless there is nothing to weigh."""
    more = copy.deepcopy(adviser).evaluate(view, 3, besides)
    values = [each.value for each in more]
    require(values == sorted(values, reverse=True), "the best advice comes first", more)
    require({each.value for each in advice} <= {*values}, "the others stay", advice, more)
    is_there = any(each.move == besides for each in more)
    require(is_there or len(advice) == 1, "what is asked for is weighed", besides, more)


def check_level(game: AnyGame, level: str, seed: int) -> None:
    """A round in which bots of one level have every seat ends by what they do, not by a bound on moves (C-5)."""
    key = seed.to_bytes(4, "big")
    setup = Setup(game.name, options=msgspec.to_builtins(options_for(game, seed)))
    most = min(game.most_moves or LONGEST_BOT_ROUND, LONGEST_BOT_ROUND)
    steps = play_out(setup, [level] * seats_for(game, seed), key)
    moves = sum(1 for step in islice(steps, most) if isinstance(step.entry, Moved))
    over = next(steps, None) is None
    require(over, "bots of one level bring a round to its end", level, setup, moves)


def check_match(game: AnyGame, seed: int, *, rounds: int = 2) -> None:
    """A match of zombies ends, adds up, and can be replayed and restored at every entry."""
    key = seed.to_bytes(4, "big")
    rounds = min(rounds, rounds_of(game)[-1])
    options = msgspec.to_builtins(options_for(game, seed))
    setup = Setup(game.name, options=options, rounds=rounds)
    entries: list[Entry] = []
    match = open_match(setup)
    for step in islice(play_out(setup, ["zombie"] * seats_for(game, seed), key), LONGEST_MATCH):
        twin, _ = apply(restore(pack(match)), step.entry, key)
        require(twin == step.match, "a restored match goes on as its original", step.entry)
        entries.append(step.entry)
        match = step.match
    require(match.phase is Phase.OVER, "a match of zombies comes to its end", setup, len(entries))
    require(len(match.rounds) == rounds, "every round was played", match.rounds)
    for seat, total in enumerate(match.totals.scores):
        each = [outcome.scores[seat] for outcome in match.rounds]
        require(sum(each) == total, "scores add up over rounds", seat, each, total)
    require(
        digest(replay(setup, entries, key)) == digest(match),
        "entries and seed lead to the same match again",
        setup,
    )
