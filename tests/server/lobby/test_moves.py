"""Whoever asks is told what they may do: on request, and with each view."""

import pytest

from diadem_server.app import App
from diadem_server.table import views
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.game import Choices
from diadem_shared.games import GAMES
from diadem_shared.match import Match
from diadem_shared.protocol import LegalMoves
from tests.rig.wire import Player
from tests.server import code, done, guess_wrong, looks_on, mover, started


async def test_moves_are_listed_for_who_is_on_turn(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    first = await mover([ana, bob])
    second = bob if first is ana else ana
    assert first.view is not None
    answer = await first.ask(protocol.GetMoves)
    assert isinstance(answer, LegalMoves)
    assert answer.entry == first.view.entry
    assert answer.choices == Choices(tuple(f"guess {number}" for number in range(1, 10)))
    assert (await second.ask(protocol.GetMoves)).choices == Choices()


async def test_who_looks_on_has_no_moves(ana: Player, bob: Player) -> None:
    table = await started(ana)
    await looks_on(bob, table)
    assert code(await bob.ask(protocol.GetMoves)) == "no_seat"


async def test_views_tell_moves_to_who_wants_them(ana: Player, app: App) -> None:
    async with Player(app.port, "Bob", wants=("moves", "not heard of yet")) as bob:
        await started(ana, bob)
        first = await mover([ana, bob])
        assert ana.view is not None
        assert bob.view is not None
        assert ana.view.moves is None
        is_on_turn = first is bob
        expected = tuple(f"guess {number}" for number in range(1, 10)) if is_on_turn else None
        assert (bob.view.moves and bob.view.moves.moves) == expected


@pytest.mark.parametrize("name", GAMES)
async def test_a_listed_move_of_every_game_is_accepted(name: str, app: App) -> None:
    async with (
        Player(app.port, "Ana", wants=("moves",)) as ana,
        Player(app.port, "Bob", wants=("moves",)) as bob,
    ):
        await started(ana, bob, setup=Setup(name))
        for _ in range(6):
            on_turn = await mover([ana, bob])
            assert on_turn.view is not None
            assert on_turn.view.moves is not None
            move = on_turn.view.moves.moves[-1]
            answer = await on_turn.ask(protocol.Play, move, on_turn.view.entry)
            assert isinstance(answer, protocol.Accepted), (move, answer)
            await ana.seen(lambda view, entry=answer.entry: view.entry >= entry)  # type: ignore[misc]
            if ana.view is not None and ana.view.public["phase"] != "playing":
                return


async def test_moves_are_found_once_for_each_state_of_the_game(
    ana: Player, bob: Player, cem: Player, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often they are asked for, and whoever comes and goes meanwhile: it may take milliseconds."""
    found: list[int] = []
    choices = views.choices

    def counted(match: Match, seat: int) -> Choices:
        found.append(seat)
        return choices(match, seat)

    monkeypatch.setattr(views, "choices", counted)
    table = await started(ana, bob)
    first = await mover([ana, bob])
    other = bob if first is ana else ana
    for _ in range(3):
        assert (await first.ask(protocol.GetMoves)).choices.moves
        await looks_on(cem, table)
        await done(cem, protocol.Part)
        await done(other, protocol.HandOver, "halver")
        await done(other, protocol.TakeBack)
    assert len(found) == 1
    await guess_wrong(first, app)
    second = await mover([ana, bob])
    assert (await second.ask(protocol.GetMoves)).choices.moves
    assert len(found) == 2
