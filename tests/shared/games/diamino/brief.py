"""Bots that play on in thought, with less patience: what they decide by stays the same."""

import pytest
from msgspec.structs import replace

from diadem_shared.games.diamino.bots import master, race_player


def think_briefly(monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    patience = {rules: replace(each, moves=moves) for rules, each in master.PATIENCE.items()}
    monkeypatch.setattr(master, "PATIENCE", patience)
    monkeypatch.setattr(race_player, "MOVES", moves)
