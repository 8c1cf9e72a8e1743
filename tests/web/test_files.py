"""Players in a browser learn nothing of the host's files, whatever they type and send."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from diadem import protocol
from diadem.games import GAMES
from tests.rig.gates import open_files, until
from tests.rig.wire import Player
from tests.web.rig import get, host, new_cookie, window

CONTENT = "#g#g#\nR.S.R\n#.g.#\nR.g.R\n#RRR#\n"
"""A valid board, which would be accepted at once."""
GAME = "diamino-rummy"
RIGHT, DOWN = "\x1b[C", "\x1b[B"


@pytest.fixture
def canary() -> Iterator[str]:
    """A file that a host would not like to be read; its name is short enough for every field."""
    with TemporaryDirectory(dir="/tmp", prefix="c") as folder:
        file = Path(folder) / "c"
        file.write_text(CONTENT)
        yield str(file)


async def test_a_file_named_in_whatever_the_page_may_say_is_shown_to_nobody(
    tmp_path: Path, canary: str
) -> None:
    async with (
        host(tmp_path) as at,
        Player(at.app.port, "Bob") as bob,
        window(at.port, canary[:20], lang=canary, table=canary) as ana,
    ):
        await bob.ask(protocol.WatchLobby, on=True)
        await ana.reads("No table is open")
        assert ana.welcome["table"] == ""
        await ana.press("m")
        await ana.reads("What is played here?")
        for _ in range([*GAMES].index(GAME)):
            ana.forget()
            await ana.press(RIGHT)
            await until(lambda: ana.text, "the next game")
        await ana.reads("Another word list")
        assert "Its file" not in ana.text
        await ana.press(DOWN * 4 + canary)
        await ana.press("\r")
        await ana.reads("One more player is needed")
        assert not any(CONTENT[:11].encode() in frame for frame in bob.frames)
        assert not any(row in ana.text for row in CONTENT.split())


async def test_no_path_leads_out_of_the_page(tmp_path: Path, canary: str) -> None:
    async with host(tmp_path) as at:
        for path in (
            canary,
            f"/..{canary}",
            f"/%2e%2e{canary}",
            f"//{canary}",
            f"/page.mjs/..{canary}",
        ):
            answer = await get(at.port, path)
            assert answer.status == 404
            assert CONTENT.encode() not in answer.body


async def test_a_cookie_names_no_folder(tmp_path: Path) -> None:
    """Settings are kept in a folder whose name follows from it, and says nothing of it."""
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as ana")
        kept = [str(each.relative_to(tmp_path)) for each in (tmp_path / "web").rglob("*")]
        assert kept
        assert not any(cookie.partition("=")[2][:10] in each for each in kept)
        assert (tmp_path / "web" / "players_secret").stat().st_mode & 0o777 == 0o600


async def test_a_hosted_client_has_nothing_of_the_gates_open(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        there = open_files(client)
        assert not any("socket" in each for each in there[:3])
        assert (
            sum(each.startswith("socket:") for each in there) <= 3
        )  # the server, and the loop's own pair
        assert not any(str(tmp_path) in each for each in there)
