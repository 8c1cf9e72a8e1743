"""A match around a game: players, rounds, scores (C-1 to C-4).

A match is the fold of its entries: they and the secret seed lead to the same match again, wherever
and whenever.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from diadem_shared import clock_budget, hints, lesson
from diadem_shared.chance import Chance
from diadem_shared.entries import (
    Absence,
    Adjudicated,
    Changed,
    Entry,
    GameClock,
    Hinted,
    Left,
    Lost,
    Moved,
    OfSeat,
    Resigned,
    Returned,
    Sat,
    Sealed,
    Setup,
    Started,
    TakenOver,
    TimedOut,
    rounds_of,
)
from diadem_shared.game import AnyGame, Happening, Outcome, Seat, under
from diadem_shared.games import GAMES
from diadem_shared.match_events import MatchOver, RoundOver, Stalled
from diadem_shared.refusals import Code, Refusal, RefusalError
from diadem_shared.shuffle import commitment_of_server, opens, seed_of_round


class Player(Struct, frozen=True):
    name: str
    bot: str | None = None
    """The level of a player that is a bot from the start."""
    stand_in: str | None = None
    """The level of the bot that plays on while the player is away."""

    @property
    def played_by(self) -> str | None:
        """The level of the bot whose moves these are now; None for the player themselves."""
        return self.stand_in or self.bot


class Phase(StrEnum):
    GATHERING = "gathering"
    PLAYING = "playing"
    BETWEEN = "between"  # a round is over, another will come
    OVER = "over"

    @property
    def is_before_round(self) -> bool:
        """Whether a round may be dealt now."""
        return self in {Phase.GATHERING, Phase.BETWEEN}


class RoundChance(Struct, frozen=True):
    """The chance of a round to which players have added."""

    seed: bytes
    moves: int = 0
    """Made in this round. Nothing but a move changes what chance the next one has."""


class Match(Struct, frozen=True):
    setup: Setup
    players: tuple[Player, ...] = ()
    phase: Phase = Phase.GATHERING
    rounds: tuple[Outcome, ...] = ()
    opener: Seat | None = None
    """Who began the round that was dealt last."""
    state: Any = None
    """The game's own state, from the first deal on."""
    left: tuple[int, ...] = ()
    """Milliseconds each seat has left in this round, where the clock is a GameClock."""
    entries: int = 0
    sealed: tuple[str, ...] | UnsetType = UNSET
    """By seat the commitments to what is added to the next round; unset until nobody changes them any more. What is unset
    is not in the digest, which is so the same as that of older versions."""
    chance: RoundChance | UnsetType = UNSET
    """Unset where nobody has added to the round."""
    hints: tuple[int, ...] | UnsetType = UNSET
    """By seat, how many were given; unset before the first."""
    rules: int | UnsetType = UNSET
    """The version of the rules; unset for the first, in which nothing was kept of it."""
    moves: int | UnsetType = UNSET
    """Made in this round; unset where the rules set no bound to them (C-5)."""

    @property
    def game(self) -> AnyGame:
        game = GAMES[self.setup.game]
        version = 1 if self.rules is UNSET else self.rules
        return game if version >= game.version else under(game, version)

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that may move now."""
        if self.phase is not Phase.PLAYING:
            return ()
        return self.game.actors(self.game.public(self.state))

    @property
    def commitments(self) -> tuple[str, ...]:
        """By seat, of those who add to the next round; none before they are sealed."""
        return () if self.sealed is UNSET else self.sealed

    @property
    def totals(self) -> Outcome:
        """C-1: scores add up over rounds."""
        return add_up(self.rounds, len(self.players))


def add_up(rounds: Sequence[Outcome], seats: int) -> Outcome:
    return Outcome(
        scores=tuple(sum(each.scores[seat] for each in rounds) for seat in range(seats)),
        tiebreaks=tuple(sum(each.tiebreaks[seat] for each in rounds) for seat in range(seats)),
    )


Told: TypeAlias = tuple[Happening[Any], ...]

ALLOWED: dict[Phase, tuple[type[Entry], ...]] = {
    Phase.GATHERING: (Sat, Left, Changed, Sealed, Started),
    Phase.PLAYING: (Moved, Hinted, TimedOut, Lost, Resigned, TakenOver, Returned, Adjudicated),
    Phase.BETWEEN: (Sealed, Started, Lost, Resigned, TakenOver, Returned, Adjudicated),
    Phase.OVER: (),
}
"""The entries that each phase knows; anything else is refused and changes nothing."""

OUT_OF_PHASE = {
    Phase.GATHERING: Code.NOT_STARTED,
    Phase.PLAYING: Code.ALREADY_STARTED,
    Phase.BETWEEN: Code.BETWEEN_ROUNDS,
    Phase.OVER: Code.MATCH_OVER,
}


def open_match(setup: Setup) -> Match:
    """A new match. Raises RefusalError if no number of players could start it."""
    if refusal := explain_setup(setup):
        raise RefusalError(refusal)
    return reopen_match(setup, GAMES[setup.game].version)


def reopen_match(setup: Setup, version: int) -> Match:
    """A match that is restored, whose setup was agreed on under the rules of its time. Of a version that is not known here
    its game has another."""
    if refusal := _against_setup(setup):
        raise RefusalError(refusal)
    return Match(setup, rules=UNSET if version == 1 else version)


def explain_setup(setup: Setup) -> Refusal | None:
    """Why a table cannot be made with this setup, or changed to it; None if it can."""
    if refusal := _against_setup(setup):
        return refusal
    if lesson.is_lesson(setup) and not lesson.is_sound(setup):
        return Refusal(Code.LESSON_IS_FIXED)
    game = GAMES[setup.game]
    try:
        return game.check_new(game.read_options(setup.options))
    except RefusalError as refused:
        return refused.refusal


def explain(match: Match, entry: Entry, *, recorded: bool = False) -> Refusal | None:
    """None if the entry can follow on this match. Moves are explained by their game, and what is newly
    agreed on by `explain_setup` besides. `recorded`: it comes from a journal, and was allowed at its time."""
    if type(entry) not in ALLOWED[match.phase]:
        return Refusal(OUT_OF_PHASE[match.phase])
    if isinstance(entry, OfSeat) and entry.seat not in range(len(match.players)):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": entry.seat})
    match entry:
        case Moved():
            return _against_moving(match, entry, recorded=recorded)
        case Hinted(seat):
            return hints.refusal(match, seat)
        case Sat(name, bot):
            return _against_sitting(match, name, bot)
        case Changed(setup):
            return _against_changing(match, setup)
        case Sealed() | Started():
            return _against_starting(match, entry)
        case TakenOver(_, bot):
            return _against_bot(match.game, bot)
        case Returned(seat) if match.players[seat].stand_in is None:
            return Refusal(Code.ALREADY_BACK, {"seat": seat})
        case _:
            return None


def apply(match: Match, entry: Entry, seed: bytes, *, recorded: bool = False) -> tuple[Match, Told]:
    """The match after this entry, and its events. Raises RefusalError if `explain` refuses it."""
    if refusal := explain(match, entry, recorded=recorded):
        raise RefusalError(refusal)
    if isinstance(entry, Moved):
        return _move(match, entry, _chance(match, seed))
    match = replace(match, entries=match.entries + 1)
    match entry:
        case Started(openings):
            return _deal(_with_openings(match, openings, seed), seed)
        case Adjudicated():
            return _end(match, ())
        case Hinted(seat):
            return hints.counted(match, seat), ()
        case _:
            return _reseat(match, entry), ()


def replay(
    setup: Setup, entries: Iterable[Entry], seed: bytes, version: int | None = None
) -> Match:
    """By the newest rules, if no version is named."""
    match = reopen_match(setup, GAMES[setup.game].version if version is None else version)
    for entry in entries:
        match, _ = apply(match, entry, seed, recorded=True)
    return match


def restore(packed: bytes) -> Match:
    match = msgspec.msgpack.decode(packed, type=Match)
    if match.state is None:
        return match
    return replace(match, state=msgspec.convert(match.state, match.game.state_type))


# Why an entry is refused


def _against_setup(setup: Setup, players: int = 0) -> Refusal | None:
    game = GAMES.get(setup.game)
    if game is None:
        return Refusal(Code.NO_SUCH_GAME, {"game": setup.game, "games": list(GAMES)})
    if setup.rounds not in rounds_of(game):
        return Refusal(Code.BAD_ROUNDS, {"most": rounds_of(game)[-1]})
    if players > game.seats[-1]:
        return Refusal(Code.TABLE_FULL, {"seats": game.seats[-1]})
    if refusal := _against_bot(game, setup.absent):
        return refusal
    try:
        game.read_options(setup.options, strict=False)
    except RefusalError as refused:
        return refused.refusal
    return None


def _against_changing(match: Match, setup: Setup) -> Refusal | None:
    if refusal := _against_setup(setup, len(match.players)):
        return refusal
    if lesson.is_lesson(setup) or lesson.is_lesson(match.setup):
        return Refusal(Code.LESSON_IS_FIXED)
    levels = (_against_bot(GAMES[setup.game], player.bot) for player in match.players)
    return next(filter(None, levels), None)


def _against_sitting(match: Match, name: str, bot: str | None) -> Refusal | None:
    seats = match.game.seats[-1]
    if len(match.players) >= seats:
        return Refusal(Code.TABLE_FULL, {"seats": seats})
    if any(player.name == name for player in match.players):
        return Refusal(Code.NAME_TAKEN, {"name": name})
    if lesson.is_lesson(match.setup) and not lesson.has_room(len(match.players), bot):
        return Refusal(Code.LESSON_IS_FIXED)
    return _against_bot(match.game, bot)


def _against_starting(match: Match, entry: Sealed | Started) -> Refusal | None:
    if len(match.players) not in match.game.seats:
        return Refusal(Code.TOO_FEW_PLAYERS, {"need": match.game.seats[0]})
    options = match.game.read_options(match.setup.options, strict=False)
    if refusal := match.game.check(options, len(match.players)):
        return refusal
    return _against_sealing(match, entry.commitments) if isinstance(entry, Sealed) else None


def _against_sealing(match: Match, commitments: Sequence[str]) -> Refusal | None:
    """Nobody adds for a bot: it would be the host, who could choose whether to open."""
    fits = len(commitments) == len(match.players) and any(commitments)
    seats = zip(match.players, commitments, strict=False)
    is_of_bot = any(player.bot and commitment for player, commitment in seats)
    is_sealed = match.sealed is not UNSET
    return Refusal(Code.BAD_SHUFFLE) if is_sealed or is_of_bot or not fits else None


def _against_opening(match: Match, openings: Sequence[str | None], secret: bytes) -> Refusal | None:
    if len(openings) != len(match.commitments):
        return Refusal(Code.BAD_SHUFFLE)
    for seat, opening in enumerate(openings):
        fits = bool(match.commitments[seat]) == (opening != "")
        if not fits or (opening and not is_opening(match, seat, opening, secret)):
            return Refusal(Code.BAD_SHUFFLE, {"seat": seat})
    return None


def is_opening(match: Match, seat: Seat, opening: str, secret: bytes) -> bool:
    """Whether this is what the seat has committed to."""
    if match.sealed is UNSET or not match.sealed[seat]:
        return False
    server, name = commitment_of_server(secret), match.players[seat].name
    return opens(match.sealed[seat], opening, server, len(match.rounds), name)


def _against_moving(match: Match, entry: Moved, *, recorded: bool) -> Refusal | None:
    try:
        move = match.game.parse(entry.move)
    except RefusalError as refused:
        return refused.refusal
    explain_move = match.game.explain_recorded if recorded else match.game.explain
    return explain_move(match.game.view(match.state, entry.seat), move)


def _against_bot(game: AnyGame, bot: str | None) -> Refusal | None:
    if bot is None or bot in game.bots:
        return None
    return Refusal(Code.NO_SUCH_BOT, {"bot": bot, "bots": list(game.bots)})


# What an entry does


def _chance(match: Match, secret: bytes) -> Chance:
    """Of the next entry, before that is counted."""
    if match.chance is UNSET:
        return Chance(secret, f"entry {match.entries}")
    return Chance(match.chance.seed, f"move {match.chance.moves}")


def _with_openings(match: Match, openings: Sequence[str | None], secret: bytes) -> Match:
    """With the chance of the round that is to be dealt."""
    if refusal := _against_opening(match, openings, secret):
        raise RefusalError(refusal)
    if match.sealed is UNSET:
        return replace(match, chance=UNSET)
    seed = seed_of_round(secret, len(match.rounds), match.sealed, openings)
    return replace(match, sealed=UNSET, chance=RoundChance(seed))


def _deal(match: Match, secret: bytes) -> tuple[Match, Told]:
    """C-1: the next round is started by the next seat, unless the game has a way of its own."""
    if match.chance is UNSET:
        chance = Chance(secret, f"entry {match.entries - 1}")
    else:
        chance = Chance(match.chance.seed, "deal")
    game, seats = match.game, len(match.players)
    turn_of = None if match.opener is None else (match.opener + 1) % seats
    options = game.read_options(match.setup.options, strict=False)
    state, told = game.start(options, seats, turn_of, chance)
    opener = game.actors(game.public(state))[0]
    clock = match.setup.clock
    left = (clock.seconds * 1000,) * seats if isinstance(clock, GameClock) else ()
    moves = UNSET if game.most_moves is None else 0
    dealt = replace(match, state=state, opener=opener, phase=Phase.PLAYING, left=left, moves=moves)
    return dealt, tuple(told)


def _move(match: Match, entry: Moved, chance: Chance) -> tuple[Match, Told]:
    game = match.game
    state, told = game.carry_out(match.state, entry.seat, game.parse(entry.move), chance)
    left = clock_budget.charged(match.setup.clock, match.left, entry.seat, entry.spent)
    moves = UNSET if match.moves is UNSET else match.moves + 1
    outcome = game.outcome(game.public(state))
    if outcome is None and moves is not UNSET and moves == game.most_moves:
        state, stopped = game.stop(state)
        told = (*told, Happening(Stalled(moves)), *stopped)
        outcome = game.outcome(game.public(state))
    moved = replace(match, state=state, left=left, entries=match.entries + 1, moves=moves)
    if match.chance is not UNSET:
        counted = replace(match.chance, moves=match.chance.moves + 1)
        moved = replace(moved, chance=counted)
    if outcome is None:
        return moved, tuple(told)
    rounds = (*match.rounds, outcome)
    ended = replace(moved, rounds=rounds, phase=Phase.BETWEEN)
    told = (*told, Happening(RoundOver(outcome)))
    return _end(ended, told) if len(rounds) == match.setup.rounds else (ended, told)


def _reseat(match: Match, entry: Sat | Left | Changed | Sealed | Absence) -> Match:
    players = list(match.players)
    if isinstance(entry, Sat | Left | Changed):
        match = replace(match, sealed=UNSET)
    match entry:
        case Sealed(commitments):
            return replace(match, sealed=commitments)
        case Changed(setup):
            return replace(match, setup=setup)
        case Sat(name, bot):
            players.append(Player(name, bot))
        case Left(seat):
            del players[seat]
            options = match.game.without_seat(match.setup.options, seat)
            match = replace(match, setup=replace(match.setup, options=options))
        case TimedOut(seat) | Lost(seat) | Resigned(seat):
            players[seat] = replace(players[seat], stand_in=match.setup.absent)
            if isinstance(entry, TimedOut):
                match = replace(match, left=clock_budget.used_up(match.left, seat))
        case TakenOver(seat, bot):
            players[seat] = replace(players[seat], stand_in=bot)
        case Returned(seat):
            players[seat] = replace(players[seat], stand_in=None)
            match = replace(match, left=clock_budget.at_least_some(match.left, seat))
    return replace(match, players=tuple(players))


def _end(match: Match, told: Told) -> tuple[Match, Told]:
    over = replace(match, phase=Phase.OVER)
    totals = over.totals
    return over, (*told, Happening(MatchOver(totals, totals.winners)))
