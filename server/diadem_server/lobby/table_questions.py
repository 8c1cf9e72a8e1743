"""What players ask of their table, and nothing comes of but an answer."""

from typing import Any, TypeAlias

from msgspec import UNSET

from diadem_server.sessions.sessions import Session
from diadem_server.table.table import Table
from diadem_shared.entries import Moved, Started
from diadem_shared.game import Choices, Seat
from diadem_shared.lexicon import fold_letters
from diadem_shared.match import Phase
from diadem_shared.protocol import (
    Check,
    Checked,
    Explain,
    Explained,
    Explanation,
    GetHint,
    GetMoves,
    LegalMoves,
    LookedUp,
    LookUp,
)
from diadem_shared.refusals import Code, Refusal, RefusalError

Question: TypeAlias = Check | LookUp | GetMoves | GetHint | Explain


async def answer(table: Table, session: Session, question: Question) -> None:
    match question:
        case Check(id_, draft):
            session.answer(Checked(id_, check(table, session, draft)))
        case LookUp(id_, word):
            session.answer(_look_up(table, id_, word))
        case GetMoves(id_):
            choices = table.frames.choices(table.match, seat_of(table, session)) or Choices()
            session.answer(LegalMoves(id_, table.match.entries, choices))
        case GetHint(id_):
            await table.hints.ask(session, seat_of(table, session), id_)
        case Explain(id_):
            session.answer(_explain(table, id_))


def seat_of(table: Table, session: Session) -> Seat:
    seat = table.seating.seat_of(session)
    if seat is None:
        raise RefusalError(Refusal(Code.NO_SEAT))
    return seat


def check(table: Table, session: Session, draft: dict[str, str]) -> Any:
    """What the game's own judge says of a draft, to the seat that may see its hand."""
    seat = table.seating.seat_of(session)
    if seat is None or table.match.phase is not Phase.PLAYING:
        raise RefusalError(Refusal(Code.NOT_PLAYING))
    return table.match.game.preview(table.match.game.view(table.match.state, seat), draft)


def _look_up(table: Table, id_: int, word: str) -> LookedUp:
    setup, game = table.match.setup, table.match.game
    tiles = fold_letters(word) or ""
    options = game.read_options(setup.options, strict=False)
    return LookedUp(id_, tiles, game.look_up(options, tiles))


def _explain(table: Table, id_: int) -> Explained:
    """Of the round that is over: while one runs, a reason could tell what its bot holds."""
    if table.match.phase not in {Phase.BETWEEN, Phase.OVER}:
        raise RefusalError(Refusal(Code.ROUND_RUNS))
    moves: list[Explanation] = []
    for number, entry, _ in table.history:
        match entry:
            case Started():
                moves = []
            case Moved(seat, move, why=why) if why is not UNSET:
                moves.append(Explanation(number, seat, move, why))
            case _:
                pass
    return Explained(id_, tuple(moves))
