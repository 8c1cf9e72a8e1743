"""No command that made an entry is done twice, and only so many of them are remembered."""

from diadem_server.storage.records import DoneRow
from diadem_server.table.executed_commands import KEPT, ExecutedCommands

ANA, BOB = 1, 2


def kept(*commands: int) -> ExecutedCommands:
    done = ExecutedCommands()
    for command in commands:
        done.keep(ANA, DoneRow(command, None, command))
    return done


def test_each_session_has_commands_of_its_own() -> None:
    done = kept(7)
    assert done.find(ANA, 7) == DoneRow(7, None, 7)
    assert done.find(BOB, 7) is None
    assert done.find(ANA, 8) is None


def test_the_newest_are_kept_the_oldest_of_them_first() -> None:
    done = kept(*range(1, KEPT + 4))
    assert [row.command for row in done.of(ANA)] == list(range(4, KEPT + 4))
    assert list(done.of(BOB)) == []


def test_the_journal_is_asked_for_what_may_be_forgotten_and_for_nothing_else() -> None:
    done = kept(*range(1, KEPT + 4))
    assert [done.may_have_forgotten(ANA, command) for command in (1, 3, 4)] == [True, True, False]
    assert not done.may_have_forgotten(BOB, 1)
    assert not kept(*range(1, KEPT + 1)).may_have_forgotten(ANA, 1)


def test_whoever_counted_otherwise_is_asked_for_all_the_same() -> None:
    """An id that is lower than one forgotten before."""
    done = kept(1_000, *range(1, KEPT + 3))
    assert done.may_have_forgotten(ANA, 999)
