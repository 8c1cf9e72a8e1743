"""What every bot for castles keeps to, and a few decisions that speak for themselves."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.advice import Reason
from diadem_shared.chance import SEED_BYTES, Chance
from diadem_shared.game import View
from diadem_shared.games.castles import DIAMONIAK, PIRATATAK, Castles, Edition
from diadem_shared.games.castles.editions import CURRENCY, DANGER, SHIELD, in_order
from diadem_shared.games.castles.position import CASTLE, Kinds, Position
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import (
    Buy,
    Draw,
    Holding,
    Move,
    Options,
    Pay,
    PublicState,
    Shield,
    Stop,
    TableView,
    TurnPhase,
)
from tests.cases import cases
from tests.thoroughness import times

GAMES = {edition.name: Castles(edition) for edition in (DIAMONIAK, PIRATATAK)}
LEVELS = [*GAMES["diamoniak"].bots]
ENOUGH = 120
"""Moves after which a random game has seen every phase and a few shuffles."""

any_game = st.sampled_from(sorted(GAMES)).map(GAMES.__getitem__)
any_seats = st.integers(2, 4)
any_seed = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def random_play(game: Castles, seats: int, seed: bytes) -> Iterator[TableView]:
    """What each mover sees in a game of random moves."""
    chance = Chance(seed)
    state, _ = game.start(Options(), seats, None, chance)
    for _ in range(ENOUGH):
        view = game.view(state, state.turn)
        if not game.actors(view.public):
            return
        yield view
        move = chance.pick(tuple(game.moves(view)))
        state, _ = game.carry_out(state, state.turn, move, chance)


def choose(game: Castles, level: str, view: TableView) -> Move:
    return game.bots[level](Chance(b"a bot")).choose(view)


def table(
    *holdings: Holding,
    phase: TurnPhase = TurnPhase.OPEN,
    aside: tuple[str, ...] = (),
    edition: Edition = DIAMONIAK,
) -> TableView:
    """The first player's view of what lies here; all other cards are in the deck."""
    visible = sum((holding.cards for holding in holdings), aside)
    drawn = {TurnPhase.DRAWN: (CURRENCY,), TurnPhase.DANGER: (DANGER,)}.get(phase, ())
    return View(
        0,
        PublicState(
            deck=(Counter(edition.deck()) - Counter(visible)).total(),
            aside=aside,
            holdings=holdings,
            turn=0,
            phase=phase,
            drawn=drawn,
        ),
    )


def holds(castle: str = "", reserve: str = "") -> Holding:
    return Holding(in_order(castle.split()), in_order(reserve.split()))


RICH = "currency currency currency"
FIVE_BLUE = "blue1 blue2 blue3 blue4 blue5"


class TestEveryBot:
    @pytest.mark.slow
    @pytest.mark.parametrize("level", LEVELS)
    @given(game=any_game, seats=any_seats, seed=any_seed)
    @settings(deadline=None, max_examples=times(8, 300))
    def test_chooses_what_is_allowed(
        self, level: str, game: Castles, seats: int, seed: bytes
    ) -> None:
        for view in random_play(game, seats, seed):
            assert game.explain(view, choose(game, level, view)) is None

    @pytest.mark.slow
    @pytest.mark.parametrize("level", LEVELS)
    @given(game=any_game, seats=any_seats, seed=any_seed)
    @settings(deadline=None, max_examples=times(4, 100))
    def test_chooses_the_same_again(
        self, level: str, game: Castles, seats: int, seed: bytes
    ) -> None:
        seasoned = game.bots[level](Chance(seed))
        for view in random_play(game, seats, seed):
            assert seasoned.choose(view) == game.bots[level](Chance(seed)).choose(view)

    @cases("game", GAMES.values(), ids=lambda game: game.name)
    @cases("level", LEVELS)
    @cases("seats", [2, 3, 4])
    def test_brings_a_round_to_its_end(self, game: Castles, level: str, seats: int) -> None:
        chance = Chance(bytes(SEED_BYTES))
        minds = [game.bots[level](chance) for _ in range(seats)]
        state, _ = game.start(Options(), seats, 0, chance)
        for _ in range(10_000):
            if game.outcome(game.public(state)):
                return
            move = minds[state.turn].choose(game.view(state, state.turn))
            state, _ = game.play(state, state.turn, move, chance)
        pytest.fail("no end in sight")


