"""Whatever the file of a match holds, it is verified and played, or something of it is said to be untrue."""

from contextlib import suppress

from diadem_shared.match_file import Untrue, read
from diadem_shared.playback import Playback
from diadem_shared.verification import play, verify_whole
from tests.shared.match_files import chained, file_of, played

INSTRUMENTED = (
    *("diadem_shared.match_file", "diadem_shared.playback", "diadem_shared.verification"),
    *("diadem_shared.match", "diadem_shared.games"),
)
MATCH, ENTRIES = played()
FILE = file_of(MATCH, ENTRIES)
LINES = FILE.splitlines()
SEEDS = [
    FILE[:4000],
    b"\n".join(LINES[1:12]),
    b'{"type":"sat","name":"Ana"}\n{"type":"started"}\n{"type":"adjudicated"}',
    b'{"type":"changed","setup":{"game":"diamino-bonus","options":{"board":"S"}}}',
]


def one_input(data: bytes) -> None:
    """As a whole file, and as the entries of one whose hashes all fit."""
    _verify(data)
    entries = [line for line in data.split(b"\n") if line]
    _verify(chained([LINES[0], *entries], MATCH))


def _verify(data: bytes) -> None:
    with suppress(Untrue):
        for _number in Playback(read(data)).prepare():
            pass
    with suppress(Untrue):
        file = read(data)
        verified = verify_whole(file)
        *_, last = play(file)
        assert last.match == verified.match, "what holds can be played again"
