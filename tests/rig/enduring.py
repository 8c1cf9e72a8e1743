"""Two who play while others attack a gate."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from diadem_shared import protocol
from diadem_shared.entries import Setup
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
) -> dict[str, Outcome]:
    """What came of the attacks, each of so many seconds, all at once, while two went on playing."""
    await bob.make(Setup("diamoniak"))
    by_seconds: defaultdict[float, list[str]] = defaultdict(list)
    for name, seconds in attacks.items():
        by_seconds[seconds].append(name)
    async with asyncio.TaskGroup() as group:
        attacking = [
            group.create_task(attacked(module, names, at.port, seconds))
            for seconds, names in by_seconds.items()
        ]
        while not all(attack.done() for attack in attacking):
            await play(ana, press, bob)
    return {name: outcome for attack in attacking for name, outcome in attack.result().items()}
