"""What a host reads of a database that cannot be used."""

import asyncpg

from diadem_server.cluster.failures import LOST, describe_error

ERRORS: tuple[tuple[Exception, str], ...] = (
    (TimeoutError(), "it does not answer"),
    (
        ConnectionRefusedError(111, "Connection refused"),
        "it is not reached: Connection refused",
    ),
    (OSError("all addresses failed"), "it is not reached: all addresses failed"),
    (asyncpg.TargetServerAttributeNotMatched("<...>"), "it takes no writes: it is a standby"),
    (asyncpg.InterfaceError("connection is closed"), "connection is closed"),
)


def test_every_reason_for_a_lost_connection_has_words() -> None:
    assert [error for error, _ in ERRORS if not isinstance(error, LOST)] == []
    told_of = [(error, describe_error(error), said) for error, said in ERRORS]
    assert [each for each in told_of if not each[1].startswith(each[2])] == []
