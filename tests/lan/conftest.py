"""A network to play on."""

from collections.abc import Iterator

import pytest

from tests.lan.hosts import excuse
from tests.lan.network import CannotBeBuilt, Lan


@pytest.fixture
def lan() -> Iterator[Lan]:
    try:
        network = Lan().__enter__()
    except CannotBeBuilt as error:
        excuse(error)
    try:
        yield network
    finally:
        network.__exit__()
