"""What each command asks for, and of whom. A table does it when its turn comes."""

from bisect import bisect_left
from typing import TypeAlias

from diadem.entries import (
    Changed,
    Entry,
    Left,
    Moved,
    Resigned,
    Returned,
    Sat,
    Setup,
    Started,
    TakenOver,
)
from diadem.match import OUT_OF_PHASE, Phase, explain_setup
from diadem.protocol import (
    Accepted,
    AddBot,
    Again,
    AnyCommand,
    Ban,
    Change,
    Check,
    Checked,
    GetHistory,
    GetReplay,
    HandOver,
    History,
    Join,
    Kick,
    ListReplays,
    Make,
    Mute,
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
)
from diadem.protocol import Refused as RefusedAnswer
from diadem.refusals import Code, Refusal, Refused
from diadem_server.lobby import codes, replays
from diadem_server.lobby.lobby import FirstPlayer, Lobby
from diadem_server.lobby.table_limits import against_change
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table import views
from diadem_server.table.table import Table
from diadem_server.table.views import Logged

PAGE = 60
"""Events on a page of history."""
FIRST_ENTRY = 1
"""Of a table that is made: the maker sits down."""
LobbyCommand: TypeAlias = WatchLobby | Make | Join | ListReplays | GetReplay | Ping
QUERIES = Ping | WatchLobby | Join | ListReplays | GetReplay | Check | GetHistory
"""Done again when it is sent again: nothing comes of it but for the line it came over, and answers
can be large."""