class TestZombie:
    def test_draws_once(self) -> None:
        assert choose(GAMES["diamoniak"], "zombie", table(holds(), holds())) == Draw()
        seen = table(holds(reserve="currency"), holds(), phase=TurnPhase.DRAWN)
        assert choose(GAMES["diamoniak"], "zombie", seen) == Stop()


@cases("phase", [TurnPhase.OPEN, TurnPhase.DRAWN])
@cases(("level", "percent"), [("brisk", 32), ("daring", 89)])
def test_who_draws_on_by_lot_says_so(level: str, percent: int, phase: TurnPhase) -> None:
    seen = table(holds(reserve="currency"), holds(), phase=phase)
    decision = GAMES["diamoniak"].bots[level](Chance(b"a bot")).decide(seen)
    assert decision.reasons == (Reason(CastlesReason.DRAWS_BY_LOT, {"percent": percent}),)


class TestEasy:
    game = GAMES["diamoniak"]

    def test_draws_exactly_once(self) -> None:
        assert choose(self.game, "easy", table(holds(), holds())) == Draw()
        seen = table(holds(reserve="currency"), holds(), phase=TurnPhase.DRAWN)
        assert choose(self.game, "easy", seen) == Stop()

    def test_buys_when_it_can(self) -> None:
        seen = table(holds("blue1", RICH), holds(), holds(reserve="blue2"))
        assert choose(self.game, "easy", seen) == Buy(2)

    def test_does_not_try_to_buy_without_a_castle(self) -> None:
        assert choose(self.game, "easy", table(holds("", RICH), holds("", "blue2"))) == Draw()

    def test_plays_its_shield(self) -> None:
        seen = table(holds("blue1", "shield"), holds(), phase=TurnPhase.DANGER, aside=(DANGER,))
        assert choose(self.game, "easy", seen) == Shield()

    @pytest.mark.parametrize("level", ["zombie", "easy", "bold"])
    def test_keeps_its_castle_as_long_as_it_can(self, level: str) -> None:
        mine = holds("blue1 blue2", "pink1 currency currency")
        seen = table(mine, holds("pink2"), phase=TurnPhase.DANGER, aside=(DANGER,))
        assert choose(self.game, level, seen) == Pay(("pink1", CURRENCY, CURRENCY))


class TestBold:
    game = GAMES["diamoniak"]

    def test_draws_on_until_a_danger_stops_it(self) -> None:
        seen = table(holds(reserve="currency"), holds(), phase=TurnPhase.DRAWN)
        assert choose(self.game, "bold", seen) == Draw()

    def test_buys_when_it_can(self) -> None:
        seen = table(holds("blue1", RICH), holds(), holds(reserve="blue2"))
        assert choose(self.game, "bold", seen) == Buy(2)


