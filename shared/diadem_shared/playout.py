"""A whole match among bots, entry by entry: for demonstrations, measurements and tests."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from diadem_shared.bot_names import name_for_bot
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.match import Match, Phase, Told, apply, open_match


class Step(Struct, frozen=True):
    entry: Entry
    match: Match
    told: Told


def play_out(setup: Setup, levels: Sequence[str], seed: bytes) -> Iterator[Step]:
    """Seat bots of these levels and let them play every round."""
    match = open_match(setup)
    names: list[str] = []
    for _ in levels:
        names.append(name_for_bot(seed, names))
    entries: list[Entry] = [Sat(name, level) for name, level in zip(names, levels, strict=True)]
    minds = [
        match.game.bots[level](Chance(seed, f"bot {seat}")) for seat, level in enumerate(levels)
    ]
    while match.phase is not Phase.OVER:
        if entries:
            entry = entries.pop(0)
        elif match.actors:
            seat = match.actors[0]
            move = minds[seat].choose(match.game.view(match.state, seat))
            entry = Moved(seat, match.game.notate(move))
        else:
            entry = Started()
        match, told = apply(match, entry, seed)
        for seat, mind in enumerate(minds):
            for happening in told:
                mind.see(happening.told(seat))
        yield Step(entry, match, told)
