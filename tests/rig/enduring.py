"""Two who play while others attack a gate."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from diadem import protocol
from diadem.entries import Setup
from tests.rig.attacking import Outcome, attacked
from tests.rig.gates import GateHost, Shown
from tests.rig.wire import Player
from tests.server import done

Press: TypeAlias = Callable[[str], Awaitable[object]]
"""Presses keys."""


async def play(ana: Shown, press: Press, bob: Player) -> None:
    """A command over the websocket of the game is answered, and so is a key over the gate."""
    await done(bob, protocol.AddBot, "easy")
    await done(bob, protocol.Remove, 1)
    ana.forget()
    await press("?")
    await ana.reads("Keys that do something here")
    ana.forget()
    await press("\x1b")
    await ana.reads("Diadem, as ana")


async def endured(
    attacks: Mapping[str, float], module: str, at: GateHost, ana: Shown, press: Press, bob: Player
) -> list[Outcome]:
    """What came of the attacks, each of so many seconds, while two went on playing."""
    await bob.make(Setup("diamoniak"))
    async with asyncio.TaskGroup() as group:
        attacking = [
            group.create_task(attacked(module, attack, at.port, seconds))
            for attack, seconds in attacks.items()
        ]
        while not all(attack.done() for attack in attacking):
            await play(ana, press, bob)
    return [attack.result() for attack in attacking]
