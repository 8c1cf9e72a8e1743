"""Client state: what a client knows, as one immutable value, and how each message changes it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diadem_client.net.session import Answered, SessionEvent, Welcomed, successor_table
from diadem_client.net.transport import Closed, Connected, Connecting, Link, Reconnecting, Silent
from diadem_client.state.known_games import game_of
from diadem_client.state.names_at_event import former_names
from diadem_client.state.shuffle_check import ShuffleCheck
from diadem_client.wording.events import tell
from diadem_client.wording.match_events import read_event
from diadem_client.wording.reactions import reaction
from diadem_client.wording.shuffle import doubt
from diadem_shared.entries import MAX_ROUNDS, Left, Started
from diadem_shared.game import AnyGame, Event, Seat, View
from diadem_shared.lenient import convert_known
from diadem_shared.lesson import is_lesson
from diadem_shared.lexicon.shelf import WordListLine
from diadem_shared.protocol import (
    ENTRY,
    Accepted,
    Door,
    Gone,
    Happened,
    History,
    Join,
    LobbyView,
    Part,
    Reacted,
    Said,
    TableLine,
    TablePublic,
    TableView,
    WatchLobby,
)
from diadem_shared.refusals import Refusal

KEPT_LINES = 300
KEPT_CHAT = 200
REACTION_SECONDS = 5.0
MOST_TABLES = 1_000
"""The most tables that the lobby lists."""
MOST_WORD_LISTS = 50
"""The most word lists that are offered."""
MOST_DOORS = 10
MOST_FEATURES = 100


class LogLine(Struct, frozen=True):
    entry: int
    event: Any
    """The event as a log may tell it later; None if the game wants it forgotten."""
    text: str


class ReactionNote(Struct, frozen=True):
    """What somebody says, shown beside their name."""

    seat: Seat
    words: str
    until: float
    """On the monotonic clock."""


class TableState(Struct, frozen=True):
    """A table as it was in the last view."""

    code: str
    entry: int
    number: int
    seat: Seat | None
    resigned: Seat | None
    """The seat that this player resigned from and may take back."""
    public: TablePublic
    view: View[Any, Any] | None
    """The game's own view; None before the first round is dealt."""
    happened: tuple[Happened, ...]
    """The events that came with this view, decoded."""
    deadline: float | None
    """When the running clock runs out, on the monotonic clock."""
    log: tuple[LogLine, ...] = ()
    log_is_whole: bool = True
    """Whether the log has no known gap before its last line."""
    chat: tuple[Said, ...] = ()
    reactions: tuple[ReactionNote, ...] = ()
    muted: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    chain: str = ""
    """The newest link of the hash chain."""
    shuffle: ShuffleCheck = ShuffleCheck()
    gives_hints: bool = False
    """Whether the player may ask for a hint in this round, when it is their turn."""

    @property
    def game(self) -> AnyGame:
        return game_of(self.public.setup.game)

    @property
    def game_events(self) -> tuple[Event, ...]:
        """The game's own events of this entry; those of the match go to the log alone."""
        return self._game_events(lambda entry: entry == self.entry)

    @property
    def skipped_events(self) -> tuple[Event, ...]:
        """Those of entries before it that were not shown for themselves."""
        return self._game_events(lambda entry: entry < self.entry)

    def _game_events(self, wanted: Callable[[int], bool]) -> tuple[Event, ...]:
        events = (each.event for each in self.happened if wanted(each.entry))
        return tuple(each for each in events if isinstance(each, self.game.event_type))

    @property
    def past(self) -> tuple[Event, ...]:
        """The game's own events of the last round that was begun, as far as the log goes."""
        found: list[Event] = []
        for line in reversed(self.log):
            if isinstance(line.event, Started):
                break
            if isinstance(line.event, self.game.event_type):
                found.append(line.event)
        return tuple(reversed(found))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.public.players)

    @property
    def is_lesson(self) -> bool:
        """Whether the player learns here. Where others than bots play it is none, whatever the server says."""
        is_alone = all(player.bot for player in self.public.players[1:])
        return is_lesson(self.public.setup) and self.seat == 0 and is_alone

    @property
    def my_turn(self) -> bool:
        return self.seat in self.public.actors and not self.is_stood_in

    @property
    def is_stood_in(self) -> bool:
        """Whether a bot plays for this player, who may take the seat back."""
        return self.seat is not None and self.public.players[self.seat].away

    @property
    def is_maker(self) -> bool:
        return self.seat is not None and self.seat == self.public.maker

    @property
    def scores(self) -> tuple[int, ...]:
        """The sums over finished rounds."""
        rounds = self.public.rounds
        return tuple(
            sum(each.scores[seat] for each in rounds) for seat in range(len(self.public.players))
        )


