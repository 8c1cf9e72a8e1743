"""The bot that plays on in thought: how far it sees, what it knows, and what it takes."""

from collections import Counter
from itertools import count

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.games.diamino import Diamino
from diadem_shared.games.diamino.bots import BOTS, master, race_player
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.ending import Ending
from diadem_shared.games.diamino.bots.going_out import MOST_CHOICES, finishing
from diadem_shared.games.diamino.bots.player import STRONG, WIDE, DiaminoBot
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.bots.simulation import FEW_TO_KEEP, Simulation, imagined
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import Exchange, Lay, Move, Pass, State, TurnPhase
from tests.shared.games.diamino.brief import think_briefly
from tests.shared.games.diamino.test_bots import BONUS, RUMMY, a_table

pytestmark = pytest.mark.slow

SEED = b"seed"
STRIPS = ("....R", "S....", "..g..")
ENDINGS = [
    ("ELR", "R", (10, 0), ["lay B1 across R", "lay B3 across R"]),
    (
        "REN",
        "SNI",
        (0, 10),
        ["lay B1 down NR", "lay B1 down RN", "lay D1 down REN", "lay D1 down NER"],
    ),
    ("AI", "IEN", (20, 10), ["lay A1 across AI", "lay A3 across AI"]),
]
"""My hand, the other's, the points, and the moves that win whatever the other does: found by trying out all there is."""

MOST_WEIGHED = 16
LONGEST = 30
"""Moves of a round that is played on to its end; each deal is played on for all moves or for none."""


@pytest.fixture(autouse=True)
def _thinks_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    think_briefly(monkeypatch, moves=30)


def dealt(game: Diamino, key: bytes = b"deal", **options: object) -> State:
    state, _ = game.start(game.read_options(options), 2, None, Chance(key))
    return state


def decided(game: Diamino, state: State) -> Move:
    return BOTS["master"](Chance(b"mind")).choose(game.view(state, state.turn))


@pytest.mark.parametrize(("mine", "other", "points", "wins"), ENDINGS)
def test_an_ending_is_searched_through_for_the_win(
    mine: str, other: str, points: tuple[int, int], wins: list[str]
) -> None:
    """What brings most at once loses each of these."""
    table = a_table(mine, *STRIPS, lying="lay A2 across HUT", others=("".join(sorted(other)),))
    state = replace(table, points=points)
    moves = list(BONUS.moves(BONUS.view(state, 0)))

    def best(most_moves: int) -> str:
        worths = Ending(Simulation(BONUS.rules, 0), most_moves).worths(state, moves, SEED)
        return BONUS.notate(moves[worths.index(max(worths))])

    assert best(1000) in wins
    assert best(0) not in wins


def test_what_is_seen_stays_and_the_rest_is_dealt_anew() -> None:
    """M-18."""
    for game in (RUMMY, BONUS):
        state = dealt(game)
        now = Situation(game.view(state, 1))
        first, second = (imagined(now, Chance(key)) for key in (b"1", b"2"))
        for other in (first, second):
            assert game.view(other, 1) == game.view(state, 1)
            whole = Counter("".join((*other.hands, other.reserve)))
            assert whole == Counter("".join((*state.hands, state.reserve)))
        assert first != second


def test_open_hands_are_taken_as_they_are() -> None:
    """M-18."""
    state = dealt(BONUS, open_hands=True)
    assert imagined(Situation(BONUS.view(state, 0)), Chance(b"1")) == state


def test_what_nobody_can_know_changes_nothing() -> None:
    for game in (RUMMY, BONUS):
        state = dealt(game)
        other = game.resample(state, state.turn, Chance(b"other"))
        assert other.hands != state.hands
        assert decided(game, state) == decided(game, other)


