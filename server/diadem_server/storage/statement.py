"""A piece of SQL with its parameters, and a row of what comes of it."""

from typing import Any, NamedTuple, TypeAlias

Row: TypeAlias = tuple[Any, ...]


class Statement(NamedTuple):
    sql: str
    values: Row = ()
