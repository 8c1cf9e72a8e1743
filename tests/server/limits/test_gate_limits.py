"""A gate may say what it likes of its limits: no more is kept than a gate has."""

import pytest

from diadem_server.limits import gate_limits
from diadem_server.limits.gate_limits import RelayedLimits


async def test_no_more_is_kept_than_a_gate_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_limits, "MOST_KEYS", 3)
    limits = RelayedLimits()
    for number in range(5):
        limits.heard("sessions", {"a": 1.0}, {f"192.0.2.{number}": 1})
    limits.heard("sessions", {}, {"192.0.2.0": 2})
    limits.heard("of another version", {"a": 1.0}, {"a": 1})
    kept = limits.counts["sessions"].here
    assert kept == {"192.0.2.0": 2, "192.0.2.1": 1, "192.0.2.2": 1}
    limits.close()
    assert not kept
