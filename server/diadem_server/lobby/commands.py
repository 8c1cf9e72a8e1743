"""What each command asks for, and of whom: the lobby does it, or a table when its turn comes."""

from functools import partial
from typing import TypeAlias

from websockets.frames import CloseCode

from diadem_server.lobby import exports, replays, statistics, table_commands
from diadem_server.lobby.first_player import FirstPlayer
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.routing import WrongNode
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import SetListed as ListedChange
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table.table import Table
from diadem_shared.protocol import (
    Accepted,
    AnyCommand,
    Check,
    Commit,
    Describe,
    Described,
    Explain,
    Export,
    Exported,
    GetHint,
    GetHistory,
    GetMoves,
    GetReplay,
    GetStandings,
    GetStatistics,
    Join,
    ListReplays,
    LookUp,
    Make,
    Open,
    Part,
    Ping,
    Pong,
    Refused,
    Resign,
    SetListed,
    SetPause,
    Stand,
    WatchLobby,
)
from diadem_shared.refusals import Code, Refusal, RefusalError

FIRST_ENTRY = 1
"""Of a table that is made: the maker sits down."""
QuickCommand: TypeAlias = Ping | WatchLobby | SetPause | Join | Describe | Commit | Open
"""Done at once: asked of the lobby, or of a table that waits for it while it does something else."""
SlowCommand: TypeAlias = (
    Make | ListReplays | GetReplay | Export | GetStatistics | GetStandings | SetListed
)
"""Asked of the lobby, which waits for the journal."""
QUERIES = frozenset(
    {
        Ping,
        WatchLobby,
        SetPause,
        Join,
        Describe,
        Commit,
        Open,
        ListReplays,
        GetReplay,
        Export,
        GetStatistics,
        GetStandings,
        Check,
        LookUp,
        GetHint,
        Explain,
        GetHistory,
        GetMoves,
    }
)
"""Done again when it is sent again: nothing comes of it but for the connection it came over, and
answers can be large."""
WAYS_OUT = frozenset({Part, Stand, Resign})
"""Done also where an address has used up what may be written for it: nobody is held at a table."""


async def execute(lobby: Lobby, session: Session, command: SlowCommand) -> None:
    """Do what a client asks, once, and see that it is answered. Raises NotHere if another node is to do it."""
    if _begin(lobby, session, command):
        try:
            await _in_lobby(lobby, session, command)
        except RefusalError as refused:
            lobby.refuse(session, command.id, refused.refusal)
        except JournalUnavailable:
            lobby.refuse(session, command.id, Refusal(Code.JOURNAL_UNAVAILABLE))


