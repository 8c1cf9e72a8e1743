"""The state of a table and of the connection in a few words, for header and title."""

import math

from diadem_client.i18n import after_colon, listed, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.net.transport import Closed, Connected, Connecting, Link, Reconnecting, Silent
from diadem_client.state.client_state import TableState
from diadem_client.wording.options import game_name, temper
from diadem_client.wording.refusals import sentence_for
from diadem_shared.game import Seat
from diadem_shared.match import Phase
from diadem_shared.protocol import PlayerLine, TableLine


def link_state(link: Link, now: float) -> str:
    match link:
        case Connecting():
            return _("connecting")
        case Connected():
            return _("connected")
        case Silent(since):
            return _("server heard {count} s ago").format(count=max(0, round(now - since)))
        case Reconnecting(at):
            return _("reconnecting in {count} s").format(count=max(0, math.ceil(at - now)))
        case Closed():
            return _("not connected")


def changes_by_itself(link: Link, table: TableState | None) -> bool:
    """Whether what is shown changes as time passes."""
    clock_runs = table is not None and table.deadline is not None
    return clock_runs or isinstance(link, Silent | Reconnecting)


def title(table: TableState | None, *, tells_all: bool = False) -> str:
    """The title of the terminal's window.

    It contains text of other players only where `tells_all`: that they are waited for.
    """
    if table is None:
        return "Diadem"
    game = game_name(table.public.setup.game)
    if table.my_turn:
        return _("Your turn: {game}").format(game=game)
    return game + after_colon(turn(table)) if tells_all else "Diadem"


def turn(table: TableState) -> str:
    """Whose turn it is, or what the table waits for."""
    match table.public.phase:
        case Phase.GATHERING:
            return _("before the start")
        case Phase.BETWEEN:
            return _("between two rounds")
        case Phase.OVER:
            return _("the match is over")
        case Phase.PLAYING:
            if table.my_turn:
                return _("YOUR TURN")
            return whose_turn(table)


def whose_turn(table: TableState) -> str:
    """By name, even where it is the reader's own; empty while nobody is to move."""
    names = listed(table.names[seat] for seat in table.public.actors)
    return _("waiting for {names}").format(names=names) if names else ""


def place(table: TableState) -> str:
    """The number of the round, and of how many."""
    rounds = table.public.setup.rounds
    if rounds == 1 or table.public.phase is Phase.GATHERING:
        return ""
    running = len(table.public.rounds) + (table.public.phase is Phase.PLAYING)
    return _("round {number}/{rounds}").format(number=running, rounds=rounds)


def clock(table: TableState, now: float) -> str:
    if table.deadline is None:
        return ""
    left = max(0, math.ceil(table.deadline - now))
    return f"{left // 60}:{left % 60:02}"


def blocked(table: TableState) -> str:
    """Why no round is dealt although all are ready; empty if one will be."""
    if table.public.blocked is None:
        return ""
    why = sentence_for(table.public.blocked, table.names, table.public.setup.game)
    if table.public.phase is Phase.OVER:
        return _("All want to play again, but it cannot begin yet. {why}").format(why=why)
    return _("All are ready, but the round cannot begin. {why}").format(why=why)


def waited_for(table: TableState) -> list[str]:
    """The names of those who must be ready, or come back, before the next round is dealt."""
    return [
        player.name
        for player in table.public.players
        if player.bot is None and not (player.ready and player.present)
    ]


def player_state(table: TableState, player: PlayerLine) -> str:
    """The state of a player: away, ready, resigned, played by a bot ..."""
    game, words = table.public.setup.game, []
    if player.bot is not None and not player.away:
        words.append(_("bot: {level}").format(level=temper(player.bot, game)))
    elif player.away:
        words.append(_("away, bot: {level}").format(level=temper(player.bot or "", game)))
    elif not player.present:
        words.append(_("line lost"))
    if player.program:
        words.append(_("bot of a guest"))
    if player.ready and player.bot is None and _is_waiting(table):
        words.append(_("ready"))
    elif player.ready and table.public.phase is Phase.OVER and (player.bot is None or player.away):
        words.append(_("would play again"))
    if player.name in table.muted:
        words.append(_("muted"))
    return listed(words)


def trouble(player: PlayerLine) -> str:
    """Why a player may be slow, in a word or two."""
    if player.away:
        return _("away")
    return "" if player.present or player.bot is not None else _("line lost")


def standing_in(table: TableState) -> str:
    """That a bot plays for the player, and how they take the seat back; empty if none does."""
    if table.resigned is not None:
        return _("You gave up. Press F2 to take your seat back.")
    return _("A bot plays for you. Press F2 to take your seat back.") if table.is_stood_in else ""


def bots(table: TableState) -> frozenset[Seat]:
    """The seats of bots, but for those that belong to somebody who is away."""
    players = enumerate(table.public.players)
    return frozenset(
        seat for seat, each in players if (each.bot is not None and not each.away) or each.program
    )


def notes(table: TableState, now: float) -> tuple[str, ...]:
    """By seat, what stands beside the name: what they say, or why they may be slow."""
    said = {note.seat: note.words for note in table.reactions if note.until > now}
    return tuple(
        said.get(seat) or trouble(player) for seat, player in enumerate(table.public.players)
    )


def _is_waiting(table: TableState) -> bool:
    return table.public.phase.is_before_round


def table_state(line: TableLine) -> str:
    match line.phase:
        case Phase.GATHERING if len(line.names) < line.seats:
            return _("gathering")
        case Phase.GATHERING:
            return _("full")
        case Phase.OVER:
            return _("over")
        case _:
            return _("playing") if line.spectators else _("playing, closed")


def marked_names(line: TableLine) -> list[str]:
    """Who sits at a table of the lobby."""
    return [
        f"{name} ({_('bot')})" if seat in {*line.bots, *line.programs} else name
        for seat, name in enumerate(line.names)
    ]


def company(table: TableState) -> str:
    """That one looks on, or how many do."""
    if table.public.phase is Phase.GATHERING:
        return ""
    if table.seat is None:
        return _("you look on")
    return _counted(table.public.watchers) if table.public.watchers else ""


def _counted(count: int) -> str:
    return ngettext("{count} looks on", "{count} look on", count).format(count=count)


def watchers(table: TableState) -> str:
    """How many watch, and their names."""
    names, counted = table.public.onlookers, _counted(table.public.watchers)
    muted = [f"{name} ({_('muted')})" if name in table.muted else name for name in names]
    return counted + after_colon(listed(muted)) if muted else counted
