"""A file of the host's that no player may see, and a player over a gate who tries to have it read."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from diadem_shared import protocol
from diadem_shared.games import GAMES
from tests.rig.gates import Shown, until
from tests.rig.wire import Player

CONTENT = "#g#g#\nR.S.R\n#.g.#\nR.g.R\n#RRR#\n"
"""A valid board, which would be accepted at once."""
GAME = "diamino-rummy"
RIGHT, DOWN = "\x1b[C", "\x1b[B"
TIME = "judging_time"
"""Asked for only where the table judges."""


@contextmanager
def canary() -> Iterator[str]:
    """A file that a host would not like to be read; its name is short enough for every field."""
    with TemporaryDirectory(dir="/tmp", prefix="c") as folder:
        file = Path(folder) / "c"
        file.write_text(CONTENT)
        yield str(file)


async def is_not_shown(
    canary: str, ana: Shown, press: Callable[[str], Awaitable[object]], bob: Player
) -> None:
    """Ana makes a table and names the file in the question for a word list. Neither she nor Bob, who watches
    the lobby, is shown what is in it."""
    await bob.ask(protocol.WatchLobby, on=True)
    await ana.reads("No table is open")
    await press("m")
    await ana.reads("What is played here?")
    for _ in range([*GAMES].index(GAME)):
        ana.forget()
        await press(RIGHT)
        await until(lambda: ana.text, "the next game")
    await ana.reads("Another word list")
    assert "Its file" not in ana.text
    assert "that of the language" in ana.text  # one of the server's lists; nothing can be typed
    questions = [each for each in GAMES[GAME].options_type.__struct_fields__ if each != TIME]
    await press(DOWN * (1 + questions.index("word_list")) + canary)
    await press("\r")
    await ana.reads("One more player is needed")
    assert [frame for frame in bob.frames if CONTENT[:11].encode() in frame] == []
    assert [row for row in CONTENT.split() if row in ana.text] == []