async def execute(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """Do what a client asks, once, and see that it is answered."""
    if not isinstance(command, LobbyCommand):
        execute_at_table(lobby, session, command)
    elif _begin(lobby, session, command):
        try:
            await _in_lobby(lobby, session, command)
        except Refused as refused:
            lobby.refuse(session, command.id, refused.refusal)
        except JournalUnavailable:
            lobby.refuse(session, command.id, Refusal(Code.JOURNAL_UNAVAILABLE))


def execute_at_table(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """The same for what is not asked of the lobby: nothing has to be waited for before the table has it."""
    if _begin(lobby, session, command):
        try:
            _at_table(lobby, session, command)
        except Refused as refused:
            lobby.refuse(session, command.id, refused.refusal)


def _begin(lobby: Lobby, session: Session, command: AnyCommand) -> bool:
    """Whether it has to be done. What was done before is answered again."""
    asks = isinstance(command, QUERIES)
    if not asks and not session.answers.knows(command.id):
        _recall(lobby, session, command)
    try:
        return session.begin(command, asks=asks)
    except Refused as refused:
        # Not the answer of the command that has this id.
        lobby.metrics.refusals += 1
        lobby.tell(session, RefusedAnswer(command.id, refused.refusal))
        return False


def _recall(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """What a table knows of long ago, perhaps of before the server was started again."""
    table = lobby.tables.get(session.table or "")
    if table is None or isinstance(command, Make):
        done = lobby.entry_made_by(session, command.id)
    else:
        done = table.done.get(session.id, {}).get(command.id)
    if done is not None:
        session.answers.recall([done], [])


# In the lobby


async def _in_lobby(lobby: Lobby, session: Session, command: LobbyCommand) -> None:
    match command:
        case Ping(id_):
            session.answer(Pong(id_))
        case WatchLobby(id_, on):
            session.answer(Accepted(id_))
            lobby.watch_lobby(session, on=on)
        case Make():
            await _make(lobby, session, command)
        case Join(id_, code):
            table = lobby.find(code, session)
            if why := table.seating.refusal(session):
                raise Refused(why)
            _move_to(lobby, session, table, id_)
        case ListReplays(id_):
            session.answer(await replays.listed(lobby.journal, session, id_))
        case GetReplay(id_, code):
            session.answer(await replays.whole(lobby.journal, session, id_, code.upper()))


def _move_to(lobby: Lobby, session: Session, table: Table, command: int = 0) -> None:
    """Leave the table where the session is, if that is another, and come to this one."""
    lobby.leave_for(session, table)
    table.post(lambda: table.seating.join(session, command), session, command)


async def _make(lobby: Lobby, session: Session, command: Make) -> None:
    lobby.refuse_if_seated(session)
    content = session.answers.content(command.id)
    maker = FirstPlayer(session.name, None, session.id, command.id, content)
    answer = Accepted(command.id, FIRST_ENTRY)
    table = await lobby.make_table(command.setup, session, [maker], answer)
    _move_to(lobby, session, table, command.id)
    if session.outbox is None:
        # The line broke down meanwhile.
        lobby.disconnected(session)


# At a table


def _at_table(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    table = lobby.tables.get(session.table or "")
    if table is None:
        raise Refused(Refusal(Code.AT_NO_TABLE))
    if isinstance(command, Part):
        # Whatever follows is meant for the lobby already.
        session.table = None
    table.post(lambda: _do(lobby, table, session, command), session, command.id)


async def _do(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    try:
        _refuse_who_is_not_here(table, session)
        await _execute_at(lobby, table, session, command)
    except Refused as refused:
        lobby.refuse(session, command.id, refused.refusal)
    except JournalUnavailable:
        lobby.refuse(session, command.id, Refusal(Code.JOURNAL_UNAVAILABLE))


def _refuse_who_is_not_here(table: Table, session: Session) -> None:
    """They may have been sent away while this waited."""
    if session not in table.seating.viewers:
        raise Refused(Refusal(Code.AT_NO_TABLE))


async def _execute_at(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    id_ = command.id
    match command:
        case Play(_, move):
            seat = _seat(table, session)
            await _enter(table, Moved(seat, move, table.spent(seat)), session, id_)
        case Check(_, draft):
            session.answer(Checked(id_, table.check(session, draft)))
        case Say(_, text):
            await table.chat.say(session, text, id_)
        case GetHistory(_, before):
            session.answer(_history(table, session, id_, before))
        case Ready(_, ready):
            await _set_ready(table, session, id_, ready=ready)
        case Part():
            await _part(lobby, table, session, id_)
        case HandOver() | TakeBack() | Resign():
            await _come_and_go(lobby, table, session, command)
        case Again():
            await _again(lobby, table, session, id_)
        case Kick() | Ban() | Mute():
            await _moderate(table, session, command)
        case _:
            await _prepare(lobby, table, session, command)


async def _come_and_go(
    lobby: Lobby, table: Table, session: Session, command: HandOver | TakeBack | Resign
) -> None:
    match command:
        case HandOver(id_, level):
            await _enter(table, TakenOver(_seat(table, session), level), session, id_)
        case TakeBack(id_):
            await _take_back(lobby, table, session, id_)
        case Resign(id_):
            await _enter(table, Resigned(_seat(table, session)), session, id_)


async def _moderate(table: Table, session: Session, command: Kick | Ban | Mute) -> None:
    match command:
        case Mute():
            await table.moderation.mute(session, command)
        case Ban(on=False):
            _only_maker(table, session)
            await table.moderation.lift_ban(session, command)
        case Kick() | Ban():
            _only_maker(table, session)
            await table.moderation.send_away(session, command)


async def _prepare(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    """What is done before a round is dealt."""
    id_ = command.id
    match command:
        case Sit():
            await _sit(lobby, table, session, id_)
        case Stand():
            await _enter(table, Left(_seat(table, session)), session, id_)
        case Start():
            _only_maker(table, session)
            table.dealing.refuse_if_not_agreed()
            await _enter(table, Started(), session, id_)
        case Change(_, setup):
            _only_maker(table, session)
            _refuse_to_hide(table, setup)
            if why := explain_setup(setup):
                raise Refused(why)
            await _enter(table, Changed(setup), session, id_)
        case AddBot(_, level):
            _only_maker(table, session)
            await _enter(table, Sat(table.name_for(level), level), session, id_)
        case Remove(_, seat):
            _only_maker(table, session)
            await _enter(table, Left(seat), session, id_)
        case _:
            raise TypeError(command)


async def _enter(table: Table, entry: Entry, session: Session, command: int) -> None:
    made = (logged.entry for logged in table.history)
    if why := against_change(table.match, made, entry):
        raise Refused(why)
    if why := await table.enter(entry, session, command):
        raise Refused(why)


async def _sit(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    if table.seating.seat_of(session) is not None:
        raise Refused(Refusal(Code.SEATED_ALREADY))
    await _take_seat(lobby, table, Sat(session.name), session, id_)


async def _take_back(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    """C-2: by whoever handed the seat to a bot, or resigned from it."""
    seat = table.seating.resigned_from(session)
    if seat is None:
        await _enter(table, Returned(_seat(table, session)), session, id_)
    else:
        await _take_seat(lobby, table, Returned(seat), session, id_)


async def _take_seat(
    lobby: Lobby, table: Table, entry: Sat | Returned, session: Session, id_: int
) -> None:
    lobby.refuse_if_seated(session)
    session.sitting_down_at = table.code
    try:
        await _enter(table, entry, session, id_)
    finally:
        session.sitting_down_at = None


def _seat(table: Table, session: Session) -> int:
    seat = table.seating.seat_of(session)
    if seat is None:
        raise Refused(Refusal(Code.NO_SEAT))
    return seat


def _only_maker(table: Table, session: Session) -> None:
    if (
        table.seating.seat_of(session) is None
        or table.seating.seat_of(session) != table.seating.maker
    ):
        raise Refused(Refusal(Code.ONLY_THE_MAKER))


def _refuse_to_hide(table: Table, setup: Setup) -> None:
    """The code of a public table is too short for a private one, and was shown to everybody."""
    if setup.private and not table.match.setup.private and len(table.code) < codes.PRIVATE_LENGTH:
        raise Refused(Refusal(Code.LISTED_ALREADY, {"table": table.code}))


async def _set_ready(table: Table, session: Session, id_: int, *, ready: bool) -> None:
    _seat(table, session)
    if table.match.phase not in {Phase.GATHERING, Phase.BETWEEN}:
        raise Refused(Refusal(OUT_OF_PHASE[table.match.phase]))
    await table.set_ready(session, id_, ready=ready)
    table.show(None)


async def _part(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    seat = table.seating.seat_of(session)
    if seat is not None and table.match.phase is Phase.GATHERING:
        if why := await table.enter(Left(seat), session, id_):
            if session.table is None and session.outbox is not None:
                session.table = table.code
            else:
                await table.seating.leave(session)
            raise Refused(why)
    else:
        lobby.answer(session, Accepted(id_))
    await table.seating.leave(session)


async def _again(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    """The same once more, at a new table, with all who are still here."""
    if table.match.phase is not Phase.OVER:
        raise Refused(Refusal(Code.NOT_OVER))
    _seat(table, session)
    lobby.refuse_if_seated(session)
    sitters = []
    for seat, player in enumerate(table.match.players):
        person = table.seating.person_in(seat)
        if person is None:
            sitters += [FirstPlayer(player.name, player.bot)] if player.bot else []
        elif person in table.seating.viewers and not lobby.seat_held_by(person):
            sitters.append(FirstPlayer(player.name, None, person.id))
    answer = Accepted(id_, len(sitters))
    new = await lobby.make_table(
        table.match.setup, session, sitters, answer, bans=table.moderation.bans
    )
    session.answer(answer)
    for person in list(table.seating.viewers):
        if person.table == table.code:
            table.seating.remove_viewer(person, Refusal(Code.AGAIN, {"table": new.code}))
            _move_to(lobby, person, new)


def _history(table: Table, session: Session, id_: int, before: int | None) -> History:
    history = table.history
    end = len(history) if before is None else bisect_left(history, before, key=_number)
    start = max(0, end - PAGE)
    happened = views.recalled(table.match, history[start:end], table.seating.seat_of(session))
    return History(id_, happened, more=start > 0)


def _number(logged: Logged) -> int:
    return logged.number
