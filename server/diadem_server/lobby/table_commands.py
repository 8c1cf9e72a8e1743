"""What is asked of a table by those who are there. The table does it when its turn comes."""

from collections.abc import Awaitable, Iterable, Sequence

from diadem_server.lobby import codes, moderation, rematch, table_questions
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.table_limits import against_change
from diadem_server.lobby.table_questions import seat_of
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import NewLine, SetReady
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table import views
from diadem_server.table.chat import KEPT_MESSAGES, is_told, tell_reaction
from diadem_server.table.history import Range
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from diadem_shared.entries import (
    Changed,
    Entry,
    Left,
    Moved,
    Resigned,
    Returned,
    Sat,
    Setup,
    TakenOver,
)
from diadem_shared.game import Seat
from diadem_shared.lesson import is_lesson
from diadem_shared.match import OUT_OF_PHASE, Phase, explain_setup
from diadem_shared.protocol import (
    Accepted,
    AddBot,
    Again,
    AnyCommand,
    Ban,
    Change,
    Check,
    Explain,
    GetHint,
    GetHistory,
    GetMoves,
    HandOver,
    History,
    Kick,
    LookUp,
    Mute,
    Part,
    Play,
    React,
    Reacted,
    Ready,
    Remove,
    Resign,
    Say,
    Sit,
    Stand,
    Start,
    TakeBack,
)
from diadem_shared.refusals import Code, Refusal, RefusalError


