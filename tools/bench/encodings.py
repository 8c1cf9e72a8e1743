"""What JSON costs beside msgpack: bytes of a typical view of each game, and processor time of what one move makes a server do.

A move at a table of four: a `play` is read, and four views are packed, which share what is public. In JSON both are done for it, and
written as text besides (see diadem_shared/frames.py). Both in turn, in this process; ratios of the medians.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median
from time import process_time

from diadem_server.table import views
from diadem_server.table.views import Frames, Logged
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.frames import from_json, pack
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, Told, apply, open_match
from diadem_shared.protocol import Play, read_command
from diadem_shared.protocol.json_frames import as_json

PEOPLE = ("Ana", "Bob", "Cem", "Dee")
HALFWAY = 24
"""Moves before the view that is taken for a typical one."""
SLICES, MOVES = 30, 200


def run() -> Iterator[str]:
    yield f"{'game':14} {'msgpack':>8} {'JSON':>8}  bytes of a view;  {'a move in JSON':>16}, times msgpack"
    for name in GAMES:
        frames, command = _typical(name)
        packed = frames.frame(0, 30)
        packs, writes = _taking(_packs(frames, command)), _taking(_writes(frames, command))
        seconds = [(packs(), writes()) for _ in range(SLICES)]
        plain, text = (median(each) for each in zip(*seconds, strict=True))
        yield (
            f"{name:14} {len(packed):8} {len(as_json(packed)):8} {'':18} {text / plain:16.2f}"
            f"  ({1e6 * plain / MOVES:.0f} and {1e6 * text / MOVES:.0f} microseconds)"
        )


def _typical(name: str) -> tuple[Frames, bytes]:
    """A table of four, or as many as can be, in the midst of a round."""
    *_, (match, entry, told) = islice(_round(name), HALFWAY)
    present = [True] * len(match.players)
    lines = views.player_lines(match.players, present, present)
    presence = views.Presence(lines, 0, ())
    public = views.public(match, presence, deadline=60_000, blocked=None)
    frames = Frames("K7QD")
    frames.turn_to(match, public, Logged(match.entries, entry, told), bytes(32))
    return frames, pack(Play(41, entry.move, match.entries - 1))


def _round(name: str) -> Iterator[tuple[Match, Moved, Told]]:
    match, seed, chance = open_match(Setup(name)), bytes(32), Chance(b"encodings")
    entries: list[Entry] = [*map(Sat, PEOPLE), Started()]
    for entry in entries:
        match, _ = apply(match, entry, seed)
    while match.phase is Phase.PLAYING:
        (seat, *_) = match.actors
        move = match.game.any_move(match.game.view(match.state, seat), chance)
        moved = Moved(seat, match.game.notate(move))
        match, told = apply(match, moved, seed)
        yield match, moved, told


def _packs(frames: Frames, command: bytes) -> Callable[[int], None]:
    def move(number: int) -> None:
        read_command(command)
        for seat in range(len(PEOPLE)):
            frames.frame(seat, number)

    return move


def _writes(frames: Frames, command: bytes) -> Callable[[int], None]:
    text = as_json(command).decode()

    def move(number: int) -> None:
        read_command(from_json(text))
        for seat in range(len(PEOPLE)):
            as_json(frames.frame(seat, number))

    return move


def _taking(move: Callable[[int], None]) -> Callable[[], float]:
    def slice_() -> float:
        begun = process_time()
        for number in range(MOVES):
            move(number)
        return process_time() - begun

    return slice_
