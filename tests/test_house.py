"""How the house is built, where no linter looks."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TALKS_TO_THE_WORLD = {"open", "print", "input", "breakpoint", "__import__", "eval", "exec"}
LONGEST_FILE = 420


def test_the_names_below_are_builtins() -> None:
    assert all(hasattr(builtins, name) for name in TALKS_TO_THE_WORLD)


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("shared/diadem/**/*.py")), ids=lambda path: path.stem
)
def test_diadem_does_no_io(path: Path) -> None:
    """Imports are held back by the import contract; these need no import."""
    assert list(worldly(path.read_text())) == []


def test_io_would_be_found() -> None:
    assert list(worldly("def load():\n    return open('words')")) == ["open"]


def worldly(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in TALKS_TO_THE_WORLD:
            yield node.id


ALONE = (
    ("server/diadem_server", "tests/server", ["**/*.py"]),
    (
        "client/diadem_client",
        "tests/client",
        [
            *(
                f"{each}/*.py"
                for each in ("hosted", "local", "net", "state", "terminal", "wording")
            ),
            *(f"games/*/{each}.py" for each in ("draft", "telling")),
        ],
    ),
)
"""What has a test module of its own for each module: source, tests, and which modules are meant."""
SSH, WEB, SERVER, CLIENT = (
    "server/diadem_server/gates/ssh",
    "server/diadem_server/gates/web",
    "server/diadem_server",
    "client/diadem_client",
)
TRIED_ELSEWHERE = {
    f"{CLIENT}/state/shuffle_check.py": "tests/client/net/test_additions.py",
    # Processes of their own, or talked to by real clients and terminals only.
    f"{SSH}/auth.py": "tests/ssh/test_playing.py",
    f"{SSH}/listener.py": "tests/ssh/test_starting.py",
    f"{SSH}/process.py": "tests/ssh/test_starting.py",
    f"{SSH}/session.py": "tests/ssh/test_closed.py",
    f"{WEB}/connection.py": "tests/web/test_closing.py",
    f"{WEB}/listener.py": "tests/web/test_playing.py",
    f"{WEB}/process.py": "tests/web/test_playing.py",
    f"{WEB}/session.py": "tests/web/test_resuming.py",
    f"{SERVER}/gates/client_pool.py": "tests/ssh/test_leaving.py",
    f"{SERVER}/gates/kinds.py": "tests/ssh/test_gate.py",
    f"{SERVER}/gates/process.py": "tests/ssh/test_gate.py",
    f"{SERVER}/gates/supervisor.py": "tests/ssh/test_gate.py",
    f"{CLIENT}/hosted/forkserver.py": "tests/ssh/test_leaving.py",
    f"{CLIENT}/terminal/diff_driver.py": "tests/e2e/test_painting.py",
    # One test module for several.
    f"{SERVER}/hosts.py": "tests/server/net/test_origin.py",
    f"{SERVER}/lobby/local_registry.py": "tests/server/lobby/test_registry.py",
    f"{SERVER}/lobby/moderation.py": "tests/server/table/test_bans.py",
    f"{SERVER}/lobby/table_commands.py": "tests/server/lobby/test_refusals.py",
    f"{SERVER}/lobby/table_questions.py": "tests/server/lobby/test_moves.py",
    f"{SERVER}/cluster/certificate.py": "tests/server/cluster/test_link.py",
    f"{SERVER}/cluster/channels.py": "tests/server/cluster/test_forwarding.py",
    f"{SERVER}/cluster/conversations.py": "tests/server/cluster/test_forwarding.py",
    f"{SERVER}/net/greeting.py": "tests/server/net/test_connection.py",
    f"{SERVER}/cluster/messages.py": "tests/server/cluster/test_mesh.py",
    f"{SERVER}/cluster/lobby_lines.py": "tests/server/cluster/test_forwarding.py",
    f"{SERVER}/cluster/journal.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/cluster/membership.py": "tests/cluster/test_membership.py",
    f"{SERVER}/cluster/node.py": "tests/cluster/test_nodes.py",
    f"{SERVER}/cluster/ownership.py": "tests/cluster/test_nodes.py",
    f"{SERVER}/cluster/registry.py": "tests/server/lobby/test_registry.py",
    f"{SERVER}/cluster/schema.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/cluster/sessions.py": "tests/cluster/test_races.py",
    f"{SERVER}/cluster/statements.py": "tests/cluster/test_races.py",
    f"{SERVER}/cluster/writer.py": "tests/cluster/test_fence.py",
    f"{SERVER}/net/client_stream.py": "tests/server/net/test_connection.py",
    f"{SERVER}/storage/memory_tables.py": "tests/server/storage/test_memory.py",
    f"{SERVER}/storage/questions.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/storage/sqlite_statements.py": "tests/server/storage/test_sqlite.py",
    f"{SERVER}/storage/statements.py": "tests/server/storage/test_sqlite.py",
    f"{SERVER}/table/rematch.py": "tests/server/lobby/test_again.py",
    # Types alone.
    f"{SERVER}/lobby/first_player.py": "",
    f"{SERVER}/lobby/routing.py": "",
    f"{SERVER}/net/handover.py": "",
    f"{SERVER}/sessions/outbox.py": "",
    f"{SERVER}/storage/changes.py": "",
    f"{SERVER}/storage/records.py": "",
    f"{SERVER}/storage/statement.py": "",
    f"{SERVER}/table/surroundings.py": "",
}
"""Modules without one, and where they are tried instead."""


def modules() -> Iterator[tuple[str, list[Path]]]:
    """Each module, and where its own test module may be: beside its neighbours', or with real ssh."""
    for source, tests, patterns in ALONE:
        for path in sorted(each for pattern in patterns for each in (ROOT / source).glob(pattern)):
            if path.stem != "__init__":
                folder = path.relative_to(ROOT / source).parent
                own = f"test_{path.stem}.py"
                places = [ROOT / tests / folder / own, ROOT / "tests" / "ssh" / own]
                yield str(path.relative_to(ROOT)), places


def test_every_module_has_a_test_module_of_its_own() -> None:
    without = {name for name, places in modules() if not any(each.exists() for each in places)}
    assert without == set(TRIED_ELSEWHERE)
    assert all((ROOT / there).is_file() for there in TRIED_ELSEWHERE.values() if there)


def test_no_file_grows_out_of_hand() -> None:
    folders = ("shared", "server", "client", "tests")
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
