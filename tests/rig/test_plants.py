"""The rig catches what it is there for: each plant is castles with one fault, and must be found."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from diadem_shared import match
from diadem_shared.advice import Decision, Evaluation, Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Adviser, Bot, Game, Happening, Outcome, Seat, View, Viewer
from diadem_shared.games import GAMES
from diadem_shared.games.castles import DIAMONIAK, Castles
from diadem_shared.games.castles.editions import DANGER, colour_of
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import (
    Began,
    Buy,
    CastleEvent,
    Drew,
    Holding,
    Move,
    Pay,
    PublicState,
    State,
    Stop,
    Stopped,
    TableView,
    TurnPhase,
)
from diadem_shared.refusals import Refusal
from tests.cases import cases
from tests.rig import Broken, conformance
from tests.rig.conformance import check_level, check_match, check_round
from tests.rig.interference import check_interference
from tests.sample_game import Answered, Guess, NumberBot, Numbers, NumberView, Zombie
from tests.sample_game import State as NumberState

SEEDS = range(3)
"""Of ten seeds nine or more find each plant, at the least that is tried of a day (`tests/thoroughness.py`)."""

Told = Sequence[Happening[CastleEvent]]


def for_all_seeds(check: Callable[[Castles, int], object], game: Castles) -> None:
    for seed in SEEDS:
        check(game, seed)


# Leaks


class TableWithTop(PublicState, frozen=True):
    top: str | None


class ShowsTheTopCard(Castles):
    def public(self, state: State) -> PublicState:
        seen = msgspec.structs.asdict(super().public(state))
        return TableWithTop(**seen, top=state.deck[-1] if state.deck else None)


class OrdersByTheTopCard(Castles):
    def public(self, state: State) -> PublicState:
        table = super().public(state)
        if state.deck and colour_of(state.deck[-1]):
            return replace(table, aside=table.aside[::-1])
        return table


class Peek(Struct, frozen=True):
    top: str | None


class ShowsOneSeatTheTopCard(Castles):
    private_type = Peek  # type: ignore[assignment]

    def private(self, state: State, seat: Seat) -> Any:
        return Peek(state.deck[-1]) if seat == 1 and state.deck else None


class StoppedNaming(Stopped, frozen=True, tag="stopped_naming"):
    following: str | None


class DrewAndPeeked(Drew, frozen=True, tag="drew_and_peeked"):
    peeked: str | None


class _Retells(Castles):
    """Castles with its events rewritten in the light of what is hidden."""

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        after, told = super().carry_out(state, seat, move, chance)
        top = after.deck[-1] if after.deck else None
        return after, [Happening(event) for each in told for event in self.retell(each.event, top)]

    def retell(self, event: CastleEvent, top: str | None) -> list[Any]:
        raise NotImplementedError


class NamesTheTopCardInAnEvent(_Retells):
    def retell(self, event: CastleEvent, top: str | None) -> list[Any]:
        return [StoppedNaming(event.seat, top) if isinstance(event, Stopped) else event]


class PeeksBehindADisclosure(_Retells):
    def retell(self, event: CastleEvent, top: str | None) -> list[Any]:
        return [DrewAndPeeked(event.seat, event.card, top) if isinstance(event, Drew) else event]


class TellsTwiceBeforeADanger(_Retells):
    def retell(self, event: CastleEvent, top: str | None) -> list[Any]:
        return [event, event] if isinstance(event, Began) and top == DANGER else [event]


class ShowsTheChance(Castles):
    """Puts back in an order that tells of the seed."""

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        after, told = super().carry_out(state, seat, move, chance)
        return replace(after, aside=chance.shuffled(after.aside)), told


@cases(
    "plant",
    [
        ShowsTheTopCard,
        OrdersByTheTopCard,
        ShowsOneSeatTheTopCard,
        NamesTheTopCardInAnEvent,
        PeeksBehindADisclosure,
        TellsTwiceBeforeADanger,
        ShowsTheChance,
    ],
)
def test_a_leak_is_caught(plant: type[Castles]) -> None:
    game = plant(DIAMONIAK)
    with pytest.raises(Broken):
        for_all_seeds(check_interference, game)


# Broken promises


class ResamplesWhatIsSeen(Castles):
    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        return replace(state, aside=chance.shuffled((*state.aside, DANGER)))


class KeepsStateOutsideTheState(Castles):
    moved = 0

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        self.moved += 1
        after, told = super().carry_out(state, seat, move, chance)
        turned = self.moved % 3
        return replace(after, aside=after.aside[turned:] + after.aside[:turned]), told


class ForgetsAMove(Castles):
    def moves(self, view: TableView) -> Iterator[Move]:
        return (move for move in super().moves(view) if move != Stop())


class ListsAMoveTwice(Castles):
    def moves(self, view: TableView) -> Iterator[Move]:
        for move in super().moves(view):
            yield from (move, move)


class ListsARefusedMove(Castles):
    def moves(self, view: TableView) -> Iterator[Move]:
        yield from super().moves(view)
        if view.seat == view.public.turn and view.public.phase is TurnPhase.OPEN:
            yield Buy(view.public.turn)


class LetsAnybodyAct(Castles):
    def explain(self, view: View[PublicState, None], move: Move) -> Refusal | None:
        return self.refusal(view, move)


class RefusesWithAnUnlistedCode(Castles):
    refusals = Castles.refusals - {"must_draw_first"}


class LosesWordsInNotation(Castles):
    def notate(self, move: Move) -> str:
        return super().notate(Pay(move.cards[:1]) if isinstance(move, Pay) else move)


class TellsAnUnknownEvent(_Retells):
    def retell(self, event: CastleEvent, top: str | None) -> list[Any]:
        return [StoppedNaming(event.seat, None) if isinstance(event, Stopped) else event]


class EndsWithoutAnOutcome(Castles):
    def outcome(self, public: PublicState) -> Outcome | None:
        return None


class ScoresOneSeatOnly(Castles):
    def outcome(self, public: PublicState) -> Outcome | None:
        return Outcome((1,), (0,)) if super().outcome(public) else None


class Cheeky(Bot[Move, CastleEvent, PublicState, None]):
    def choose(self, view: TableView) -> Move:
        return Buy(view.public.turn)


class HasABotThatBreaksTheRules(Castles):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.bots = {**self.bots, "cheeky": Cheeky}


class TakesTheFirst(Adviser[Move, CastleEvent, PublicState, None]):
    """Plays the first of its advice."""

    def __init__(self, chance: Chance, game: Castles) -> None:
        super().__init__(chance)
        self.game = game

    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        reasons = (Reason(CastlesReason.DRAWS_ON),)
        moves = dict.fromkeys(islice(self.game.moves(view), most))
        if also is not None:
            moves[also] = None
        return [Evaluation(move, 1.0, Unit.CHANCE, reasons) for move in moves]


class TakesTheLast(TakesTheFirst):
    def decide(self, view: TableView) -> Decision[Move]:
        return Decision(self.evaluate(view, 3)[-1].move, (Reason(CastlesReason.DRAWS_ON),))


class HasNoReason(TakesTheFirst):
    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        return [replace(each, reasons=()) for each in super().evaluate(view, most, also)]


class AdvisesWorstFirst(TakesTheFirst):
    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        advice = super().evaluate(view, most, also)
        return [replace(each, value=float(value)) for value, each in enumerate(advice)]


class IgnoresWhatIsAskedBesides(TakesTheFirst):
    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        return super().evaluate(view, most)


def advised_by(adviser: type[TakesTheFirst]) -> type[Castles]:
    class Advised(Castles):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.bots = {"zombie": self.bots["zombie"], "adviser": partial(adviser, game=self)}

    return Advised


@pytest.mark.parametrize(
    ("plant", "promise"),
    [
        (TakesTheLast, "plays what it advises"),
        (HasNoReason, "every move has a reason"),
        (AdvisesWorstFirst, "the best advice comes first"),
        (IgnoresWhatIsAskedBesides, "what is asked for is weighed"),
    ],
)
def test_bad_advice_is_caught(plant: type[TakesTheFirst], promise: str) -> None:
    check_round(advised_by(TakesTheFirst)(DIAMONIAK), 0)
    with pytest.raises(Broken, match=promise):
        check_round(advised_by(plant)(DIAMONIAK), 0)


@pytest.mark.parametrize(
    ("plant", "promise"),
    [
        (ResamplesWhatIsSeen, "looks the same"),
        (KeepsStateOutsideTheState, "goes on as its original"),
        (ForgetsAMove, "moves lists what bots play"),
        (ListsAMoveTwice, "listed once"),
        (ListsARefusedMove, "not refused"),
        (LetsAnybodyAct, "only actors may act"),
        (RefusesWithAnUnlistedCode, "lists its refusals"),
        (LosesWordsInNotation, "text of a move|listed once"),
        (TellsAnUnknownEvent, "cannot be read back"),
        (EndsWithoutAnOutcome, "has an outcome"),
        (ScoresOneSeatOnly, "every seat has a score"),
        (HasABotThatBreaksTheRules, "a bot makes allowed moves"),
    ],
)
def test_a_broken_promise_is_caught(plant: type[Castles], promise: str) -> None:
    game = plant(DIAMONIAK)
    with pytest.raises(Broken, match=promise):
        for_all_seeds(check_round, game)


# Broken matches


class NeverEnds(Castles):
    """Whoever is about to win loses a part."""

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        after, told = super().carry_out(state, seat, move, chance)
        if after.phase is not TurnPhase.OVER:
            return after, told
        holdings = list(after.holdings)
        holdings[seat] = Holding()
        return replace(after, holdings=tuple(holdings), phase=TurnPhase.DRAWN), told


class DealsFromElsewhere(Castles):
    """Shuffles with chance that does not come from the seed."""

    dealt = 0

    def start(
        self, options: Any, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Told]:
        self.dealt += 1
        return super().start(options, seats, opener, Chance(b"elsewhere", str(self.dealt)))


@pytest.mark.parametrize(
    ("plant", "promise"),
    [(NeverEnds, "comes to its end"), (DealsFromElsewhere, "goes on as its original")],
)
def test_a_match_that_cannot_be_trusted_is_caught(
    plant: type[Castles], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Game[Any, Any, Any, Any, Any, Any] = plant(DIAMONIAK)
    monkeypatch.setitem(GAMES, game.name, game)
    monkeypatch.setattr(conformance, "LONGEST_MATCH", 2_000)
    with pytest.raises(Broken, match=promise):
        check_match(game, 1)


class Highest(NumberBot):
    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.high)


class PassesCards(Numbers):
    """A guess of the lowest number goes round the table, and changes nothing. Zombies do not make it."""

    def __init__(self) -> None:
        self.bots = {"zombie": Highest, "circling": Zombie}

    def carry_out(
        self, state: NumberState, seat: Seat, move: Guess, chance: Chance
    ) -> tuple[NumberState, Sequence[Happening[Answered]]]:
        if state.low == move.number < state.high:
            return replace(state, turn=(seat + 1) % len(state.scores)), []
        return super().carry_out(state, seat, move, chance)


def test_bots_that_pass_cards_in_a_circle_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    game = PassesCards()
    monkeypatch.setitem(GAMES, game.name, game)
    check_match(game, 1)
    check_level(game, "zombie", 1)
    with pytest.raises(Broken, match="bring a round to its end"):
        check_level(game, "circling", 1)


def test_scores_that_do_not_add_up_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    last_only: Callable[..., Outcome] = lambda rounds, seats: rounds[-1]  # noqa: E731, ARG005
    monkeypatch.setattr(match, "add_up", last_only)
    with pytest.raises(Broken, match="scores add up"):
        check_match(GAMES["diamoniak"], 1, rounds=3)


@pytest.mark.slow
def test_unplanted_castles_pass() -> None:
    """The plants above are caught for their fault, not for being castles."""
    for_all_seeds(check_round, Castles(DIAMONIAK))
    for_all_seeds(check_interference, Castles(DIAMONIAK))