class TestStrong:
    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_buys_the_last_part(self, game: Castles, seats: int) -> None:
        others = [holds() for _ in range(seats - 2)]
        seen = table(holds(FIVE_BLUE, RICH), *others, holds(reserve="blue6"), edition=game.edition)
        assert choose(game, "strong", seen) == Buy(seats - 1)

    @given(game=any_game, seats=any_seats, seed=any_seed)
    @settings(deadline=None, max_examples=times(20, 200))
    def test_never_leaves_a_win_by_buying(self, game: Castles, seats: int, seed: bytes) -> None:
        for view in random_play(game, seats, seed):
            mover = view.public.mover
            offers = [move for move in game.moves(view) if isinstance(move, Buy)]
            if len(mover.castle) == 5 and offers:
                assert choose(game, "strong", view) in offers

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
    def test_draws_on_when_no_danger_is_left_in_the_deck(self, game: Castles) -> None:
        aside = (DANGER,) * game.edition.dangers
        seen = table(
            holds("blue1 blue2 blue3", CURRENCY),
            holds("yellow1 yellow2"),
            phase=TurnPhase.DRAWN,
            aside=aside,
            edition=game.edition,
        )
        assert choose(game, "strong", seen) == Draw()

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_stops_rather_than_risk_a_castle_for_nothing(self, game: Castles, seats: int) -> None:
        """What is missing is out of reach, and little but dangers can come."""
        out_of_reach = [f"green{number}" for number in range(1, 7)] + ["blue6"]
        others = [holds() for _ in range(seats - 2)]
        seen = table(
            holds(FIVE_BLUE),
            *others,
            holds("yellow1 yellow2", "currency " * 18),
            phase=TurnPhase.DRAWN,
            aside=(*out_of_reach, CURRENCY, CURRENCY, SHIELD, SHIELD, SHIELD),
            edition=game.edition,
        )
        assert choose(game, "strong", seen) == Stop()

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_saves_a_castle_by_its_shield(self, game: Castles, seats: int) -> None:
        others = [holds() for _ in range(seats - 2)]
        seen = table(
            holds(FIVE_BLUE, SHIELD),
            *others,
            holds("yellow1 yellow2", CURRENCY),
            phase=TurnPhase.DANGER,
            aside=(DANGER,),
            edition=game.edition,
        )
        assert choose(game, "strong", seen) == Shield()


class TestPosition:
    @given(game=any_game, seats=any_seats, seed=any_seed)
    @settings(deadline=None, max_examples=times(20, 200))
    def test_knows_what_the_deck_holds(self, game: Castles, seats: int, seed: bytes) -> None:
        kinds = Kinds(game.edition)
        chance = Chance(seed)
        state, _ = game.start(Options(), seats, None, chance)
        for _ in range(ENOUGH):
            position = kinds.position(game.public(state))
            assert position.deck == kinds.count(state.deck)
            view = game.view(state, state.turn)
            if not game.actors(view.public):
                return
            state, _ = game.carry_out(
                state, state.turn, chance.pick(tuple(game.moves(view))), chance
            )

    @given(game=any_game, seats=any_seats, seed=any_seed)
    @settings(deadline=None, max_examples=times(20, 200))
    def test_foresees_what_the_rules_do(self, game: Castles, seats: int, seed: bytes) -> None:
        """Every move that the bot plays in its head leads where the rules lead."""
        kinds = Kinds(game.edition)
        chance = Chance(seed)
        state, _ = game.start(Options(), seats, None, chance)
        for _ in range(ENOUGH):
            view = game.view(state, state.turn)
            if not game.actors(view.public):
                return
            move = chance.pick(tuple(game.moves(view)))
            before = kinds.position(view.public)
            mover, held = state.turn, state.holdings[state.turn]
            state, _ = game.carry_out(state, state.turn, move, chance)
            foreseen = imagined(kinds, before, mover, held, move, state.drawn)
            if foreseen is not None:
                assert as_lists(foreseen) == as_lists(kinds.position(game.public(state)))


def imagined(
    kinds: Kinds, before: Position, mover: int, held: Holding, move: Move, drawn: tuple[str, ...]
) -> Position | None:
    """None where the rules went on by themselves: a danger that left no choice."""
    match move:
        case Draw() if not drawn:
            return None
        case Draw():
            refilled = before.refilled()
            if drawn[-1] == DANGER:
                return refilled.after_danger()
            return refilled.after_drawing(mover, kinds.of[drawn[-1]])
        case Stop():
            return before
        case Buy(seller):
            return before.after_buying(mover, seller)
        case Shield():
            return before.after_paying(mover, (kinds.of[SHIELD],))
        case Pay(cards):
            return before.after_paying(mover, as_payment(kinds, held, cards))


def as_payment(kinds: Kinds, held: Holding, cards: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(CASTLE if card in held.castle else kinds.of[card] for card in cards)


def as_lists(position: Position) -> object:
    stocks = [(stock.colour, stock.castle, stock.reserve) for stock in position.stocks]
    return stocks, position.deck, position.aside
