"""Whatever people do, and whenever, the promises of a server are kept; and where not, it is noticed."""

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from diadem_server.lobby import table_questions
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.local_registry import LocalRegistry
from diadem_server.sessions import answers
from diadem_server.storage.changes import Change, NewLine
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table.table import Table
from tests.rig import Broken
from tests.rig.server_machine import Server
from tests.rig.states import find_planted, nothing, nothing_happens, run_states

pytestmark = pytest.mark.slow


@pytest.mark.timeout(0)
def test_whatever_people_do_the_promises_are_kept() -> None:
    run_states(Server)


# The machine finds what it is there for


def _breaks(*_: object) -> None:
    raise RuntimeError


SUBMIT = SqliteJournal.submit


def _loses(kind: type[Change]) -> Callable[..., asyncio.Future[None]]:
    """All changes of this kind, which are taken to be written."""

    def submit(journal: SqliteJournal, *changes: Change) -> asyncio.Future[None]:
        return SUBMIT(journal, *(each for each in changes if not isinstance(each, kind)))

    return submit


def _always(*_: object) -> bool:
    return True


@pytest.mark.parametrize(
    ("owner", "name", "fault", "promise"),
    [
        (Lobby, "ended", nothing_happens, "every table ends|nobody owns or watches ends"),
        (Lobby, "drop", nothing, "every table ends|nobody owns or watches ends"),
        (LocalRegistry, "take_seat", nothing_happens, "nobody has two seats"),
        (Table, "_deal_if_ready", nothing_happens, "ready is dealt to|is answered once"),
        (table_questions, "check", _breaks, "nothing goes wrong"),
        (Lobby, "refuse", nothing, "every command is answered once"),
        (Table, "show", nothing, "who is at a table sees it"),
        (SqliteJournal, "submit", _loses(NewLine), "what was acknowledged is kept"),
        (answers, "_is_for_now", _always, "answered otherwise than before"),
    ],
    ids=lambda each: each if isinstance(each, str) and " " not in each else "",
)
def test_a_planted_fault_is_found(owner: Any, name: str, fault: Any, promise: str) -> None:
    with patch.object(owner, name, fault), pytest.raises(Broken, match=promise):
        find_planted(Server)
