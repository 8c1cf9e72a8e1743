"""People whose client adds to the chance of rounds, played by hand."""

from diadem_shared import protocol
from diadem_shared.protocol import TableView
from diadem_shared.shuffle import commitment_of_player
from tests.rig.wire import Player


def added_by(player: Player) -> bytes:
    """What they add; the same each time, as nobody bets on it here."""
    return player.name.encode().ljust(32, b".")


def commitment(player: Player, view: TableView) -> str:
    public = view.public
    assert view.seat is not None
    name = public["players"][view.seat]["name"]
    server = bytes.fromhex(public["shuffle"]["server"])
    return commitment_of_player(server, len(public["rounds"]), name, added_by(player)).hex()


def is_sealed(view: TableView) -> bool:
    return bool(view.public["shuffle"] and view.public["shuffle"]["sealed"])


def may_commit(view: TableView) -> bool:
    return bool(view.seat is not None and view.public["shuffle"]) and not is_sealed(view)


async def commit(player: Player) -> str:
    """Commit to it, once they have a seat; the commitment."""
    committed = commitment(player, await player.seen(may_commit))
    await player.ask(protocol.Commit, committed)
    return committed


async def open_it(player: Player) -> str:
    """Open it, once it is sealed; the opening."""
    await player.seen(is_sealed)
    opening = added_by(player).hex()
    await player.ask(protocol.Open, opening)
    return opening