class ClientState(Struct, frozen=True):
    link: Link = Connecting()
    name: str = ""
    server: str = ""
    version: str = ""
    """The server's name."""
    word_lists: tuple[WordListLine, ...] = ()
    """Those that the server has."""
    doors: tuple[Door, ...] = ()
    """How others come to the server, as it says."""
    features: tuple[str, ...] = ()
    """What the server can do beyond the first `diadem.v1`."""
    welcomed: bool = False
    lobby: tuple[TableLine, ...] | None = None
    table: TableState | None = None
    chat: tuple[Said, ...] = ()
    """Chat that arrived before the first view of its table."""
    sent_off: Refusal | None = None
    """Why the player is no longer at a table, if the server said so."""

    @property
    def decided_on(self) -> int | None:
        """The entry that a move is sent with; None to a server that knows no such thing."""
        return self.table.entry if self.table and ENTRY in self.features else None


Change: TypeAlias = SessionEvent | Link | ShuffleCheck


def apply_change(client_state: ClientState, change: Change, now: float) -> ClientState:
    """The state after a change; `now` is on the monotonic clock."""
    match change:
        case Connecting() | Connected() | Silent() | Reconnecting() | Closed():
            return replace(client_state, link=change)
        case Welcomed(welcome):
            return replace(
                client_state,
                name=welcome.name,
                server=welcome.server,
                version=welcome.version,
                word_lists=welcome.word_lists[:MOST_WORD_LISTS],
                doors=welcome.doors[:MOST_DOORS],
                features=welcome.features[:MOST_FEATURES],
                welcomed=True,
            )
        case LobbyView(tables):
            by_code = {line.table: line for line in tables[:MOST_TABLES]}
            return replace(client_state, lobby=tuple(by_code.values()))
        case TableView():
            return _seen(client_state, change, now)
        case Said():
            return _heard(client_state, change)
        case Reacted(name, seat, kind) if words := reaction(kind):
            return _noted(_heard(client_state, Said(name, seat, words)), seat, words, now)
        case Gone(table, why) if client_state.table is None or client_state.table.code == table:
            sent_off = None if successor_table(why) else why
            return replace(client_state, table=None, chat=(), sent_off=sent_off)
        case ShuffleCheck() if client_state.table is not None:
            return replace(client_state, table=_with_check(client_state.table, change))
        case Answered(command, answer):
            return _answered(client_state, command, answer)
        case _:
            return client_state


def without_notice(client_state: ClientState) -> ClientState:
    """The state without the server's last notice."""
    return replace(client_state, sent_off=None)


def _answered(client_state: ClientState, command: Any, answer: Any) -> ClientState:
    match command, answer:
        case Join(), Accepted():
            # The server sends the kept chat again.
            table = client_state.table
            if table is not None:
                table = replace(table, chat=()) if table.code == command.table.upper() else None
            return replace(client_state, table=table, chat=())
        case Part(), Accepted():
            return replace(client_state, table=None, chat=())
        case WatchLobby(on=False), Accepted():
            return replace(client_state, lobby=None)
        case _, History() if client_state.table is not None:
            return replace(client_state, table=_recollected(client_state.table, answer))
        case _:
            return client_state


def _with_check(table: TableState, check: ShuffleCheck) -> TableState:
    """What speaks against the shuffle is told in the log, once."""
    before, doubted = table.shuffle, doubt(check)
    if doubted and doubted != doubt(before):
        line = LogLine(table.entry, None, doubted)
        table = replace(table, log=(*table.log, line)[-KEPT_LINES:])
    return replace(table, shuffle=check)


