"""Players over ssh learn nothing of the host's files, whatever they type and send."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from diadem import protocol
from diadem.games import GAMES
from tests.rig.gates import until
from tests.rig.wire import Player
from tests.ssh.rig import host, visit

CONTENT = "#g#g#\nR.S.R\n#.g.#\nR.g.R\n#RRR#\n"
"""A valid board, which would be accepted at once."""
GAME = "diamino-rummy"
RIGHT, DOWN = "\x1b[C", "\x1b[B"
WORD_LIST = "Another word list"
TIME = "judging_time"
"""Asked for only where the table judges."""


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


async def test_a_file_named_in_a_form_a_name_or_a_variable_is_shown_to_nobody(
    tmp_path: Path, canary: str
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
        for _ in range([*GAMES].index(GAME)):
            ana.forget()
            ana.press(RIGHT)
            await until(lambda: ana.text, "the next game")
        await ana.reads(WORD_LIST)
        assert "Its file" not in ana.text
        assert "that of the language" in ana.text  # one of the server's lists; nothing can be typed
        questions = [each for each in GAMES[GAME].options_type.__struct_fields__ if each != TIME]
        ana.press(DOWN * (1 + questions.index("word_list")) + canary)
        ana.press("\r")
        await ana.reads("One more player is needed")
        assert not any(CONTENT[:11].encode() in frame for frame in bob.frames)
        assert not any(row in ana.text for row in CONTENT.split())
        assert await ana.quit() == 0
