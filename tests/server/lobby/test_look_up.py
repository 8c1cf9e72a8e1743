"""Words are looked up in the list of the table, where the table agreed to that."""

from pathlib import Path

import pytest

import diadem_shared.lexicon.shelf as word_lists
from diadem_server.app import App
from diadem_server.net.command_weights import weight
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.lexicon import from_text
from diadem_shared.protocol import LookedUp
from tests.rig.wire import Player, server
from tests.server import code, done, looks_on, players

CLUB = "list to look up"
WORDS = "schon\nschön\nStraße\ncœur\n"


def table(**options: bool | str) -> Setup:
    return Setup("diamino-rummy", options={"word_list": CLUB, **options})


@pytest.fixture(autouse=True)
def _club() -> None:
    word_lists.put(CLUB, from_text(WORDS, "de"))


TYPED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("SCHON", "SCHON", ("schon", "schön")),
    ("straße", "STRASSE", ("Straße",)),
    ("Strasse", "STRASSE", ("Straße",)),
    ("scho\u0308n", "SCHON", ("schon", "schön")),
    ("cœur", "COEUR", ("cœur",)),
    ("ei", "EI", ()),
    ("s" * 60, "S" * 60, ()),
    ("ß" * 60, "S" * 120, ()),
    ("l'eau", "", ()),
    ("../../etc/passwd", "", ()),
    ("\x00\x1b[2J", "", ()),
    ("\u0301" * 60, "", ()),
    (" ", "", ()),
    ("игра", "", ()),
)


async def test_m11_a_word_is_told_as_it_is_written(app: App) -> None:
    wrong = []
    async with Player(app.port, "Ana") as ana:
        await ana.make(table())
        for typed, tiles, spellings in TYPED:
            answer = await ana.ask(protocol.LookUp, typed)
            assert isinstance(answer, LookedUp), typed
            if (answer.tiles, answer.spellings) != (tiles, spellings):
                wrong.append((typed, answer))
    assert wrong == []


async def test_everybody_at_the_table_may_ask_and_nobody_elsewhere(app: App) -> None:
    async with players(app, "Ana", "Bob", "Eve") as (ana, bob, eve):
        at = await ana.make(table())
        await looks_on(bob, at)
        assert isinstance(await bob.ask(protocol.LookUp, "schon"), LookedUp)
        assert code(await eve.ask(protocol.LookUp, "schon")) == "at_no_table"


@pytest.mark.parametrize("setup", [table(look_up=False), Setup("diamoniak")])
async def test_nothing_is_looked_up_where_the_table_or_the_game_has_it_not(
    app: App, setup: Setup
) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(setup)
        assert code(await ana.ask(protocol.LookUp, "schon")) == "no_look_up"


async def test_a_word_too_long_for_any_list_is_refused_as_a_value(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(table())
        assert code(await ana.ask(protocol.LookUp, "s" * 61)) == "bad_value"
        assert code(await ana.ask(protocol.LookUp, "")) == "bad_value"


async def test_who_copies_the_list_word_by_word_is_held_back_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    each = weight(protocol.LookUp(1, "schon"))
    assert each > 1
    limits = {"commands_a_second": 0.01, "burst": 10 + 1 + 3 * each}
    async with server(tmp_path, **limits) as app, players(app, "Ana", "Bob") as (ana, bob):
        await ana.make(table())
        for _ in range(3):
            assert isinstance(await ana.ask(protocol.LookUp, "schon"), LookedUp)
        for _ in range(5):
            assert code(await ana.ask(protocol.LookUp, "schon")) == "too_fast"
        await done(bob, protocol.WatchLobby, on=True)
