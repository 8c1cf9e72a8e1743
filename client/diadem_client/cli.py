"""The command `game-client`."""

import argparse
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from diadem.entries import MAX_ROUNDS, Setup, Started
from diadem.games import GAMES
from diadem.playout import play_out
from diadem_client.telling import tell

READING_PACE = 0.3
MOST_BOTS = 4


def main() -> None:
    parser = _parser()
    given = parser.parse_args()
    seats = GAMES[given.demo].seats
    bots = min(MOST_BOTS, seats[-1]) if given.seats is None else given.seats
    if bots not in seats:
        parser.error(f"{given.demo} is for {seats[0]} to {seats[-1]} players, not for {bots}")
    pace = given.pace
    if pace is None:
        pace = READING_PACE if sys.stdout.isatty() else 0.0
    try:
        for line in demonstration(given.demo, bots, given.rounds, given.seed):
            print(line, flush=True)
            time.sleep(pace)
    except KeyboardInterrupt:
        print()
    except BrokenPipeError:
        _write_nowhere()


def demonstration(name: str, bots: int, rounds: int, seed: str) -> Iterator[str]:
    """A match among the best bots of a game, told line by line."""
    *_, best = GAMES[name].bots
    yield f"{name}: {bots} bots, seed {seed}"
    for step in play_out(Setup(name, rounds=rounds), [best] * bots, seed.encode()):
        if isinstance(step.entry, Started):
            yield ""
        names = [player.name for player in step.match.players]
        for happening in step.told:
            if sentence := tell(name, happening.told(None), names):
                yield sentence


def _write_nowhere() -> None:
    """Who read along has gone; without this the interpreter would complain when it flushes."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="game-client",
        description="Play the games of Diadem in a terminal.",
        epilog="So far the bots play and you watch; the same --seed shows the same match again.",
    )
    parser.add_argument(
        "--demo",
        metavar="GAME",
        choices=GAMES,
        required=True,
        help=f"watch bots play a match of {', '.join(GAMES)}",
    )
    parser.add_argument("--seats", type=int, metavar="N", help="how many bots (default: 4)")
    parser.add_argument(
        "--rounds", type=_rounds, default=1, metavar="N", help=f"1 to {MAX_ROUNDS} (default: 1)"
    )
    parser.add_argument(
        "--seed", default=secrets.token_hex(4), help="any text (default: by chance)"
    )
    parser.add_argument(
        "--pace",
        type=_seconds,
        metavar="SECONDS",
        help=f"wait after each line (default: {READING_PACE} on a terminal, else none)",
    )
    return parser


def _rounds(text: str) -> int:
    if text.isdecimal() and int(text) in range(1, MAX_ROUNDS + 1):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_ROUNDS}")


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= 60:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 60")
