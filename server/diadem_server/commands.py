"""What each command asks for, and of whom. A table does it when its turn comes."""

from diadem.entries import Changed, Left, Moved, Resigned, Returned, Sat, Started, TakenOver
from diadem.game import Refusal, Refused
from diadem.match import Phase
from diadem.protocol import (
    Accepted,
    AddBot,
    Answer,
    AnyCommand,
    Change,
    Check,
    Checked,
    GetHistory,
    GetReplay,
    HandOver,
    History,
    Join,
    ListReplays,
    Make,
    Part,
    Ping,
    Play,
    Pong,
    Ready,
    Remove,
    Resign,
    Say,
    Sit,
    Stand,
    Start,
    TakeBack,
    WatchLobby,
    pack,
)
from diadem.protocol import Refused as RefusedAnswer
from diadem_server import replays, showing
from diadem_server.hall import Hall
from diadem_server.journal import JournalUnavailable
from diadem_server.names import clean_text
from diadem_server.sessions import Session
from diadem_server.table import Table

PAGE = 60
"""Events on a page of history."""


async def obey(hall: Hall, session: Session, command: AnyCommand) -> None:
    """Do what a client asks, once, and see that it is answered."""
    if not session.begin(command.id):
        if frame := session.answered(command.id):
            session.answer_again(frame)
        return
    try:
        if isinstance(command, WatchLobby | Make | Join | ListReplays | GetReplay | Ping):
            await _in_hall(hall, session, command)
        else:
            _at_table(hall, session, command)
    except Refused as refused:
        hall.metrics.refusals += 1
        _answer(session, RefusedAnswer(command.id, refused.refusal))
    except JournalUnavailable:
        _answer(session, RefusedAnswer(command.id, Refusal("journal_unavailable")))


def _answer(session: Session, answer: Answer) -> None:
    session.answer(answer, pack(answer))


# In the hall


async def _in_hall(
    hall: Hall,
    session: Session,
    command: WatchLobby | Make | Join | ListReplays | GetReplay | Ping,
) -> None:
    match command:
        case Ping(id_):
            _answer(session, Pong(id_))
        case WatchLobby(id_, on):
            _answer(session, Accepted(id_))
            hall.watch_lobby(session, on=on)
        case Make(id_, setup):
            _refuse_if_seated(hall, session)
            table = await hall.make_table(setup)
            _go(hall, session, table)
            table.post(lambda: _make(table, session, id_))
        case Join(id_, code):
            found = hall.tables.get(code.upper())
            if found is None:
                raise Refused(Refusal("no_such_table", {"table": code}))
            _go(hall, session, found)
            found.post(lambda: found.attend(session, id_))
        case ListReplays(id_):
            _answer(session, replays.listed(hall.journal, session, id_))
        case GetReplay(id_, code):
            _answer(session, replays.whole(hall.journal, session, id_, code.upper()))


def _refuse_if_seated(hall: Hall, session: Session) -> None:
    """One seat a player: whoever is awaited at one table does not sit down at another."""
    if held := hall.seat_held_by(session):
        raise Refused(Refusal("seated_elsewhere", {"table": held}))


def _go(hall: Hall, session: Session, table: Table) -> None:
    """Leave the table where the session is, if that is another."""
    before = hall.tables.get(session.table or "")
    if before is not None and before is not table:
        before.post(lambda: before.depart(session))


async def _make(table: Table, session: Session, id_: int) -> None:
    table.viewers[session] = 0
    session.table = table.code
    await table.enter(Sat(session.name), session, id_)


# At a table


def _at_table(hall: Hall, session: Session, command: AnyCommand) -> None:
    table = hall.tables.get(session.table or "")
    if table is None:
        raise Refused(Refusal("at_no_table"))
    if (entry := table.done.get((session.id, command.id))) is not None:
        # Done before the server was started again.
        _answer(session, Accepted(command.id, entry))
        return
    table.post(lambda: _do(hall, table, session, command))


