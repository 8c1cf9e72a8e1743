"""Whoever comes over ssh learns nothing of the host's files, whatever they type and send."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from diadem import protocol
from diadem.games import GAMES
from tests.rig.wire import Player
from tests.ssh.rig import host, until, visit

CONTENT = "#g#g#\nR.S.R\n#.g.#\nR.g.R\n#RRR#\n"
"""A board that nobody makes by chance, so that it would be taken at once."""
MOST_QUESTIONS = 20


@pytest.fixture
def canary() -> Iterator[str]:
    """A file that a host would not like to be read; its name is short enough for every field."""
    with TemporaryDirectory(dir="/tmp", prefix="c") as folder:
        file = Path(folder) / "c"
        file.write_text(CONTENT)
        yield str(file)


async def test_a_command_that_names_a_file_is_answered_with_a_sentence(
    tmp_path: Path, canary: str
) -> None:
    async with host(tmp_path) as at, visit(at.ssh.port, command=canary) as ana:
        assert await ana.status() == 2
        assert ana.text == "Only the code of a table can be asked for, like K7F3.\r\n"


@pytest.mark.parametrize("game", GAMES)
async def test_a_file_named_in_every_field_is_shown_to_nobody(
    tmp_path: Path, canary: str, game: str
) -> None:
    told = dict.fromkeys(("LANG", "LC_ALL", "TEXTUAL_LOG", "COLORTERM", "TZ"), canary)
    async with (
        host(tmp_path) as at,
        Player(at.app.port, "Bob") as bob,
        visit(at.ssh.port, canary[:20], env=told) as ana,
    ):
        await bob.ask(protocol.WatchLobby, on=True)
        await ana.reads("No table is open")
        ana.press("m")
        await ana.reads("What is played here?")
        for _ in range([*GAMES].index(game)):
            ana.forget()
            ana.press("\x1b[C")
            await until(lambda: ana.text, "the next game")
        ana.press(f"\x1b[B{canary}" * MOST_QUESTIONS + "\r")
        await bob.until(lambda: bob.lobby is not None and bool(bob.lobby.tables))
        assert bob.lobby is not None
        assert bob.lobby.tables[0].game == game
        await bob.ask(protocol.Join, bob.lobby.tables[0].table)
        await bob.ask(protocol.Sit)
        await ana.reads("Bob sits down")
        assert any(canary[:20].encode() in frame for frame in bob.frames)
        assert not any(CONTENT[:11].encode() in frame for frame in bob.frames)
        assert not any(row in ana.text for row in CONTENT.split())
        assert await ana.quit() == 0