@pytest.mark.parametrize("seats", [2, 4])
def test_nor_does_it_in_the_midst_of_a_round(seats: int) -> None:
    """Also where it looks for what others, who hold few tiles, may have kept."""
    state, _ = RUMMY.start(RUMMY.read_options({}), seats, None, Chance(b"midst"))
    player, chance = Quick(RUMMY.rules, Chance(b"quick")), Chance(b"moves")
    phases: Counter[tuple[TurnPhase, bool]] = Counter()
    while state.phase is not TurnPhase.OVER:
        phase = state.phase, min(map(len, state.hands)) > FEW_TO_KEEP
        phases[phase] += 1
        if phases[phase] == 2:
            other = RUMMY.resample(state, state.turn, Chance(b"other"))
            assert decided(RUMMY, state) == decided(RUMMY, other)
        state, _ = RUMMY.carry_out(state, state.turn, player.move(state), chance)
    assert min(phases[TurnPhase.PLAY, True], phases[TurnPhase.PLAY, False]) >= 2


def test_a_play_before_the_last_is_found_among_hundreds() -> None:
    """After it all that is left can be laid at once; the strong bot does not come to think of all of these."""
    state, _ = RUMMY.start(RUMMY.read_options({}), 2, None, Chance(b"p1", "deal"))
    strong = DiaminoBot(Chance(b"mind"), STRONG)
    chance = Chance(b"moves")
    while min(map(len, state.hands)) > 20:
        move = strong.choose(RUMMY.view(state, state.turn))
        state, _ = RUMMY.carry_out(state, state.turn, move, chance)
    view = RUMMY.view(state, state.turn)
    now = Situation(view)
    choices = DiaminoBot(Chance(b"mind"), WIDE).choices(view, MOST_CHOICES)
    found = list(finishing(now.table.board, now.hand, now.table.terms, now.finder.index, choices))
    best = [each.move for each in strong.evaluate(view, 12)]
    assert found
    assert not {Lay(each.choice.play) for each in found} <= set(best)


@pytest.mark.parametrize("game", [RUMMY, BONUS], ids=lambda game: game.name)
def test_the_moves_made_in_thought_are_bounded(
    game: Diamino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are all that takes long: no clock is asked, so that the same is decided on any machine."""
    made: list[int] = []

    class Counted(Simulation):
        def after(self, state: State, move: Move, chance: Chance) -> State:
            made[-1] += 1
            return super().after(state, move, chance)

    for module in (master, race_player):
        monkeypatch.setattr(module, "Simulation", Counted)
    state = dealt(game)
    player, chance = Quick(game.rules, Chance(b"quick")), Chance(b"moves")
    for nth in count():
        if state.phase is TurnPhase.OVER:
            break
        if nth % 6 == 5:
            made.append(0)
            decided(game, state)
        state, _ = game.carry_out(state, state.turn, player.move(state), chance)
    most = master.PATIENCE[game.rules].moves
    assert most < max(made) < most + MOST_WEIGHED * LONGEST


def test_it_says_how_likely_it_wins() -> None:
    decision = BOTS["master"](Chance(b"mind")).decide(BONUS.view(dealt(BONUS), 0))
    (told,) = [each for each in decision.reasons if each.code == DiaminoReason.PLAYED_ON]
    assert isinstance(told.about["percent"], int)
    assert 0 <= told.about["percent"] <= 100


def test_late_in_a_round_waiting_is_weighed_too() -> None:
    """Who takes the last tiles leaves the first move of the ending to the other: few or many may be exchanged instead."""
    hand, other = "ENRSTA", ("ENRSTI",)
    state = a_table(hand, *STRIPS, lying="lay A2 across HUT", others=other, reserve="EE")
    strong = DiaminoBot(Chance(b"mind"), STRONG)
    waiting = [each.move for each in strong.idle_moves(BONUS.view(state, 0))]
    assert waiting[0] == Pass()
    assert [len(each.tiles) for each in waiting[1:] if isinstance(each, Exchange)] == [1, 2]
    assert [move for move in waiting if BONUS.explain(BONUS.view(state, 0), move) is not None] == []
