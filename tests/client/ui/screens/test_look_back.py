"""What was played is looked back on: at home, and at a server; step by step, and as files."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.board.pane import GamePane
from diadem_client.local.servers import LocalServers
from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.advice import Reason
from diadem_shared.entries import Moved, Setup
from diadem_shared.games.diadingo.reasons import DiadingoReason
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import server
from tests.shared.match_files import file_of, played

pytestmark = pytest.mark.slow
DATA = file_of(*played(Setup("diadingo", rounds=2)))


async def test_a_match_is_looked_at_from_its_result_at_its_server_and_at_home(
    tmp_path: Path,
) -> None:
    store = SettingsStore(tmp_path / "Ana" / "config", tmp_path / "Ana" / "state")
    async with (
        server(tmp_path) as app,
        client(
            tmp_path,
            app.port,
            servers=LocalServers(store),
            setup=Setup("diadingo", patience=None),
            bots=("zombie",),
        ) as seen,
    ):
        await seen.until(lambda: seen.app.screen.query(GamePane))
        await seen.press("f8", "y")
        await seen.until(lambda: is_told_who_won(seen))
        await seen.press("k")
        await is_looked_at(seen)
        await seen.on(TableScreen)
        await seen.press("f10")
        await seen.on(LobbyScreen)
        await seen.press("k")
        await is_listed(seen)
        await seen.on(LobbyScreen)
        await seen.press("escape")
        await seen.on(StartScreen)
        await seen.press("k")
        await is_listed(seen)
        await seen.on(StartScreen)


async def is_listed(seen: Seen) -> None:
    await seen.on(LookBackScreen)
    await seen.reads("Diadingo")
    await seen.press("enter")
    await is_looked_at(seen)
    await seen.on(LookBackScreen)
    await seen.press("tab")
    await seen.reads("given up")
    await seen.press("escape")


def is_told_who_won(seen: Seen) -> bool:
    """Ana or the other."""
    return "has won" in seen.screen_text or "You have won" in seen.screen_text


async def is_looked_at(seen: Seen) -> None:
    await seen.on(ReplayScreen)
    await seen.reads("as Ana  step 0 of")
    await seen.press("end")
    await seen.until(lambda: is_told_who_won(seen))
    await seen.press("escape")


async def look_at(seen: Seen, data: bytes = DATA) -> None:
    seen.app.local.servers = LocalServers(seen.app.store)
    seen.app.go_home()
    await seen.on(StartScreen)
    seen.app.base_screen.look_at(data)
    await seen.on(ReplayScreen)


async def test_keys_lead_through_a_match(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await look_at(seen)
        await seen.reads("round 1/2  from outside  step 0 of")
        await seen.press("right", "right", "left")
        await seen.reads("step 1 of")
        await seen.press("left", "left", "left")
        await seen.reads("step 0 of")
        await seen.press("n")
        await seen.reads("round 2/2")
        await seen.press("s")
        await seen.reads("as Ana")
        await seen.press("down")
        await seen.reads("waiting for Ana")
        await seen.press("up", "p", "p")
        await seen.reads("round 1/2  as Ana  step 0 of")
        await seen.press("end", "right")
        await seen.reads("This is the end of the match.")
        await seen.press("tab")
        await seen.reads("The last card is used.")
        await seen.press("tab", "home")
        await seen.reads("step 0 of")
        await seen.press("tab", "escape", "escape")
        await seen.on(StartScreen)


async def test_it_is_written_to_a_file_of_our_own_naming_and_at_a_host_to_none(
    tmp_path: Path,
) -> None:
    async with client(tmp_path) as seen:
        await look_at(seen)
        await seen.reads("step 0 of")
        folder = seen.app.store.exports_folder()
        for keys, ending in ((["enter"], "txt"), (["down", "enter"], "jsonl")):
            await seen.press("x", *keys)
            await seen.until((folder / f"diadem-K7QD.{ending}").exists)
            await seen.reads("Written:")
        assert (folder / "diadem-K7QD.jsonl").read_bytes() == DATA
        written = {each: each.stat().st_mtime_ns for each in folder.iterdir()}
        seen.app.local.servers = None  # at a host
        await seen.press("x", "enter")
        await seen.reads("Copied, if your terminal lets programs copy.")
        assert "Ana" in seen.app.clipboard
        assert {each: each.stat().st_mtime_ns for each in folder.iterdir()} == written


HOSTILE = {
    "empty": (b"", "it does not begin as the file of a match."),
    "cut": (DATA[:-300], "it is not whole"),
    "move": (DATA.replace(b'"move":"', b'"move":"\\u001b[31m', 1), "entry 5 is not allowed"),
    "version": (
        DATA.replace(b'"version":', b'"version":9', 1),
        "this version of its rules, is not known",
    ),
    "name": (file_of(*played(names=("\x1b[31mEve\a\n" + "x" * 99, "Bob"))), "step 0 of"),
}


async def test_a_hostile_file_gets_a_sentence(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        for data, sentence in HOSTILE.values():
            await look_at(seen, data)
            await seen.reads_whole(sentence)
            assert "\x1b" not in seen.screen_text
            await seen.press("right", "s", "x", "escape", "escape")
            await seen.until(lambda: not isinstance(seen.app.screen, ReplayScreen))


async def test_a_bots_reason_is_told_with_its_move(tmp_path: Path) -> None:
    match, entries = played(Setup("diadingo"))
    at = next(at for at, entry in enumerate(entries) if isinstance(entry, Moved))
    reasons = (Reason(DiadingoReason.REMEMBERS_NOTHING), Reason("of a newer version\x1b[2J"))
    entries[at] = replace(entries[at], why=reasons)
    async with client(tmp_path) as seen:
        await look_at(seen, file_of(match, entries))
        await seen.reads("step 0 of")
        await seen.press("right")
        await seen.reads("step 1 of")
        await seen.reads("takes any.")
        assert "newer" not in seen.screen_text
        await seen.press("right")
        await seen.reads("step 2 of")
        assert "takes any." not in seen.screen_text
