"""These tests are about what stands around a pane: in all of them moves are typed in words."""

import pytest

from diadem_client.board import registry


@pytest.fixture(autouse=True)
def moves_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", {})
