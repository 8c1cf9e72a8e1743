"""What a player of Diamino is asked, in a sentence."""

from diadem_client.board.pane import Scene
from diadem_client.games.diamino import opinion
from diadem_client.games.diamino.draft import Parcel
from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed, ngettext
from diadem_shared.games.diamino.table import Give, Lay, Pass, Pending, PublicState, TurnPhase

Doubtful = Pass | Give | Lay


def question(scene: Scene | None, doubtful: Doubtful | None, parcel: Parcel | None) -> str:
    if scene is None or scene.seat is None:
        return ""
    table: PublicState = scene.public
    if doubtful is not None:
        return _once_more(doubtful)
    if parcel is not None and table.phase is TurnPhase.GIVE:
        sentence = ngettext(
            "Red devil: you may give {most} tile back. Its letter marks it, Enter goes on.",
            "Red devils: you may give {most} tiles back. Letters mark them, Enter goes on.",
            parcel.most,
        )
        return sentence.format(most=parcel.most)
    if parcel is not None:
        return _("Exchange: letters mark tiles, Enter exchanges them and ends your turn.")
    if not scene.may_act:
        return ""
    if table.phase is TurnPhase.JUDGE and table.pending:
        return _of_judges(scene, table, table.pending)
    if table.refused:
        return _("Your last try: lay another word, or pass (2).")
    return _("Your turn: lay a word.")


def _once_more(doubtful: Doubtful) -> str:
    match doubtful:
        case Pass():
            return _("Pass? Enter passes, any other key does not.")
        case Lay():
            return _("The table has just refused that. Enter proposes it again, Esc does not.")
        case Give():
            return _("Keep all your tiles? Enter keeps them; a letter marks one to give back.")


def _of_judges(scene: Scene, table: PublicState, pending: Pending) -> str:
    """Who has accepted is asked anew once somebody objects, and is told so."""
    words = listed(map(opinion.word_of, pending.runs))
    against = [scene.names[seat] for seat, accepts in enumerate(table.votes) if accepts is False]
    if not against:
        sentence = _("{name} lays {words}: + accepts, - objects.")
        return sentence.format(name=scene.names[table.turn], words=words)
    voters = len(table.votes) - 1
    sentence = _("{words}: {count} of {voters} against ({names}). Now all vote: + or -.")
    return sentence.format(words=words, count=len(against), voters=voters, names=listed(against))