def _noted(client_state: ClientState, seat: Seat | None, words: str, now: float) -> ClientState:
    """Beside the name for a moment, where they have a seat."""
    table = client_state.table
    if table is None or seat is None or seat not in range(len(table.names)):
        return client_state
    others = (note for note in table.reactions if note.seat != seat and note.until > now)
    note = ReactionNote(seat, words, now + REACTION_SECONDS)
    return replace(client_state, table=replace(table, reactions=(*others, note)))


def _heard(client_state: ClientState, said: Said) -> ClientState:
    table = client_state.table
    if table is None:
        return replace(client_state, chat=(*client_state.chat, said)[-KEPT_CHAT:])
    return replace(client_state, table=replace(table, chat=(*table.chat, said)[-KEPT_CHAT:]))


# Views


def _seen(client_state: ClientState, message: TableView, now: float) -> ClientState:
    public = convert_known(message.public, TablePublic)
    _refuse_contradictions(public, message.seat)
    before = client_state.table
    if before is not None and before.code != message.table:
        before = None
    table = TableState(
        code=message.table,
        entry=message.entry,
        number=message.number,
        seat=message.seat,
        resigned=message.resigned,
        public=public,
        view=_game_view(message, public),
        happened=_read(message.happened, public.setup.game),
        deadline=None if public.deadline is None else now + public.deadline / 1000,
        chat=client_state.chat if before is None else before.chat,
        reactions=() if before is None else before.reactions,
        muted=message.muted,
        banned=message.banned,
        chain=message.chain,
        gives_hints=message.hints,
        shuffle=ShuffleCheck() if before is None else before.shuffle,
    )
    return replace(client_state, table=_with_log(table, before), chat=(), sent_off=None)


def _read(happened: Sequence[Happened], game: str) -> tuple[Happened, ...]:
    """The newest of these, with their events decoded."""
    kept = happened[-KEPT_LINES:]
    return tuple(Happened(each.entry, read_event(game, each.event)) for each in kept)


def _refuse_contradictions(public: TablePublic, seat: Seat | None) -> None:
    """Raise BadFrame if a view names seats that do not exist, or not one score a seat."""
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
    game = game_of(public.setup.game)
    if len(public.players) > game.seats[-1]:
        raise msgspec.ValidationError("more players than seats")
    if public.game is None:
        return None
    return game.read_view(message.seat, public.game, message.private)


def _with_log(table: TableState, before: TableState | None) -> TableState:
    """Append the view's events to the log; a gap is noted, and the history has to be asked for."""
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
    table: TableState, happened: tuple[Happened, ...], names: tuple[str, ...] | None = None
) -> tuple[LogLine, ...]:
    game = table.public.setup.game
    lines = []
    for each in happened:
        text = tell(game, each.event, table.names if names is None else names, table.seat) or ""
        lines.append(LogLine(each.entry, each.event, text))
    return tuple(lines)


def _remembered(line: LogLine, table: TableState) -> LogLine:
    """The line as a log may tell it later: some games have events forgotten (D-12)."""
    game = table.game
    if table.view is None or not isinstance(line.event, game.event_type):
        return line
    event = game.recall(table.view.public, line.event)
    if event is line.event:
        return line
    text = "" if event is None else tell(game.name, event, table.names, table.seat) or ""
    return LogLine(line.entry, event, text)


def _recollected(table: TableState, history: History) -> TableState:
    """Merge the history with the lines that have come since, and with older ones that its page leaves out."""
    happened = _read(history.happened, table.game.name)
    first, last = (happened[0].entry, happened[-1].entry) if happened else (0, 0)
    own = [line for line in table.log if line.event is None and first <= line.entry <= last]
    older = tuple(line for line in table.log if line.entry < first)
    newer = tuple(line for line in table.log if line.entry > last)
    events = [*(each.event for each in happened), *(line.event for line in newer)]
    names = former_names(events, table.names)
    page = [
        line
        for each, then in zip(happened, names, strict=False)
        for line in _lines(table, (each,), then)
    ]
    page = sorted((*page, *own), key=lambda line: line.entry)  # what the client says of its own
    return replace(table, log=(*older, *page, *newer)[-KEPT_LINES:], log_is_whole=True)
