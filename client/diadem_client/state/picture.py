"""What a client knows, as one frozen picture, and how each message changes it."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diadem.entries import MAX_ROUNDS, Left
from diadem.game import AnyGame, Event, Seat, View
from diadem.games import GAMES
from diadem.protocol import (
    Accepted,
    Gone,
    Happened,
    History,
    Join,
    Lobby,
    Part,
    Said,
    TableLine,
    TablePublic,
    TableView,
    WatchLobby,
)
from diadem.refusals import Refusal
from diadem_client.net.session import Answered, SessionEvent, Welcomed, successor_table
from diadem_client.net.transport import Closed, Connected, Connecting, Link, Reconnecting, Silent
from diadem_client.wording.around import read_event
from diadem_client.wording.events import tell

KEPT_LINES = 300
KEPT_CHAT = 200
MOST_TABLES = 1_000
"""As many are listed; nobody reads on."""


class LogLine(Struct, frozen=True):
    entry: int
    event: Any
    """As everybody may remember it; None once there is nothing to remember."""
    text: str


class TablePicture(Struct, frozen=True):
    """A table as we saw it last."""

    code: str
    entry: int
    number: int
    seat: Seat | None
    resigned: Seat | None
    """The seat that we gave up and may take back."""
    public: TablePublic
    view: View[Any, Any] | None
    """The game's own view; None before the first round is dealt."""
    happened: tuple[Happened, ...]
    """What came with this view, its events in their own types."""
    deadline: float | None
    """When somebody's time runs out, on the monotonic clock."""
    log: tuple[LogLine, ...] = ()
    log_is_whole: bool = True
    """Whether nothing is known to be missing before the last line."""
    chat: tuple[Said, ...] = ()
    muted: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()

    @property
    def game(self) -> AnyGame:
        return GAMES[self.public.setup.game]

    @property
    def game_events(self) -> tuple[Event, ...]:
        """What the game itself told with this view; players who come and go are for the log alone."""
        events = (each.event for each in self.happened)
        return tuple(each for each in events if isinstance(each, self.game.event_type))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.public.players)

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.seat in self.public.actors

    @property
    def is_maker(self) -> bool:
        return self.seat is not None and self.seat == self.public.maker

    @property
    def scores(self) -> tuple[int, ...]:
        """Over the rounds that are played out."""
        rounds = self.public.rounds
        return tuple(
            sum(each.scores[seat] for each in rounds) for seat in range(len(self.public.players))
        )


class Picture(Struct, frozen=True):
    link: Link = Connecting()
    name: str = ""
    server: str = ""
    version: str = ""
    """Of the server."""
    welcomed: bool = False
    lobby: tuple[TableLine, ...] | None = None
    table: TablePicture | None = None
    chat: tuple[Said, ...] = ()
    """What was said at the table that is not seen yet: it comes before the first view."""
    sent_off: Refusal | None = None
    """Why we are at no table any more, if the server said so."""


Change: TypeAlias = SessionEvent | Link


def apply_change(picture: Picture, change: Change, now: float) -> Picture:
    """The picture after something was told; `now` is on the monotonic clock."""
    match change:
        case Connecting() | Connected() | Silent() | Reconnecting() | Closed():
            return replace(picture, link=change)
        case Welcomed(welcome):
            return replace(
                picture,
                name=welcome.name,
                server=welcome.server,
                version=welcome.version,
                welcomed=True,
            )
        case Lobby(tables):
            by_code = {line.table: line for line in tables[:MOST_TABLES]}
            return replace(picture, lobby=tuple(by_code.values()))
        case TableView():
            return _seen(picture, change, now)
        case Said():
            return _heard(picture, change)
        case Gone(table, why) if picture.table is None or picture.table.code == table:
            sent_off = None if successor_table(why) else why
            return replace(picture, table=None, chat=(), sent_off=sent_off)
        case Answered(command, answer):
            return _answered(picture, command, answer)
        case _:
            return picture


def without_notice(picture: Picture) -> Picture:
    """What the server said last has been read."""
    return replace(picture, sent_off=None)


def _answered(picture: Picture, command: Any, answer: Any) -> Picture:
    match command, answer:
        case Join(), Accepted():
            # All that is remembered of the chat comes anew.
            table = picture.table
            if table is not None:
                table = replace(table, chat=()) if table.code == command.table.upper() else None
            return replace(picture, table=table, chat=())
        case Part(), Accepted():
            return replace(picture, table=None, chat=())
        case WatchLobby(on=False), Accepted():
            return replace(picture, lobby=None)
        case _, History() if picture.table is not None:
            return replace(picture, table=_recollected(picture.table, answer))
        case _:
            return picture


