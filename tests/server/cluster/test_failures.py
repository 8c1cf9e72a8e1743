"""What a host reads of a database that cannot be used."""

import asyncpg
import pytest

from diadem_server.cluster.failures import LOST, told


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "it does not answer"),
        (
            ConnectionRefusedError(111, "Connection refused"),
            "it is not reached: Connection refused",
        ),
        (OSError("all addresses failed"), "it is not reached: all addresses failed"),
        (asyncpg.TargetServerAttributeNotMatched("<...>"), "it takes no writes: it is a standby"),
        (asyncpg.InterfaceError("connection is closed"), "connection is closed"),
    ],
)
def test_every_reason_for_a_lost_connection_has_words(error: Exception, said: str) -> None:
    assert isinstance(error, LOST)
    assert told(error).startswith(said)
