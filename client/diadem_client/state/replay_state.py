"""What a player would know of a table, made from the entries of a match that is over."""

from collections.abc import Sequence

from diadem_client.i18n import sanitized
from diadem_client.state.client_state import KEPT_LINES, ClientState, LogLine, TableState
from diadem_client.wording.events import tell
from diadem_client.wording.verified import shown
from diadem_shared.entries import Moved
from diadem_shared.game import Viewer
from diadem_shared.match import Match
from diadem_shared.playback import Playback
from diadem_shared.playout import Step
from diadem_shared.protocol import Happened, PlayerLine, TablePublic


def picture_at(playback: Playback, number: int, viewer: Viewer) -> ClientState:
    """After this entry, as this seat saw it: nothing of a match that is over is hidden any more."""
    first = max(playback.first, number - KEPT_LINES + 1)
    return picture_of(playback.steps(first, number), playback.code, viewer)


def picture_of(steps: Sequence[Step], code: str, viewer: Viewer) -> ClientState:
    """After the last of these steps, with a log of all of them."""
    match = steps[-1].match
    number = match.entries
    seat = viewer if viewer in range(len(match.players)) else None
    names = tuple(shown(player.name) for player in match.players)
    lines = [line for step in steps for line in _lines(step, names, seat)]
    table = TableState(
        code=sanitized(code),
        entry=number,
        number=number,
        seat=seat,
        resigned=None,
        public=_public(match, names),
        view=None if match.state is None else match.game.view(match.state, seat),
        happened=tuple(_happened(steps[-1], seat)),
        deadline=None,
        log=tuple(lines[-KEPT_LINES:]),
    )
    return ClientState(table=table)


def _public(match: Match, names: Sequence[str]) -> TablePublic:
    players = tuple(
        PlayerLine(
            name=name,
            bot=player.played_by,
            away=player.stand_in is not None,
            present=True,
            ready=False,
        )
        for name, player in zip(names, match.players, strict=True)
    )
    return TablePublic(
        setup=match.setup,
        players=players,
        phase=match.phase,
        maker=None,
        actors=match.actors,
        rounds=match.rounds,
        watchers=0,
        left=match.left,
        deadline=None,
        game=None,
    )


def _happened(step: Step, seat: Viewer) -> list[Happened]:
    number = step.match.entries
    shown_events = [] if isinstance(step.entry, Moved) else [step.entry]
    told = (happening.told(seat) for happening in step.told)
    return [Happened(number, event) for event in (*shown_events, *told)]


def _lines(step: Step, names: Sequence[str], seat: Viewer) -> list[LogLine]:
    game = step.match.setup.game
    return [
        LogLine(each.entry, each.event, sanitized(tell(game, each.event, names, seat) or ""))
        for each in _happened(step, seat)
    ]
