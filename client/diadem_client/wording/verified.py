"""What was found out of a match by its file, in sentences."""

from collections.abc import Iterator, Sequence

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed, ngettext, sanitized
from diadem_client.wording.events import scores
from diadem_client.wording.options import game_name
from diadem_client.wording.shuffle import UNDECIDED, what_is_wrong
from diadem_shared.match_file import Fault, Untrue
from diadem_shared.protocol import LONGEST_NAME
from diadem_shared.verification import RoundFact, Verified


def what_holds(what: str, verified: Verified) -> Iterator[str]:
    match = verified.match
    names = [shown(player.name) for player in match.players]
    yield _("{what} holds: {game}, {result}.").format(
        what=what, game=game_name(match.setup.game), result=scores(match.totals, names)
    )
    entries = ngettext(
        "{count} entry was played again, and all of it is allowed by the rules.",
        "{count} entries were played again, and all are allowed by the rules.",
        match.entries,
    )
    yield entries.format(count=match.entries)
    yield _("The result, the last state and the server's commitment agree with them.")
    for number, fact in enumerate(verified.rounds, 1):
        yield _round(number, fact)
    yield from _reservations(verified)


def _round(number: int, fact: RoundFact) -> str:
    if not fact.added:
        told = _("Round {number}: nobody added to the shuffle; its chance is the host's alone.")
        return told.format(number=number)
    added = _names(fact.added)
    if fact.silent:
        told = _(
            "Round {number}: shuffled by the server, {names}; {silent} did not answer in time."
        )
        return told.format(number=number, names=added, silent=_names(fact.silent))
    return _("Round {number}: shuffled by the server, {names}.").format(number=number, names=added)


def _reservations(verified: Verified) -> Iterator[str]:
    if verified.is_chained:
        yield _(
            "The hash chain fits. Whether it is the match you saw, your client found at its end."
        )
        yield _("Who played the same match finds the same last link: {link}.").format(
            link=verified.link
        )
    else:
        yield _("It has no hash chain: an older server wrote it.")
    if verified.dropped:
        yield ngettext(
            "{count} shuffle was given up after it was sealed, and another took its place.",
            "{count} shuffles were given up after they were sealed, and others took their place.",
            verified.dropped,
        ).format(count=verified.dropped)
    if verified.unheard:
        yield ngettext(
            "{count} play has words that the list here does not have.",
            "{count} plays have words that the list here does not have.",
            verified.unheard,
        ).format(count=verified.unheard)


def what_does_not(what: str, untrue: Untrue) -> str:
    wrong = what_is_wrong(untrue.fault, untrue.entry)
    if untrue.fault in UNDECIDED:
        return _("{what} cannot be checked: {wrong}").format(what=what, wrong=wrong)
    told = _("{what} does not hold: {wrong}").format(what=what, wrong=wrong)
    if untrue.fault is Fault.ILLEGAL and untrue.why is not None:
        told = f"{told.removesuffix('.')} ({sanitized(untrue.why.code)})."
    return told


def _names(names: Sequence[str]) -> str:
    return listed(map(shown, names))


def shown(name: str) -> str:
    """A name from a file, which may be anything."""
    return sanitized(name)[:LONGEST_NAME]
