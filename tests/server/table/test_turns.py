"""A move that was decided on another state of the table than there is, is refused; nothing else makes it stale."""

from collections.abc import Sequence

from diadem import protocol
from diadem.entries import Lost, Moved, Returned, Started
from diadem.protocol import Accepted, Refused
from diadem_server.app import App
from diadem_server.table.turns import Turns
from diadem_server.table.views import Logged
from tests.rig.wire import Player
from tests.server import code, done, guess_wrong, looks_on, mover, started


def _low(player: Player) -> str:
    assert player.view is not None
    return f"guess {player.view.public['game']['low']}"


async def _entry_of(player: Player) -> int:
    assert player.view is not None
    return player.view.entry


async def test_a_move_is_made_on_the_entry_it_was_decided_on(
    ana: Player, bob: Player, app: App
) -> None:
    await started(ana, bob)
    first = await mover([ana, bob])
    assert first.view is not None
    secret = app.lobby.tables[first.view.table].match.state.secret
    wrong = 1 if secret != 1 else 2
    answer = await first.ask(protocol.Play, f"guess {wrong}", await _entry_of(first))
    assert isinstance(answer, Accepted)


async def test_a_move_is_stale_once_another_was_made(ana: Player, bob: Player, app: App) -> None:
    await started(ana, bob)
    first = await mover([ana, bob])
    second = bob if first is ana else ana
    decided_on = await _entry_of(second)
    await guess_wrong(first, app)
    assert (await mover([ana, bob])) is second
    refused = await second.ask(protocol.Play, _low(second), decided_on)
    assert isinstance(refused, Refused)
    assert (code(refused), refused.why.about) == ("stale", {"entry": decided_on + 1})
    assert await _entry_of(second) == decided_on + 1


async def test_a_move_that_was_sent_twice_is_made_once(ana: Player, app: App) -> None:
    """Whoever plays alone is on turn again at once, and a second key press was meant for the move before."""
    await started(ana)
    decided_on = await _entry_of(ana)
    await guess_wrong(ana, app)
    assert code(await ana.ask(protocol.Play, _low(ana), decided_on)) == "stale"


async def test_an_entry_that_is_not_there_yet_is_stale(ana: Player) -> None:
    await started(ana)
    assert code(await ana.ask(protocol.Play, _low(ana), await _entry_of(ana) + 1)) == "stale"


async def test_chat_and_people_who_come_and_go_make_no_move_stale(
    ana: Player, bob: Player, cem: Player, app: App
) -> None:
    table = await started(ana, bob)
    first = await mover([ana, bob])
    second = bob if first is ana else ana
    decided_on = await _entry_of(first)
    await done(second, protocol.Say, "well?")
    await looks_on(cem, table)
    await done(second, protocol.HandOver, "zombie")
    await done(second, protocol.TakeBack)
    await first.seen(lambda view: view.entry == decided_on + 2)
    secret = app.lobby.tables[table].match.state.secret
    wrong = 1 if secret != 1 else 2
    answer = await first.ask(protocol.Play, f"guess {wrong}", decided_on)
    assert isinstance(answer, Accepted)


# Where several may move at once


def _turns(*entries: object, actors: Sequence[int]) -> Turns:
    turns = Turns()
    for number, entry in enumerate(entries, start=1):
        turns.follow(number, entry, actors)  # type: ignore[arg-type]
    return turns


def test_others_who_vote_end_nobodys_turn() -> None:
    turns = _turns(Started(), Moved(0, "lay"), Moved(1, "accept"), actors=(1, 2))
    assert turns.began(2) == 1
    assert turns.began(1) == 3


def test_who_is_not_waited_for_is_told_of_the_last_move() -> None:
    turns = _turns(Started(), Moved(0, "draw"), Lost(1), Returned(1), actors=(0,))
    assert turns.began(1) == 2


def test_a_table_that_is_opened_again_knows_the_last_move() -> None:
    log = [Logged(1, Started(), ()), Logged(2, Moved(0, "draw"), ()), Logged(3, Lost(1), ())]
    turns = Turns()
    turns.open(log, 3, (0,))
    assert turns.began(0) == 2
    turns.open(log[2:], 3, (0,))
    assert turns.began(0) == 3
