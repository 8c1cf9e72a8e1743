"""Resume equivalence: whatever happens to the connections, everything ends as without faults."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings

from diadem_server.sessions.answers import Answers
from diadem_server.storage.records import EntryRow
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from diadem_shared.games import GAMES
from diadem_shared.match import Told
from tests.rig.resumed_match import MOVES, TROUBLES, Trouble, play
from tests.rig.resuming import Fault
from tests.thoroughness import times


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_any_failures_of_the_lines_end_as_none_do(name: str) -> None:
    quiet = asyncio.run(play(name, []))

    @settings(max_examples=times(8, 150))
    @given(TROUBLES)
    def check(troubles: Sequence[Trouble]) -> None:
        assert asyncio.run(play(name, troubles)) == quiet

    check()


@pytest.mark.slow
@pytest.mark.parametrize("fault", Fault)
def test_each_failure_again_and_again(fault: Fault) -> None:
    always = [Trouble(fault, waiting_is_cut=True)] * MOVES
    assert asyncio.run(play("diamoniak", always)) == asyncio.run(play("diamoniak", []))


def test_a_command_played_twice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not know a command again would do it again."""
    monkeypatch.setattr(Answers, "begin", forgetting_answers(Answers.begin))
    monkeypatch.setattr(Table, "keep", forgetting_commands(Table.keep))
    with pytest.raises(AssertionError, match="done once"):
        asyncio.run(play("diamoniak", [Trouble(Fault.ANSWER_LOST)] * MOVES))


def forgetting_commands(keep: Callable[..., Logged]) -> Callable[..., Logged]:
    def forgetful(table: Table, row: EntryRow, told: Told) -> Logged:
        return keep(table, row._replace(command=None), told)

    return forgetful


def forgetting_answers(begin: Callable[..., bool]) -> Callable[..., bool]:
    def forgetful(answers: Answers, *given: Any, **named: Any) -> bool:
        answers.forget()
        answers.is_recalled = True
        return begin(answers, *given, **named)

    return forgetful