def execute_at_once(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """The same for what needs nothing to be waited for: a table does it when its turn comes."""
    if _begin(lobby, session, command):
        try:
            if isinstance(command, QuickCommand):
                _in_lobby_at_once(lobby, session, command)
            else:
                _at_table(lobby, session, command)
        except RefusalError as refused:
            lobby.refuse(session, command.id, refused.refusal)


def _begin(lobby: Lobby, session: Session, command: AnyCommand) -> bool:
    """Whether it has to be done. What was done before is answered again."""
    asks = type(command) in QUERIES
    if not asks and not session.answers.knows(command.id):
        _recall(lobby, session, command)
    try:
        is_new = session.begin(command, asks=asks)
    except RefusalError as refused:
        # Not the answer of the command that has this id.
        lobby.metrics.refusals += 1
        session.tell(Refused(command.id, refused.refusal))
        return False
    writes = is_new and not asks and type(command) not in WAYS_OUT
    if writes and (why := lobby.quota.refusal(session)):
        lobby.refuse(session, command.id, why)
        return False
    return is_new


def _recall(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """What a table knows of long ago, perhaps of before the server was started again."""
    table = lobby.tables.get(session.table or "")
    if table is None or isinstance(command, Make):
        done = lobby.entry_made_by(session, command.id)
    else:
        done = table.done.find(session.id, command.id)
    if done is not None:
        session.answers.recall([done], [])


# In the lobby


def _in_lobby_at_once(lobby: Lobby, session: Session, command: QuickCommand) -> None:
    match command:
        case Ping(id_):
            session.answer(Pong(id_))
        case WatchLobby(id_, on):
            _refuse_guest(session)
            session.answer(Accepted(id_))
            lobby.watch_lobby(session, on=on)
        case Describe(id_):
            session.answer(Described(id_, lobby.description))
        case SetPause(id_, most):
            session.answer(Accepted(id_))
            session.longest_pause = most / 1000
            if table := lobby.tables.get(session.table or ""):
                table.autoplay.pause.change()
        case Commit() | Open():
            _add_chance(lobby, session, command)
        case Join(id_, code):
            _join(lobby, session, lobby.find(code, session), id_)


def _join(lobby: Lobby, session: Session, table: Table, id_: int) -> None:
    if why := table.refusal(session):
        raise RefusalError(why)
    lobby.move_to(session, table, id_)


def _add_chance(lobby: Lobby, session: Session, command: Commit | Open) -> None:
    table = lobby.tables.get(session.table or "")
    if table is None:
        raise RefusalError(Refusal(Code.AT_NO_TABLE))
    match command:
        case Commit(id_, commitment):
            table.shuffling.commit(session, table.match, commitment)
        case Open(id_, opening):
            table.shuffling.open(session, table.match, opening)
    session.answer(Accepted(id_))


def _refuse_guest(session: Session) -> None:
    """What is not done at a table is done by the node that has the line."""
    if session.front is not None and session.table is None:
        raise WrongNode


async def node_of(lobby: Lobby, code: str, *, is_stale_route: bool) -> int | None:
    """The other node that has this table; None if none has. Raises JournalUnavailable."""
    if lobby.routing is None:
        return None
    if is_stale_route:
        lobby.routing.forget(code)
    node = await lobby.routing.owner(code)
    return None if node == lobby.routing.node else node


async def route(
    lobby: Lobby, session: Session, command: AnyCommand, *, is_stale_route: bool
) -> int | None:
    """The node that is to do what is not to be done here; None if it was answered after all. `is_stale_route` if another node
    took this one for it."""
    if not isinstance(command, Join):
        if session.front is None:
            session.come_again(command.id)  # this node has the line, and makes no tables now
        return session.front
    try:
        node = await node_of(lobby, command.table.upper(), is_stale_route=is_stale_route)
        if node is not None:
            return node
        if (table := lobby.tables.get(command.table.upper())) is None:
            raise lobby.missed(command.table, session)
        _join(lobby, session, table, command.id)
    except RefusalError as refused:
        lobby.refuse(session, command.id, refused.refusal)
    except JournalUnavailable:
        lobby.refuse(session, command.id, Refusal(Code.JOURNAL_UNAVAILABLE))
    return None


async def _in_lobby(lobby: Lobby, session: Session, command: SlowCommand) -> None:
    match command:
        case Make():
            _refuse_guest(session)
            tables = list(lobby.tables.values())
            if not await table_commands.was_done(lobby, session, command, tables):
                try:
                    await _make(lobby, session, command)
                except RefusalError as refused:
                    if not await _has_made(lobby, session, command, refused.refusal):
                        raise
        case ListReplays(id_, before):
            before = before.upper() if before else None
            session.answer(await replays.listed(lobby.journal, session, id_, before))
        case GetReplay(id_, code):
            session.answer(await replays.whole(lobby.journal, session, id_, code.upper()))
        case Export(id_, code, after):
            piece, following = await exports.exported(lobby, session, code.upper(), after)
            session.answer(Exported(id_, code.upper(), piece, following))
        case GetStatistics() | GetStandings() | SetListed():
            await _in_standings(lobby, session, command)


async def _in_standings(
    lobby: Lobby, session: Session, command: GetStatistics | GetStandings | SetListed
) -> None:
    match command:
        case GetStatistics(id_):
            session.answer(await statistics.own(lobby.journal, session, id_))
        case GetStandings(id_, game, first):
            session.answer(await lobby.standings.page(game, session.id, first, id_))
        case SetListed(id_, on):
            answer = Accepted(id_)
            rows = session.answers.rows(answer)
            await lobby.journal.write(ListedChange(session.id, on), *rows)
            lobby.standings.forget()
            session.answer(answer)


async def _make(lobby: Lobby, session: Session, command: Make) -> None:
    await lobby.refuse_if_seated(session)
    content = session.answers.content(command.id)
    maker = FirstPlayer(session.name, None, session.id, command.id, content)
    answer = Accepted(command.id, FIRST_ENTRY)
    if lobby.is_draining:
        raise WrongNode
    table = await lobby.make_table(command.setup, session, [maker], answer)
    lobby.move_to(session, table, command.id)
    if session.outbox is None:
        # The connection was lost meanwhile.
        lobby.disconnected(session)


async def _has_made(lobby: Lobby, session: Session, command: Make, why: Refusal) -> bool:
    """Whether it was refused because it was done: it came again to this node while another was doing it. Then they come
    again, and find their table."""
    if why.code != Code.SEATED_ELSEWHERE:
        return False
    was_done = await table_commands.was_done_at(lobby, session, command, str(why.about["table"]))
    if was_done and session.outbox is not None:
        session.outbox.disconnect(CloseCode.SERVICE_RESTART, "")
    return was_done


# At a table


def _at_table(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    table = lobby.tables.get(session.table or "")
    if table is None:
        _at_no_table(lobby, session, command)
        return
    if isinstance(command, Part):
        # Whatever follows is meant for the lobby already.
        session.table = None
    work = partial(table_commands.execute, lobby, table, session, command)
    table.post(work, session, command.id)


def _at_no_table(lobby: Lobby, session: Session, command: AnyCommand) -> None:
    """Something new cannot be done; but it may have been, at a table where the session is no more."""
    tables = [
        table
        for table in lobby.tables.values()
        if table.done.may_have_forgotten(session.id, command.id)
    ]
    if not tables:
        raise RefusalError(Refusal(Code.AT_NO_TABLE))
    work = partial(table_commands.repeat_answer, lobby, tables, session, command)
    tables[0].post(work, session, command.id)