def _heard(picture: Picture, said: Said) -> Picture:
    table = picture.table
    if table is None:
        return replace(picture, chat=(*picture.chat, said)[-KEPT_CHAT:])
    return replace(picture, table=replace(table, chat=(*table.chat, said)[-KEPT_CHAT:]))


# Views


def _seen(picture: Picture, message: TableView, now: float) -> Picture:
    public = msgspec.convert(message.public, TablePublic)
    _refuse_contradictions(public, message.seat)
    before = picture.table
    if before is not None and before.code != message.table:
        before = None
    table = TablePicture(
        code=message.table,
        entry=message.entry,
        number=message.number,
        seat=message.seat,
        resigned=message.resigned,
        public=public,
        view=_game_view(message, public),
        happened=_read(message.happened, public.setup.game),
        deadline=None if public.deadline is None else now + public.deadline / 1000,
        chat=picture.chat if before is None else before.chat,
        muted=message.muted,
        banned=message.banned,
    )
    return replace(picture, table=_with_log(table, before), chat=(), sent_off=None)


def _read(happened: Sequence[Happened], game: str) -> tuple[Happened, ...]:
    """The last of these, each event in its own type."""
    kept = happened[-KEPT_LINES:]
    return tuple(Happened(each.entry, read_event(game, each.event)) for each in kept)


def _refuse_contradictions(public: TablePublic, seat: Seat | None) -> None:
    """Every seat that is spoken of is there, and scores are those of all who sit there."""
    seats = len(public.players)
    spoken_of = (seat, public.maker, *public.actors)
    outcomes = (line for each in public.rounds for line in (each.scores, each.tiebreaks))
    if not (
        all(each is None or each in range(seats) for each in spoken_of)
        and all(len(each) == seats for each in outcomes)
        and len(public.rounds) <= MAX_ROUNDS
    ):
        raise msgspec.ValidationError("a view that contradicts itself")


def _game_view(message: TableView, public: TablePublic) -> View[Any, Any] | None:
    game = GAMES.get(public.setup.game)
    if game is None:
        raise msgspec.ValidationError(f"no game is called {public.setup.game!r} here")
    if len(public.players) > game.seats[-1]:
        raise msgspec.ValidationError("more players than seats")
    if public.game is None:
        return None
    return game.read_view(message.seat, public.game, message.private)


def _with_log(table: TablePicture, before: TablePicture | None) -> TablePicture:
    """The log goes on from what was there; what was missed on the way has to be asked for."""
    if before is None:
        return replace(
            table,
            log=_lines(table, table.happened),
            log_is_whole=len(table.happened) >= table.entry,
        )
    if table.entry == before.entry:
        return replace(table, log=before.log, log_is_whole=before.log_is_whole)
    remembered = tuple(_remembered(line, table) for line in before.log)
    names = before if any(isinstance(each.event, Left) for each in table.happened) else table
    lines = _lines(table, table.happened, names.names)
    # A view that is sent because somebody came says nothing of how its entry was made.
    misses_nothing = table.entry == before.entry + 1 and bool(table.happened)
    whole = before.log_is_whole and misses_nothing
    return replace(table, log=(*remembered, *lines)[-KEPT_LINES:], log_is_whole=whole)


def _lines(
    table: TablePicture, happened: tuple[Happened, ...], names: tuple[str, ...] | None = None
) -> tuple[LogLine, ...]:
    game = table.public.setup.game
    lines = []
    for each in happened:
        text = tell(game, each.event, table.names if names is None else names, table.seat) or ""
        lines.append(LogLine(each.entry, each.event, text))
    return tuple(lines)


def _remembered(line: LogLine, table: TablePicture) -> LogLine:
    """What a log still says later: some games have things forgotten (D-12)."""
    game = table.game
    if table.view is None or not isinstance(line.event, game.event_type):
        return line
    event = game.recall(table.view.public, line.event)
    if event is line.event:
        return line
    text = "" if event is None else tell(game.name, event, table.names, table.seat) or ""
    return LogLine(line.entry, event, text)


def _recollected(table: TablePicture, history: History) -> TablePicture:
    """The log as the server remembers it, what has come since, and what its page is too short for."""
    page = _lines(table, _read(history.happened, table.game.name))
    first, last = (page[0].entry, page[-1].entry) if page else (0, 0)
    older = tuple(line for line in table.log if line.entry < first)
    newer = tuple(line for line in table.log if line.entry > last)
    return replace(table, log=(*older, *page, *newer)[-KEPT_LINES:], log_is_whole=True)
