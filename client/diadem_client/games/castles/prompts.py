"""What is asked of whom a witch or a pirate has come to, or said to them where there is nothing to ask."""

from collections.abc import Sequence

from diadem_client.board.pane import Scene
from diadem_client.games.castles.draft import Toll
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_shared.game import Event, Seat
from diadem_shared.games.castles.table import Bought, Drew, Paid, PublicState, Shielded, Stopped


def ruin(scene: Scene) -> str:
    """Who has nothing to choose among is not asked: the turn is over at once. This is why."""
    if scene.seat is None or not scene.actors or scene.public.holdings[scene.seat].cards:
        return ""
    paid = _paid_last(scene.past, scene.seat)
    if paid is None:
        return ""
    pirates = scene.game == "piratatak"
    if not paid.cards:
        return (
            _("A pirate! You had nothing to give up, and your turn is over.")
            if pirates
            else _("The witch! You had nothing to give up, and your turn is over.")
        )
    return (
        _("A pirate! You gave up all you had, and your turn is over.")
        if pirates
        else _("The witch! You gave up all you had, and your turn is over.")
    )


def _paid_last(past: Sequence[Event], seat: Seat) -> Paid | None:
    """What a player's last turn ended with, if with that."""
    for event in reversed(past):
        match event:
            case Paid(by) if by == seat:
                return event
            case Drew(by) | Stopped(by) | Bought(by) | Shielded(by) if by == seat:
                return None
            case _:
                pass
    return None


def danger_question(table: PublicState, toll: Toll | None, *, pirates: bool) -> str:
    need, marked = (toll.owed, toll.marked) if toll else (0, 0)
    asked = ngettext(
        "Give up {need} card: mark it (Space), then Enter. Marked {marked} of {need}.",
        "Give up {need} cards: mark them (Space), then Enter. Marked {marked} of {need}.",
        need,
    )
    shields = _("Or fire your cannon: F.") if pirates else _("Or send your fairy: F.")
    sentence = asked.format(need=need, marked=marked)
    return f"{sentence} {shields}" if table.mover.shielded else sentence


def still_to_mark(toll: Toll) -> str:
    more = toll.owed - toll.marked
    sentence = ngettext("Mark {more} more card first.", "Mark {more} more cards first.", more)
    return sentence.format(more=more)
