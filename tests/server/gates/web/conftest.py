"""A web gate in virtual time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.virtual_gate import VirtualGate

PROXY = "198.51.100.9"


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[VirtualGate]:
    """With room for everybody, behind a proxy that some come by."""
    with VirtualGate(
        tmp_path, proxy=PROXY, most=50, most_per_address=20, sessions_a_second=1.0
    ) as gate:
        yield gate
        gate.run(gate.leave())
        gate.check_end()
