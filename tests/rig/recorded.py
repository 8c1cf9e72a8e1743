"""Recorded games: matches of the past that must still end as they did.

    python -m tests.rig.recorded diamoniak zombie zombie --rounds 2 --seed autumn

plays a match among those bots and writes it to tests/recorded/. Where all levels are "random", players
make any move they may, which shows more of a game than its bots would. A recording that no longer replays
means that the rules have changed: raise the game's `version`, have what is older play by the old rules, and record anew.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Sealed, Setup, Started
from diadem_shared.game import Outcome, digest
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, apply, open_match, replay
from diadem_shared.playout import play_out
from diadem_shared.refusals import RefusalError
from diadem_shared.shuffle import commitment_of_player, commitment_of_server, hashed
from tests.rig import Broken, require

FOLDER = Path(__file__).parents[1] / "recorded"
RANDOM = "random"


class Recording(Struct, frozen=True):
    setup: Setup
    version: int
    seed: str
    entries: list[Entry]
    totals: Outcome
    digest: str


def check_recording(recording: Recording) -> None:
    game = GAMES[recording.setup.game]
    require(
        recording.version in range(1, game.version + 1),
        "a recording is of rules that are known",
        recording.version,
        game.version,
    )
    seed = recording.seed.encode()
    try:
        match = replay(recording.setup, recording.entries, seed, recording.version)
    except RefusalError as refused:
        raise Broken(f"a recorded entry is refused: {refused.refusal}") from refused
    require(match.totals == recording.totals, "a recorded match ends as it did", match.totals)
    require(digest(match) == recording.digest, "a recorded match leads to the same state", match)


def record(setup: Setup, levels: Sequence[str], seed: str, *, all_add: bool = False) -> Recording:
    """`all_add`: each player has added to the chance of each round, for those who move at random."""
    key = seed.encode()
    if {*levels} == {RANDOM}:
        steps = list(play_at_random(setup, len(levels), key, all_add=all_add))
    else:
        steps = [(step.entry, step.match) for step in play_out(setup, levels, key)]
    _, match = steps[-1]
    return Recording(
        setup=setup,
        version=match.game.version,
        seed=seed,
        entries=[entry for entry, _ in steps],
        totals=match.totals,
        digest=digest(match),
    )


def play_at_random(
    setup: Setup, seats: int, seed: bytes, *, all_add: bool = False
) -> Iterator[tuple[Entry, Match]]:
    match = open_match(setup)
    chance = Chance(seed, RANDOM)
    todo: list[Entry] = [Sat(f"{RANDOM} {number + 1}") for number in range(seats)]
    while match.phase is not Phase.OVER:
        if not todo and match.actors:
            seat = chance.pick(match.actors)
            move = match.game.any_move(match.game.view(match.state, seat), chance)
            todo = [Moved(seat, match.game.notate(move))]
        elif not todo:
            todo = [*dealing(match, seed)] if all_add else [Started()]
        entry = todo.pop(0)
        match, _ = apply(match, entry, seed)
        yield entry, match


def dealing(match: Match, seed: bytes) -> Iterator[Entry]:
    """A round to which all add."""
    server, round_ = commitment_of_server(seed), len(match.rounds)
    added = {
        each.name: hashed("recorded", seed, f"{each.name} {round_}".encode())
        for each in match.players
    }
    commitments = (commitment_of_player(server, round_, *each).hex() for each in added.items())
    yield Sealed(tuple(commitments))
    yield Started(tuple(each.hex() for each in added.values()))


def read(path: Path) -> Recording:
    return msgspec.json.decode(path.read_bytes(), type=Recording)


def write(recording: Recording, path: Path) -> None:
    """One entry a line, so that a game can be read and a change to it be seen."""
    fields = {
        name: msgspec.json.encode(value).decode()
        for name, value in msgspec.structs.asdict(recording).items()
    }
    lines = [msgspec.json.encode(entry).decode() for entry in recording.entries]
    fields["entries"] = "[\n" + ",\n".join(lines) + "\n]"
    body = ",\n".join(f'"{name}": {value}' for name, value in fields.items())
    path.write_text(f"{{\n{body}\n}}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.rig.recorded", description="Record a match among bots as a fixture."
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("levels", nargs="+", metavar="LEVEL", help="a bot for each seat")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", default="diadem")
    parser.add_argument("--all-add", action="store_true", help="to the chance of each round")
    given = parser.parse_args()
    options = dict(option.split("=", 1) for option in given.option)
    setup = Setup(given.game, options=options, rounds=given.rounds)
    try:
        recording = record(setup, given.levels, given.seed, all_add=given.all_add)
    except RefusalError as refused:
        parser.error(str(refused.refusal))
    path = FOLDER / f"{given.game}-{len(given.levels)}-{given.seed}.json"
    write(recording, path)
    parser.exit(message=f"{path}: {len(recording.entries)} entries\n")


if __name__ == "__main__":
    main()
