"""What a client remembers of shuffles is in files of the player's own, and outlasts it."""

from pathlib import Path

import pytest

from diadem_client.local import kept_shuffles
from diadem_client.local.kept_shuffles import KeptShuffles
from diadem_client.net.address import Address
from diadem_client.net.shuffle_contribution import PendingContribution, ShuffleMemory
from diadem_client.state.shuffle_check import Doubt
from diadem_shared.verification import SeenShuffle

HERE, ELSEWHERE = Address("example.org", 7453), Address("example.org", 7454)
OPENED = SeenShuffle(0, 3, "ab" * 32, ("cd" * 32, ""), "ef" * 32)
ADDED = PendingContribution(1, "Ana", "12" * 32, "34" * 32, "56" * 32)
MEMORY = ShuffleMemory(
    "12" * 32, 9, "78" * 32, ADDED, (OPENED,), awaits_deal=True, doubt=Doubt.DROPPED
)


def test_another_client_finds_what_was_kept_of_the_same_table(tmp_path: Path) -> None:
    KeptShuffles(tmp_path, HERE).save("K7QD", MEMORY)
    KeptShuffles(tmp_path, HERE).save("K7QD", MEMORY)
    assert KeptShuffles(tmp_path, HERE).load("K7QD") == MEMORY
    assert KeptShuffles(tmp_path, HERE).load("ZZZZ") is None
    assert KeptShuffles(tmp_path, ELSEWHERE).load("K7QD") is None
    assert KeptShuffles(tmp_path / "missing", HERE).load("K7QD") is None
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"entry": "x"}', b"[" * 90_000])
def test_a_file_that_cannot_be_read_counts_as_missing(tmp_path: Path, content: bytes) -> None:
    kept = KeptShuffles(tmp_path, HERE)
    kept.save("K7QD", MEMORY)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert kept.load("K7QD") is None


def test_only_so_many_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_shuffles, "MOST_TABLES", 3)
    kept = KeptShuffles(tmp_path, HERE)
    for number in range(5):
        kept.save(f"T{number}", MEMORY)
    assert len(list(tmp_path.iterdir())) == 3
