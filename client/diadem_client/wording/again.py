"""After a match: who wants to play again, in a sentence."""

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed
from diadem_client.state.client_state import TableState
from diadem_client.wording.state import blocked
from diadem_shared.match import Phase
from diadem_shared.protocol import PlayerLine


def wants_again(table: TableState) -> bool:
    """Whether this player has said so."""
    return table.seat is not None and table.public.players[table.seat].ready


def may_ask_again(table: TableState) -> bool:
    """Whether this player can say so, or follow those who have."""
    if table.public.phase is not Phase.OVER:
        return False
    return table.seat is not None or table.public.again is not None


def may_begin_again(table: TableState) -> bool:
    """Whether this player can begin without those who have not said so."""
    over = table.public.phase is Phase.OVER and table.public.again is None
    return over and table.is_maker and bool(_willing(table))


def next_match(table: TableState) -> str:
    """What can be done once the match is over."""
    if table.public.again is not None:
        return _("The others play again at table {table}. Press g to follow them.").format(
            table=table.public.again
        )
    if why := blocked(table):
        return why
    if table.seat is None:
        return _("You look on. Press F10 to go back to the lobby.")
    if not wants_again(table):
        if others := _willing(table):
            return _("{names} would like to play again. Press g if you would, too.").format(
                names=listed(others)
            )
        return _("Press g to play again with the same terms, F10 to leave.")
    asked = _asked(table)
    words = (
        _("You would like to play again. Waiting for {names}.").format(names=listed(asked))
        if asked
        else _("You would like to play again. Waiting for who may come back.")
    )
    if table.is_maker:
        words += " " + _("Press s to begin without them.")
    return words


def _willing(table: TableState) -> list[str]:
    return [each.name for each in _people(table) if each.ready]


def _asked(table: TableState) -> list[str]:
    return [each.name for each in _people(table) if not each.ready]


def _people(table: TableState) -> list[PlayerLine]:
    """Those who are still here, also if a bot has played on for them."""
    players = table.public.players
    return [each for each in players if each.present and (each.bot is None or each.away)]
