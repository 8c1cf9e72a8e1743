"""A move that was decided on another state of the table than there is, is refused; nothing else makes it stale."""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from diadem_server.app import App
from diadem_server.table.turn_start import TurnStart
from diadem_server.table.views import Logged
from diadem_shared import protocol
from diadem_shared.entries import Lost, Moved, Returned, Setup, Started, TurnClock
from diadem_shared.protocol import Accepted, Refused, TableView
from tests.rig.wire import Player
from tests.server import Time, code, done, guess_wrong, looks_on, mover, started


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


def _turns(*entries: object, actors: Sequence[int]) -> TurnStart:
    turns = TurnStart()
    for number, entry in enumerate(entries, start=1):
        turns.follow(number, entry, actors)  # type: ignore[arg-type]
    return turns


def test_others_who_vote_end_nobodys_turn() -> None:
    turns = _turns(Started(), Moved(0, "lay"), Moved(1, "accept"), actors=(1, 2))
    assert turns.entry_of(2) == 1
    assert turns.entry_of(1) == 3


def test_who_is_not_waited_for_is_told_of_the_last_move() -> None:
    turns = _turns(Started(), Moved(0, "draw"), Lost(1), Returned(1), actors=(0,))
    assert turns.entry_of(1) == 2


def test_a_table_that_is_opened_again_knows_the_last_move() -> None:
    log = [Logged(1, Started(), ()), Logged(2, Moved(0, "draw"), ()), Logged(3, Lost(1), ())]
    turns = TurnStart()
    turns.open(log, 3, (0,))
    assert turns.entry_of(0) == 2
    turns.open(log[2:], 3, (0,))
    assert turns.entry_of(0) == 3


async def test_a_judge_whose_turn_comes_has_it_from_then_on(app: App, time: Time) -> None:
    """A vote that comes late is stale, and what the others took to judge is nothing of the next player's time."""
    setup = Setup("diamino-rummy", {"judging": "table", "judging_time": 300}, clock=TurnClock(60))
    async with AsyncExitStack() as stack:
        people = [Player(app.port, name) for name in ("Ana", "Bob", "Cem", "Dee")]
        for each in people:
            await stack.enter_async_context(each)
        await started(*people, setup=setup)
        first = await mover(people)
        at = people.index(first)
        following, *others = [*people[at + 1 :], *people[:at]]
        for _refusal in range(2):
            await _lay(first)
            decided_on = (await following.seen(_judges)).entry
            time.goes_on(40)
            for each in others:
                await each.seen(_judges)
                await done(each, protocol.Play, "object", decided_on)
        turn = await following.seen(lambda view: view.public["game"]["phase"] == "play")
        assert turn.public["deadline"] > 50_000
        refused = await following.ask(protocol.Play, "accept", decided_on)
        assert (code(refused), refused.why.about) == ("stale", {"entry": turn.entry})
        assert isinstance(await following.ask(protocol.Play, "pass", turn.entry), Accepted)


def _judges(view: TableView) -> bool:
    return view.public["game"]["phase"] == "judge" and view.seat in view.public["actors"]


async def _lay(player: Player) -> None:
    view = await player.seen(lambda it: it.public["game"]["phase"] == "play")
    tiles = view.private["tiles"].replace("*", "")[:2]
    await done(player, protocol.Play, f"lay H8 across {tiles}", view.entry)
