"""What can go wrong with PostgreSQL, and what a host is told of it: one line, without a password."""

import asyncio

import asyncpg

LOST = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # also where of several machines none may be written to just now
    asyncpg.PostgresConnectionError,
)
ENDED = (asyncpg.AdminShutdownError, asyncpg.CrashShutdownError, asyncpg.CannotConnectNowError)
"""PostgreSQL ends, or begins: the connection is of no use."""
UNREADABLE = (
    "its URL cannot be read; what is neither letter nor digit in a password is written as %XX there"
)


def describe_error(error: BaseException) -> str:
    match error:
        case TimeoutError():
            return "it does not answer"
        case OSError():
            return f"it is not reached: {error.strerror or error}"
        case asyncpg.TargetServerAttributeNotMatched():
            return "it takes no writes: it is a standby, or read-only"
        case _:
            return str(error)
