"""A client that knows nothing of a game is told enough to make a table of it and to play there."""

import msgspec

from diadem_shared import protocol
from diadem_shared.description import describe
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import Described, Description
from tests.rig.wire import Player
from tests.server import done


async def test_everybody_is_told_the_same(ana: Player, bob: Player) -> None:
    told = [await player.ask(protocol.Describe) for player in (ana, bob, ana)]
    assert all(isinstance(each, Described) for each in told)
    assert len({repr(each.description) for each in told}) == 1


async def test_what_is_told_is_what_there_is(ana: Player) -> None:
    answer = await ana.ask(protocol.Describe)
    assert msgspec.convert(answer.description, Description) == describe(GAMES)


async def test_a_game_is_made_from_what_is_told_of_it(ana: Player) -> None:
    """Of the sample game: nothing but its description is used."""
    answer = await ana.ask(protocol.Describe)
    game = next(each for each in answer.description["games"] if each["game"] == "numbers")
    options = {each["name"]: each["values"][-1] for each in game["options"]}
    await ana.make(Setup(game["game"], options))
    for _ in range(game["least_seats"] - 1):
        await done(ana, protocol.AddBot, game["bots"][0])
    await done(ana, protocol.Start)
    await ana.seen(lambda view: view.public["game"] is not None)
    verb = game["moves"][0].split()[0]
    await done(ana, protocol.Play, f"{verb} 50")
