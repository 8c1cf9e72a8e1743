"""Whatever people do, and whenever, the promises of a server are kept; and where not, it is noticed.

`STATES=2000` looks so many examples further, and elsewhere each time; `make states` does so.
"""

import os
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from diadem_server.lobby.lobby import Lobby
from diadem_server.sessions.answers import Answers
from diadem_server.storage import records
from diadem_server.storage.records import Statement
from diadem_server.table.dealing import Dealing
from diadem_server.table.table import Table
from tests.rig import Broken
from tests.rig.server_machine import Server

SHORT = settings(
    max_examples=100,
    stateful_step_count=30,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
DEEP = settings(
    SHORT,
    max_examples=int(os.environ.get("STATES", "0")) or 1,
    stateful_step_count=80,
    derandomize=False,
)


@pytest.mark.timeout(0)
def test_whatever_people_do_the_promises_are_kept() -> None:
    run_state_machine_as_test(Server, settings=DEEP if "STATES" in os.environ else SHORT)


# The machine finds what it is there for

QUICK = settings(SHORT, max_examples=150, phases=[Phase.generate], database=None)


def _nothing(*_: object) -> None:
    """Is done."""


async def _nothing_happens(*_: object) -> None:
    """Whatever was asked for."""


def _breaks(*_: object) -> None:
    raise RuntimeError


def _writes_nothing(*_: object, **__: object) -> Statement:
    return Statement("SELECT 1", ())


def _no_statements(*_: object, **__: object) -> tuple[Statement, ...]:
    return ()


@pytest.mark.parametrize(
    ("owner", "name", "fault", "promise"),
    [
        (Lobby, "end_table", _nothing_happens, "every table ends|nobody owns or watches ends"),
        (Lobby, "drop", _nothing, "every table ends|nobody owns or watches ends"),
        (Lobby, "refuse_if_seated", _nothing, "nobody has two seats"),
        (Dealing, "deal_if_ready", _nothing_happens, "whoever is ready is dealt to"),
        (Table, "check", _breaks, "nothing goes wrong"),
        (Lobby, "refuse", _nothing, "every command is answered once"),
        (Table, "show", _nothing, "who is at a table sees it"),
        (records, "set_ready", _writes_nothing, "what was acknowledged is kept"),
        (records, "new_line", _no_statements, "what was acknowledged is kept"),
        (Answers, "rows", _no_statements, "answered otherwise than before"),
    ],
    ids=lambda each: each if isinstance(each, str) and " " not in each else "",
)
def test_a_planted_fault_is_found(owner: Any, name: str, fault: Any, promise: str) -> None:
    with patch.object(owner, name, fault), pytest.raises(Broken, match=promise):
        run_state_machine_as_test(Server, settings=QUICK)
