"""C-5: players in league cannot make a round as long as they like, whatever the game."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.entries import MAX_ROUNDS, Moved, Sat, Setup, Started
from diadem_shared.game import MOST_MOVES, AnyGame, Outcome
from diadem_shared.games import GAMES
from diadem_shared.games.castles.editions import colour_of
from diadem_shared.games.castles.table import Draw, Holding, Pay, Stop
from diadem_shared.games.castles.table import TurnPhase as CastlesPhase
from diadem_shared.games.diadingo.board import DECK
from diadem_shared.games.diamino.nonsense import unheard_of
from diadem_shared.games.diamino.table import Accept, Exchange, Give, Lay, Object, Pass
from diadem_shared.games.diamino.table import TurnPhase as DiaminoPhase
from diadem_shared.games.diamino.words import list_of
from diadem_shared.match import Match, Phase, Told, apply, replay
from diadem_shared.match_events import Stalled
from diadem_shared.match_file import MOST_ENTRIES
from tests.cases import cases
from tests.rig.walk import option_sets, walk

SEED = b"players in league"
OTHER_ENTRIES = 2_000
"""Of a match: those who sit down, leave and come back, hints and deals."""
CASTLES = ("diamoniak", "piratatak")
DIAMINO = ("diamino-rummy", "diamino-bonus")

ENDS_BY_ITSELF = {"diadingo": len(DECK)}
"""A card of Diadingo is one move at the most, and each is turned up once (D-4 to D-6, D-9)."""

League = Callable[[AnyGame, Any], Any]
"""What each of them does with such a view."""


def dealt(setup: Setup, seats: int, version: int | None = None) -> Match:
    players = [Sat(f"player {number}") for number in range(seats)]
    return replay(setup, [*players, Started()], SEED, version)


def moved(match: Match, league: League) -> tuple[Match, Told]:
    seat = match.actors[-1]
    move = league(match.game, match.game.view(match.state, seat))
    return apply(match, Moved(seat, match.game.notate(move)), SEED)


def prolonged(match: Match, league: League) -> Iterator[tuple[Match, Told]]:
    """Every move of a round among them."""
    while match.phase is Phase.PLAYING:
        match, told = moved(match, league)
        yield match, told


def stalled(told: Told) -> list[Stalled]:
    return [each.event for each in told if isinstance(each.event, Stalled)]


def pay_with_parts(_: AnyGame, view: Any) -> Any:
    """Stop after each draw, and pay from the castle."""
    table = view.public
    match table.phase:
        case CastlesPhase.OPEN:
            return Draw()
        case CastlesPhase.DRAWN:
            return Stop()
        case _:
            cards = sorted(table.mover.cards, key=lambda card: colour_of(card) is None)
            return Pay(tuple(cards[:3]))


def object_to_all(_: AnyGame, view: Any) -> Any:
    """Have every word refused by a vote, and let one tile lie where the round would be blocked otherwise."""
    table = view.public
    last = table.idle + 1 == table.most_idle
    match table.phase:
        case DiaminoPhase.JUDGE:
            return Accept() if last or view.seat > len(table.sizes) // 2 else Object()
        case DiaminoPhase.GIVE:
            return Give(view.private.tiles[: min(table.owed, len(view.private.tiles) - 1)])
        case _:
            words = list_of(table.options)
            plays = unheard_of(table.board, view.private.tiles, table.terms, words)
            return next(map(Lay, plays), Pass())


def exchange_one(game: AnyGame, view: Any) -> Any:
    """Exchange a tile as long as that is not the end, and lay the first word there is then."""
    table = view.public
    if table.phase is DiaminoPhase.GIVE:
        return Give(view.private.tiles[: min(table.owed, len(view.private.tiles) - 1)])
    if table.idle + 1 < table.most_idle:
        return Exchange(view.private.tiles[0]) if table.reserve else Pass()
    plays = (move for move in game.moves(view) if isinstance(move, Lay))
    return next(plays, Pass())


@cases("name", CASTLES)
def test_c5_a_round_of_castles_in_which_nobody_builds_on_is_stopped(name: str) -> None:
    """K-16 had it go on for ever: 157,375 moves in 20 rounds."""
    match, told = list(prolonged(dealt(Setup(name), 4), pay_with_parts))[-1]
    assert (match.moves, stalled(told)) == (MOST_MOVES, [Stalled(MOST_MOVES)])
    built = [len(holding.castle) for holding in match.state.holdings]
    won = tuple(int(0 < parts == max(built)) for parts in built)
    assert match.rounds == (Outcome(won, (0,) * 4),)


@cases(
    ("castles", "scores"),
    [(("blue1 blue2", "", "red1 red2"), (1, 0, 1)), (("", "blue1"), (0, 1)), (("", ""), (0, 0))],
)
def test_c5_the_most_parts_win_a_round_that_is_stopped(
    castles: tuple[str, ...], scores: tuple[int, ...]
) -> None:
    game = GAMES["piratatak"]
    state, _ = game.start(game.read_options({}), len(castles), None, Chance(SEED))
    holdings = tuple(Holding(tuple(parts.split()), ("currency",) * 3) for parts in castles)
    stopped, _ = game.stop(replace(state, holdings=holdings))
    assert game.actors(game.public(stopped)) == ()
    assert game.outcome(game.public(stopped)) == Outcome(scores, (0,) * len(castles))


@pytest.mark.slow
@cases("name", DIAMINO)
def test_c5_a_round_of_diamino_whose_words_are_all_refused_is_stopped(name: str) -> None:
    """M-12, M-17: what is judged just then does not lie, and the round is blocked."""
    setup = Setup(name, {"judging": "table"})
    match, told = list(prolonged(dealt(setup, GAMES[name].seats[-1]), object_to_all))[-1]
    assert (match.moves, stalled(told)) == (MOST_MOVES, [Stalled(MOST_MOVES)])
    public = match.game.public(match.state)
    assert (public.out, public.pending, public.votes) == (None, None, ())
    assert public.hands == match.state.hands


@pytest.mark.slow
@cases("name", DIAMINO)
def test_c5_a_round_of_diamino_with_nothing_but_exchanges_ends(name: str) -> None:
    """M-17: sooner than it would be stopped, as tiles that lie never come back."""
    match = dealt(Setup(name), GAMES[name].seats[-1])
    last, _ = list(prolonged(match, exchange_one))[-1]
    assert last.entries < MOST_MOVES


LUCKLESS = 10
"""Times as long as a round of random moves is taken to be the longest, where nobody says how long it gets."""


def by_chance(game: AnyGame) -> int:
    most = game.seats[-1]
    return max(
        len(list(walk(game, options, most, bytes([seed]))))
        for options in islice(option_sets(game), 8)
        for seed in range(3)
    )


@cases("name", GAMES)
def test_c5_the_longest_match_there_can_be_fits_into_its_file(name: str) -> None:
    most = GAMES[name].most_moves or ENDS_BY_ITSELF.get(name) or LUCKLESS * by_chance(GAMES[name])
    assert MAX_ROUNDS * most + OTHER_ENTRIES <= MOST_ENTRIES


@cases("seats", GAMES["diadingo"].seats)
def test_d9_a_round_of_diadingo_has_no_more_moves_than_cards(seats: int) -> None:
    def anything(game: AnyGame, view: Any) -> Any:
        return game.any_move(view, Chance(repr(view).encode()))

    assert len(list(prolonged(dealt(Setup("diadingo"), seats), anything))) <= len(DECK)


@cases("name", CASTLES)
def test_c5_under_version_1_of_the_rules_no_round_is_stopped(name: str) -> None:
    """What was recorded then goes on as it did."""
    match = dealt(Setup(name), 4, version=1)
    for number, (now, _) in enumerate(prolonged(match, pay_with_parts), 1):
        if number > MOST_MOVES:
            break
        match = now
    assert match.phase is Phase.PLAYING
