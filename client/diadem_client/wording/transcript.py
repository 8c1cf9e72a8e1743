"""A match that is over, told from its first round to its result, as a text that people read."""

from collections.abc import Iterable, Iterator, Sequence

from diadem_client.i18n import after_colon, listed, sanitized
from diadem_client.i18n import gettext as _
from diadem_client.wording import turns
from diadem_client.wording.events import scores, tell, turns_of
from diadem_client.wording.options import game_name
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Happening
from diadem_client.wording.verified import shown
from diadem_shared.entries import Moved, Started
from diadem_shared.match import Match
from diadem_shared.playout import Step


def transcript(code: str, steps: Iterable[Step]) -> Iterator[str]:
    """Line by line, as somebody would have seen it who looked on; an empty one before each round."""
    happened: list[Happening] = []
    match: Match | None = None
    for step in steps:
        if isinstance(step.entry, Started):
            if match is None or (not match.rounds and match.state is None):
                yield _head(code, step.match)
            yield from _round(happened, step.match)
            happened = []
            yield ""
        match = step.match
        if match.state is not None:
            happened += _told(step)
    if match is not None:
        yield from _round(happened, match)
        yield from _results(match)


def _head(code: str, match: Match) -> str:
    game = game_name(match.setup.game)
    told = _("{game}, table {table}").format(game=game, table=sanitized(code))
    return told + after_colon(listed(_names(match)))


def _told(step: Step) -> Iterator[Happening]:
    """Moves are told by what they lead to."""
    game, names = step.match.setup.game, _names(step.match)
    events = [] if isinstance(step.entry, Moved) else [step.entry]
    for event in (*events, *(happening.told(None) for happening in step.told)):
        yield event, sanitized(tell(game, event, names) or "")


def _round(happened: Sequence[Happening], match: Match) -> Iterator[str]:
    """In one line a turn."""
    for line in turns.lines(turns_of(match.setup.game), happened, Reader(_names(match))):
        yield sanitized(line.text)


def _results(match: Match) -> Iterator[str]:
    """Each round for itself, where there was more than one; the sums were told at the end of the match."""
    if len(match.rounds) < 2:
        return
    names = _names(match)
    yield ""
    for number, outcome in enumerate(match.rounds, 1):
        told = _("Round {number}: {scores}")
        yield told.format(number=number, scores=scores(outcome, names))
    yield _("All rounds: {scores}").format(scores=scores(match.totals, names))


def _names(match: Match) -> list[str]:
    return [shown(player.name) for player in match.players]
