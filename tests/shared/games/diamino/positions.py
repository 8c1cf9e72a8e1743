"""Diamino positions written as text, and moves made on them through the contract.

  A B C D E
1 S . . . #     TOR lies on A1 to C1, unless a test says otherwise. From there OR covers a green,
2 R g R . .     RE a red, ORT a green and the black B3, TOR downward two reds, TOREN downward two
3 R # g . .     reds and two greens, TORE across nothing, TOREN across the black E1.
4 g . . . .
5 g . . . .
6 . . . . .
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Outcome, Seat
from diadem_shared.games.diamino.board import EMPTY, Board, parse_layout
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.table import DiaminoEvent, Options, State
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand
from diadem_shared.lexicon import from_text, shelf
from diadem_shared.refusals import Refusal, RefusalError

RUMMY, BONUS = Diamino(RuleSet.RUMMY), Diamino(RuleSet.BONUS)
BOTH = (RUMMY, BONUS)

BOARD = "S...#\nRgR..\nR#g..\ng....\ng....\n.....\n"
WORDS = "few words for tests"
shelf.put(WORDS, from_text("tor rot tore toren or ort re er\n".replace(" ", "\n"), "de"))

DICTIONARY = Options(board=BOARD, word_list=WORDS)
TABLE = replace(DICTIONARY, judging="table")

E = TypeVar("E", bound=DiaminoEvent)


def position(
    *hands: str,
    reserve: str = "",
    letters: str = "TOR",
    turn: Seat = 0,
    points: Sequence[int] = (),
    options: Options = DICTIONARY,
) -> State:
    """These hands, and these letters lying row after row from A1."""
    layout = parse_layout(options.board)
    return State(
        options=options,
        board=Board(layout, letters.ljust(len(layout.fields), EMPTY)),
        hands=tuple(map(sorted_hand, hands)),
        reserve=sorted_hand(reserve),
        turn=turn,
        points=tuple(points) or (0,) * len(hands),
        witnessed=("",) * (len(hands) + 1),
    )


def play(
    state: State, *moves: str, game: Diamino = RUMMY, seed: bytes = b"test"
) -> tuple[State, list[DiaminoEvent]]:
    """Make typed moves, each by whose turn it is, or by the seat (from 1) before a colon.

    The events are those of all the moves, as their movers are told of them.
    """
    events: list[DiaminoEvent] = []
    for text in moves:
        typed, _, by = reversed(text.partition(": ")) if ": " in text else (text, "", "")
        seat = int(by) - 1 if by else game.actors(game.public(state))[0]
        state, told = game.play(state, seat, game.parse(typed), Chance(seed))
        events += [happening.told(seat) for happening in told]
    return state, events


def after(state: State, *moves: str, game: Diamino = RUMMY) -> State:
    return play(state, *moves, game=game)[0]


def told(events: Sequence[DiaminoEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def outcome(state: State, game: Diamino = RUMMY) -> Outcome:
    ended = game.outcome(game.public(state))
    assert ended is not None
    return ended


def refusal(state: State, move: str, *, seat: Seat | None = None, game: Diamino = RUMMY) -> Refusal:
    """Why a typed move of whose turn it is, or of this seat, is refused."""
    by = state.turn if seat is None else seat
    try:
        game.play(state, by, game.parse(move), Chance(b"test"))
    except RefusalError as refused:
        return refused.refusal
    raise AssertionError(f"{move} is allowed")


def all_tiles(state: State) -> Counter[str]:
    """Every tile there is: on the board, in the hands, in the reserve."""
    lying = [JOKER if letter.islower() else letter for letter in state.board.letters]
    tiles = Counter(lying) + Counter("".join(state.hands)) + Counter(state.reserve)
    del tiles[EMPTY]
    return tiles