async def execute(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    await _answered(lobby, session, command.id, _take_turn(lobby, table, session, command))


async def repeat_answer(
    lobby: Lobby, tables: Sequence[Table], session: Session, command: AnyCommand
) -> None:
    """To what was done at one of these tables; anything else cannot be done where the session is."""
    await _answered(lobby, session, command.id, _repeat(lobby, tables, session, command))


async def _answered(lobby: Lobby, session: Session, id_: int, work: Awaitable[None]) -> None:
    """Do it; if it is refused, answer that."""
    try:
        await work
    except RefusalError as refused:
        lobby.refuse(session, id_, refused.refusal)
    except JournalUnavailable:
        lobby.refuse(session, id_, Refusal(Code.JOURNAL_UNAVAILABLE))


async def _take_turn(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    forgotten = table.done.may_have_forgotten(session.id, command.id)
    if forgotten and await was_done(lobby, session, command, [table]):
        if isinstance(command, Part) and session in table.seating.viewers:
            session.table = session.table or table.code
        return
    _refuse_who_is_not_here(table, session)
    await _execute(lobby, table, session, command)


async def _repeat(
    lobby: Lobby, tables: Sequence[Table], session: Session, command: AnyCommand
) -> None:
    if not await was_done(lobby, session, command, tables):
        raise RefusalError(Refusal(Code.AT_NO_TABLE))


async def was_done(
    lobby: Lobby, session: Session, command: AnyCommand, tables: Iterable[Table]
) -> bool:
    """Whether it made an entry of one of these tables so long ago that only the journal knows; then it
    is answered as it was."""
    for table in tables:
        if table.done.may_have_forgotten(session.id, command.id) and await was_done_at(
            lobby, session, command, table.code
        ):
            return True
    return False


async def was_done_at(lobby: Lobby, session: Session, command: AnyCommand, table: str) -> bool:
    """The same of one table, whatever node has it."""
    done = await lobby.journal.done_at(table, session.id, command.id)
    if done is None:
        return False
    if done.content not in {None, session.answers.content(command.id)}:
        raise RefusalError(Refusal(Code.ID_REUSED, {"id": command.id}))
    session.answer(Accepted(command.id, done.entry))
    return True


def _refuse_who_is_not_here(table: Table, session: Session) -> None:
    """They may have been sent away while this waited."""
    if session not in table.seating.viewers:
        raise RefusalError(Refusal(Code.AT_NO_TABLE))


async def _execute(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    id_ = command.id
    match command:
        case Play():
            await _play(table, session, command)
        case Check() | LookUp() | GetMoves() | GetHint() | Explain():
            await table_questions.answer(table, session, command)
        case Say() | React():
            await _talk(lobby, table, session, command)
        case GetHistory(_, before):
            _answer_history(lobby, table, session, id_, before)
        case Ready(_, ready):
            await _set_ready(table, session, id_, ready=ready)
        case Part():
            await _part(lobby, table, session, id_)
        case HandOver() | TakeBack() | Resign():
            await _come_and_go(lobby, table, session, command)
        case Again():
            await _again(lobby, table, session, command)
        case Kick() | Ban() | Mute():
            await _moderate(lobby, table, session, command)
        case _:
            await _prepare(lobby, table, session, command)


async def _come_and_go(
    lobby: Lobby, table: Table, session: Session, command: HandOver | TakeBack | Resign
) -> None:
    match command:
        case HandOver(id_, level):
            await _enter(table, TakenOver(seat_of(table, session), level), session, id_)
        case TakeBack(id_):
            await _take_back(lobby, table, session, id_)
        case Resign(id_):
            await _enter(table, Resigned(seat_of(table, session)), session, id_)


async def _moderate(
    lobby: Lobby, table: Table, session: Session, command: Kick | Ban | Mute
) -> None:
    match command:
        case Mute():
            await moderation.mute(table, session, command)
        case Ban(on=False):
            _only_maker(table, session)
            await moderation.lift_ban(table, session, command)
        case Kick() | Ban():
            _only_maker(table, session)
            await moderation.send_away(lobby, table, session, command)


async def _prepare(lobby: Lobby, table: Table, session: Session, command: AnyCommand) -> None:
    """What is done before a round is dealt."""
    id_ = command.id
    match command:
        case Sit():
            await _sit(lobby, table, session, id_)
        case Stand():
            await _enter(table, Left(seat_of(table, session)), session, id_)
        case Start():
            _only_maker(table, session)
            if table.match.phase is Phase.OVER:
                await _begin_again(lobby, table, session, id_)
                return
            table.dealing.refuse_if_not_agreed(table.match)
            if why := table.shuffling.begin(session, id_):
                raise RefusalError(why)
        case Change(_, setup):
            _only_maker(table, session)
            _refuse_to_hide(table, setup)
            if why := explain_setup(setup):
                raise RefusalError(why)
            await _enter(table, Changed(setup), session, id_)
        case AddBot(_, level):
            _only_maker(table, session)
            await _enter(table, Sat(table.name_for_bot(), level), session, id_)
        case Remove(_, seat):
            _only_maker(table, session)
            await _enter(table, Left(seat), session, id_)
        case _:
            raise TypeError(command)


async def _play(table: Table, session: Session, command: Play) -> None:
    seat = seat_of(table, session)
    _refuse_stale(table, seat, command.entry)
    moved = Moved(seat, command.move, table.autoplay.clocks.spent(seat))
    if why := await table.enter(moved, session, command.id):
        raise RefusalError(why)


def _refuse_stale(table: Table, seat: Seat, entry: int | None) -> None:
    """What was decided on another state of the table than there is."""
    began = table.autoplay.turns.entry_of(seat)
    if entry is not None and not began <= entry <= table.match.entries:
        raise RefusalError(Refusal(Code.STALE, {"entry": began}))


async def _enter(table: Table, entry: Entry, session: Session, command: int) -> None:
    if why := against_change(table.match, table.seating.absences, entry):
        raise RefusalError(why)
    if isinstance(entry, Returned) and (why := await table.autoplay.make_late_move(entry.seat)):
        raise RefusalError(why)
    if why := await table.enter(entry, session, command):
        raise RefusalError(why)


async def _sit(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    if table.seating.seat_of(session) is not None:
        raise RefusalError(Refusal(Code.SEATED_ALREADY))
    await _take_seat(lobby, table, Sat(session.name), session, id_)


async def _take_back(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    """C-2: by whoever handed the seat to a bot, or resigned from it."""
    seat = table.seating.resigned_from(session, table.match.phase)
    if seat is None:
        await _enter(table, Returned(seat_of(table, session)), session, id_)
    else:
        await _take_seat(lobby, table, Returned(seat), session, id_)


async def _take_seat(
    lobby: Lobby, table: Table, entry: Sat | Returned, session: Session, id_: int
) -> None:
    await lobby.take_seat(session.id, table.code)
    try:
        await _enter(table, entry, session, id_)
    except RefusalError:
        await lobby.registry.leave_seat(session.id, table.code)
        raise


def _only_maker(table: Table, session: Session) -> None:
    seat = table.seating.seat_of(session)
    if seat is None or seat != table.seating.maker(table.match):
        raise RefusalError(Refusal(Code.ONLY_THE_MAKER))


def _refuse_to_hide(table: Table, setup: Setup) -> None:
    """The code of a public table is too short for a private one, and was shown to everybody."""
    if setup.private and not table.match.setup.private and len(table.code) < codes.PRIVATE_LENGTH:
        raise RefusalError(Refusal(Code.LISTED_ALREADY, {"table": table.code}))


async def _set_ready(table: Table, session: Session, id_: int, *, ready: bool) -> None:
    """It holds until the next round is dealt, over a restart too."""
    seat_of(table, session)
    phase = Phase.PLAYING if table.shuffling.is_dealing else table.match.phase
    if not phase.is_before_round:
        raise RefusalError(Refusal(OUT_OF_PHASE[phase]))
    await _note_ready(table, session, id_, ready=ready)


async def _note_ready(table: Table, session: Session, id_: int, *, ready: bool) -> None:
    change = SetReady(table.code, session.id, table.match.entries, ready)
    await table.acknowledge(session, Accepted(id_), change)
    (table.seating.ready.add if ready else table.seating.ready.discard)(session.id)
    table.show(None)


async def _part(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    seat = table.seating.seat_of(session)
    has_begun = table.shuffling.keeps_seats or table.match.phase is not Phase.GATHERING
    if seat is not None and not has_begun:
        if why := await table.enter(Left(seat), session, id_):
            if session.table is None and session.outbox is not None:
                session.table = table.code
            else:
                await table.leave(session)
            raise RefusalError(why)
    elif session.id in table.seating.players and is_lesson(table.match.setup):
        await _end_lesson(table, session)
        lobby.answer(session, Accepted(id_))
        return
    else:
        lobby.answer(session, Accepted(id_))
    await table.leave(session)


async def _end_lesson(table: Table, learner: Session) -> None:
    """It goes with who learns, who is free at once to sit down elsewhere."""
    await table.leave(learner)
    await table.end()
    if table.match.phase is Phase.OVER:
        table.grace.end(learner.id)


async def _again(lobby: Lobby, table: Table, session: Session, command: Again) -> None:
    """Want to play again, or no longer. The table looks at it next."""
    if table.match.phase is not Phase.OVER:
        raise RefusalError(Refusal(Code.NOT_OVER))
    new = lobby.tables.get(table.rematch.table or "")
    if new is not None and command.on:
        if why := new.refusal(session):
            raise RefusalError(why)
        lobby.answer(session, Accepted(command.id))
        rematch.move_player(lobby, table, session, new)
        return
    seat_of(table, session)
    if command.on:
        await lobby.refuse_if_seated(session)
        table.rematch.table = None  # nobody is left where it was played again
    await _note_ready(table, session, command.id, ready=command.on)


async def _begin_again(lobby: Lobby, table: Table, session: Session, id_: int) -> None:
    """The maker waits no longer for those who have not said that they want to play again."""
    await lobby.refuse_if_seated(session)
    if lobby.is_draining:
        session.come_again(id_)
        return
    if lobby.tables.get(table.rematch.table or "") is not None:
        raise RefusalError(Refusal(Code.ALREADY_STARTED))
    ready = table.seating.ready
    was_ready = session.id in ready
    ready.add(session.id)
    try:
        await rematch.start_rematch(lobby, table, (session, Accepted(id_)))
    except (RefusalError, JournalUnavailable):
        if not was_ready:
            ready.discard(session.id)
        raise


async def _talk(lobby: Lobby, table: Table, session: Session, command: Say | React) -> None:
    match command:
        case Say(id_, text):
            await _say(table, session, text, id_)
        case React(id_, kind):
            seat = table.seating.seat_of(session)
            table.chat.spend(session, looks_on=seat is None)
            lobby.answer(session, Accepted(id_))
            tell_reaction(Reacted(session.name, seat, kind), session, table.seating.viewers)


async def _say(table: Table, session: Session, text: str, id_: int) -> None:
    """Of less weight than a move: it is told even if it cannot be written."""
    line = table.chat.say(session, table.seating.seat_of(session), text)
    try:
        written = NewLine(table.code, line, keep=KEPT_MESSAGES)
        await table.acknowledge(session, Accepted(id_), written)
    except JournalUnavailable:
        session.answer(Accepted(id_))
    for viewer in table.seating.viewers:
        if viewer.is_at_table and is_told(line, viewer):
            viewer.tell(line.said)


def _answer_history(
    lobby: Lobby, table: Table, session: Session, id_: int, before: int | None
) -> None:
    page = table.history.page(before)
    if table.history.has(page):
        session.answer(_history(table, session, id_, page, table.history.recent(page)))
    else:
        # Moves do not wait for it.
        reading = _read_history(lobby, table, session, id_, page)
        lobby.spawn(_answered(lobby, session, id_, reading))


async def _read_history(
    lobby: Lobby, table: Table, session: Session, id_: int, page: Range
) -> None:
    log = await lobby.old_pages.read(session.id, table.history, page)
    _refuse_who_is_not_here(table, session)
    session.answer(_history(table, session, id_, page, log))


def _history(
    table: Table, session: Session, id_: int, page: Range, log: Sequence[Logged]
) -> History:
    happened = views.recalled(table.match, log, table.seating.seat_of(session))
    return History(id_, happened, more=page.first > 1)
