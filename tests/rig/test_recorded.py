"""Recorded games still end as they did, and one that does not is found out."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_shared import match
from diadem_shared.chance import Chance
from diadem_shared.entries import Moved, Sealed, Setup
from diadem_shared.games import GAMES
from diadem_shared.games.castles import editions, rules
from tests.cases import cases
from tests.rig import Broken
from tests.rig.recorded import FOLDER, RANDOM, check_recording, read, record, write

FIXTURES = sorted(FOLDER.glob("*.json"))


@cases("path", FIXTURES, ids=lambda path: path.stem)
def test_a_recorded_game_still_ends_as_it_did(path: Path) -> None:
    check_recording(read(path))


def test_every_game_has_recordings_of_each_version_of_its_rules() -> None:
    recorded = {(each.setup.game, each.version) for each in map(read, FIXTURES)}
    played = {(name, number + 1) for name, game in GAMES.items() for number in range(game.version)}
    assert recorded == played


@pytest.mark.parametrize("level", ["zombie", RANDOM])
def test_a_recording_is_written_and_read_back(tmp_path: Path, level: str) -> None:
    recording = record(Setup("piratatak"), [level, level], "written")
    check_recording(recording)
    write(recording, tmp_path / "game.json")
    assert read(tmp_path / "game.json") == recording


RECORDING = read(FOLDER / "diamoniak-3-diadem.json")


ALIKE = {"deal": "deal"}
SEALED = read(FOLDER / "diamoniak-3-sealed.json")


def test_chance_of_moves_to_which_players_have_added_is_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round that is shuffled more than once: each time by a stream of its own."""
    assert sum(isinstance(each, Sealed) for each in SEALED.entries) == 2
    check_recording(SEALED)
    monkeypatch.setattr(
        match, "Chance", lambda seed, label: Chance(seed, ALIKE.get(label, "move 0"))
    )
    with pytest.raises(Broken):
        check_recording(SEALED)


def test_a_recorded_move_that_was_changed_is_caught() -> None:
    moved = max(n for n, entry in enumerate(RECORDING.entries) if isinstance(entry, Moved))
    entries = [*RECORDING.entries[:moved], *RECORDING.entries[moved + 1 :]]
    with pytest.raises(Broken):
        check_recording(replace(RECORDING, entries=entries))


def test_another_seed_is_caught() -> None:
    with pytest.raises(Broken):
        check_recording(replace(RECORDING, seed="another"))


def test_rules_that_changed_unsaid_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "TOLL", editions.TOLL - 1)
    with pytest.raises(Broken):
        check_recording(RECORDING)


def test_a_recording_of_other_rules_says_so() -> None:
    with pytest.raises(Broken, match="of rules that are known"):
        check_recording(replace(RECORDING, version=GAMES["diamoniak"].version + 1))
