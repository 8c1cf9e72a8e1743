"""The demonstration: a match among bots, printed line by line without a screen."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from diadem_client.i18n import gettext as _
from diadem_client.state.forms import default_answers
from diadem_client.wording.events import tell
from diadem_shared.entries import Setup, Started
from diadem_shared.games import GAMES

READING_PACE = 0.3
MOST_BOTS = 4


def show(game: str, bots: int, rounds: int, seed: str, pace: float | None) -> None:
    print_slowly(demonstration(game, bots, rounds, seed), pace)


def print_slowly(lines: Iterator[str], pace: float | None) -> None:
    if pace is None:
        pace = READING_PACE if sys.stdout.isatty() else 0.0
    try:
        for line in lines:
            print(line, flush=True)
            time.sleep(pace)
    except KeyboardInterrupt:
        print()
    except BrokenPipeError:
        _write_nowhere()


def demonstration(name: str, bots: int, rounds: int, seed: str) -> Iterator[str]:
    """A match among the best bots of a game, told line by line, with words of the language that is spoken."""
    from diadem_shared.playout import play_out  # noqa: PLC0415, a client with a screen plays nothing out

    *_rest, best = GAMES[name].bots
    setup = Setup(name, options=default_answers(name), rounds=rounds)
    yield _("{game}: {count} bots, seed {seed}").format(game=name, count=bots, seed=seed)
    for step in play_out(setup, [best] * bots, seed.encode()):
        if isinstance(step.entry, Started):
            yield ""
        names = [player.name for player in step.match.players]
        for happening in step.told:
            if sentence := tell(name, happening.told(None), names):
                yield sentence


def _write_nowhere() -> None:
    """Point standard output to nowhere after a broken pipe, or Python would complain when it flushes."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
