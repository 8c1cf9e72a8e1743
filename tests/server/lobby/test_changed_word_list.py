"""A word list that changes between two starts of a server breaks no table that was played with it."""

from itertools import product
from pathlib import Path
from string import ascii_uppercase

import diadem_shared.lexicon.shelf as word_lists
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.lexicon import make
from tests.rig.wire import Player, server
from tests.server import code, done, mover, started

CLUB = "list that changes"
PAIRS = {"".join(pair): {"".join(pair)} for pair in product(ascii_uppercase, repeat=2)}
SETUP = Setup("diamino-bonus", options={"word_list": CLUB})


def first_two(player: Player) -> str:
    assert player.view is not None
    return "".join(tile for tile in player.view.private["tiles"] if tile != "*")[:2]


async def test_m11_what_was_laid_stays_and_the_next_play_is_judged_by_the_new_list(
    tmp_path: Path,
) -> None:
    word_lists.put(CLUB, make("de", PAIRS))
    ana, bob = Player(0, "Ana"), Player(0, "Bob")
    async with server(tmp_path) as app:
        for player in (ana, bob):
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
        table = await started(ana, bob, setup=SETUP)
        first = await mover([ana, bob])
        laid = await done(first, protocol.Play, f"lay H8 across {first_two(first)}")
    word_lists.put(CLUB, make("de", {"ZZZ": {"zzz"}}))
    async with server(tmp_path) as app:
        for player in (ana, bob):
            await player.disconnect()
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
            await done(player, protocol.Join, table)
            view = await player.seen(lambda view: view.table == table)
            assert view.entry == laid.entry
        page = await ana.ask(protocol.GetHistory)
        assert "laid" in [each.event["type"] for each in page.happened]
        second = await mover([ana, bob])
        refused = await second.ask(protocol.Play, f"lay H9 down {first_two(second)}")
        assert code(refused) == "unknown_words"
        await done(second, protocol.Play, "pass")
        for player in (ana, bob):
            await player.disconnect()