async def _do(hall: Hall, table: Table, session: Session, command: AnyCommand) -> None:
    try:
        await _obey_at(hall, table, session, command)
    except Refused as refused:
        hall.metrics.refusals += 1
        _answer(session, RefusedAnswer(command.id, refused.refusal))


async def _obey_at(hall: Hall, table: Table, session: Session, command: AnyCommand) -> None:
    id_ = command.id
    match command:
        case Play(_, move):
            seat = _seat(table, session)
            await table.enter(Moved(seat, move, table.spent(seat)), session, id_)
        case Check(_, draft):
            _answer(session, Checked(id_, table.check(session, draft)))
        case Say(_, text):
            _say(table, session, text)
            _answer(session, Accepted(id_))
        case GetHistory(_, before):
            _answer(session, _history(table, session, id_, before))
        case Ready(_, ready):
            await _set_ready(table, session, id_, ready=ready)
        case Part():
            await _part(table, session, id_)
        case HandOver(_, level):
            await table.enter(TakenOver(_seat(table, session), level), session, id_)
        case TakeBack():
            await table.enter(Returned(_seat(table, session)), session, id_)
        case Resign():
            await table.enter(Resigned(_seat(table, session)), session, id_)
            await table.deal_if_ready()
        case _:
            await _prepare(hall, table, session, command)


async def _prepare(hall: Hall, table: Table, session: Session, command: AnyCommand) -> None:
    """What is done before a round is dealt."""
    id_ = command.id
    match command:
        case Sit():
            if table.seat_of(session) is not None:
                raise Refused(Refusal("seated_already"))
            _refuse_if_seated(hall, session)
            await table.enter(Sat(session.name), session, id_)
        case Stand():
            table.ready.discard(session)
            await table.enter(Left(_seat(table, session)), session, id_)
        case Start():
            _only_maker(table, session)
            await table.enter(Started(), session, id_)
        case Change(_, setup):
            _only_maker(table, session)
            table.ready.clear()
            await table.enter(Changed(setup), session, id_)
        case AddBot(_, level):
            _only_maker(table, session)
            await table.enter(Sat(table.name_for(level), level), session, id_)
        case Remove(_, seat):
            _only_maker(table, session)
            await table.enter(Left(seat), session, id_)
        case _:
            raise Refused(Refusal("not_here"))


def _seat(table: Table, session: Session) -> int:
    seat = table.seat_of(session)
    if seat is None:
        raise Refused(Refusal("no_seat"))
    return seat


def _only_maker(table: Table, session: Session) -> None:
    if table.seat_of(session) is None or table.seat_of(session) != table.maker:
        raise Refused(Refusal("only_the_maker"))


def _say(table: Table, session: Session, text: str) -> None:
    cleaned = clean_text(text)
    if not cleaned:
        raise Refused(Refusal("nothing_said"))
    table.say(session, cleaned)


async def _set_ready(table: Table, session: Session, id_: int, *, ready: bool) -> None:
    _seat(table, session)
    if table.match.phase not in {Phase.GATHERING, Phase.BETWEEN}:
        raise Refused(Refusal("already_started"))
    (table.ready.add if ready else table.ready.discard)(session)
    _answer(session, Accepted(id_))
    if not await table.deal_if_ready():
        table.show(None)


async def _part(table: Table, session: Session, id_: int) -> None:
    seat = table.seat_of(session)
    if seat is not None and table.match.phase is Phase.GATHERING:
        if not await table.enter(Left(seat), session, id_):
            return
    else:
        _answer(session, Accepted(id_))
    session.table = None
    await table.depart(session)


def _history(table: Table, session: Session, id_: int, before: int | None) -> History:
    shown = [entry for entry in table.history if before is None or entry.number < before]
    happened = showing.recalled(table.match, shown[-PAGE:], table.seat_of(session))
    return History(id_, happened, more=len(shown) > PAGE)
