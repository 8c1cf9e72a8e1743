"""How a round or a match ended, in sentences: who won, why, and what comes next."""

from collections.abc import Callable, Iterable, Iterator

from diadem_client.games import GAMES
from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed, ngettext
from diadem_client.state.client_state import TableState
from diadem_client.wording.again import next_match
from diadem_client.wording.reader import Reader
from diadem_client.wording.state import blocked, standing_in, waited_for
from diadem_client.wording.values import grouped
from diadem_shared.game import Outcome, Seat
from diadem_shared.match import Phase, add_up


def final(table: TableState) -> Outcome | None:
    """The sums of a match that is over, or the round that was played last; None before any."""
    rounds = table.public.rounds
    if not rounds:
        return None
    return add_up(rounds, len(table.names)) if table.public.phase is Phase.OVER else rounds[-1]


def who_won(table: TableState) -> str:
    outcome = final(table)
    if outcome is None:
        return _("The match ended before a round was played out: it counts for nobody.")
    reader = Reader(table.names, table.seat)
    over = table.public.phase is Phase.OVER
    match outcome.winners:
        case (winner,) if over:
            return reader.told(winner, _("{name} has won!"), _("You have won!"))
        case winners if over:
            return _("{names} share the win!").format(names=_named(table, winners))
        case (winner,):
            return reader.told(
                winner, _("{name} has won this round."), _("You have won this round.")
            )
        case winners:
            return _("{names} share this round.").format(names=_named(table, winners))


def why(table: TableState) -> Iterator[str]:
    """The reasons, one sentence each: by how much, by which rule, with what."""
    outcome = final(table)
    game = GAMES.get(table.public.setup.game)
    if outcome is None or game is None:
        return
    ending, winners = game.ending, outcome.winners
    best = outcome.scores[winners[0]]
    others = [seat for seat in range(len(table.names)) if seat not in winners]
    if others:
        second = max(others, key=lambda seat: (outcome.scores[seat], outcome.tiebreaks[seat]))
        if best > 1 or len(table.public.rounds) > 1:
            yield _by_how_much(table, ending.scored, best, best - outcome.scores[second], second)
        if outcome.scores[second] == best:
            mine, other = outcome.tiebreaks[winners[0]], outcome.tiebreaks[second]
            yield ending.tie(mine, other)
    if len(winners) > 1:
        yield _("They are equal in everything, and share it (C-3).")
    last = table.public.rounds[-1]
    if table.view is not None and len(last.winners) == 1 and _ended_by_playing(table):
        yield ending.reason(table.view.public, last.winners[0])
    yield from _hinted(table)


def _hinted(table: TableState) -> Iterator[str]:
    """Who was given hints in the match, and how many."""
    given = zip(table.names, table.public.hints or (), strict=False)
    if told := [f"{name} {grouped(count)}" for name, count in given if count]:
        yield _("Hints given: {names}.").format(names=listed(told))


def _by_how_much(
    table: TableState, scored: Callable[[int], str], best: int, margin: int, second: Seat
) -> str:
    if margin == 0:
        return scored(best)
    rounds = len(table.public.rounds)
    if table.public.phase is Phase.OVER and rounds > 1:
        sentence = ngettext(
            "{score}, {margin} before {name}, in {count} round.",
            "{score}, {margin} before {name}, in {count} rounds.",
            rounds,
        )
    else:
        sentence = _("{score}, {margin} before {name}.")
    return sentence.format(
        score=scored(best), margin=grouped(margin), name=table.names[second], count=rounds
    )


def _ended_by_playing(table: TableState) -> bool:
    """Whether what lies there is the end of the round that was counted last."""
    return table.view is not None and table.game.outcome(table.view.public) is not None


def _named(table: TableState, seats: Iterable[Seat]) -> str:
    return listed(table.names[seat] for seat in seats)


def what_next(table: TableState) -> str:
    if table.public.phase is Phase.OVER:
        return next_match(table)
    if reason := blocked(table):
        return reason
    if stands_in := standing_in(table):
        return stands_in
    own = None if table.seat is None else table.public.players[table.seat]
    if own is not None and not own.ready:
        return _("Press r when you are ready for the next round.")
    waited = waited_for(table)
    if not waited:
        return _("Bots play for all: they begin the next round in a moment.")
    return _("Waiting for {names} to be ready.").format(names=listed(waited))
