"""The mirror rule: which test module belongs to which module of the code.

`server/diadem_server/table/clocks.py` is tested by `tests/server/table/test_clocks.py`. TRIED_ELSEWHERE has the exceptions.
"""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SSH, WEB, SERVER, CLIENT = (
    "server/diadem_server/gates/ssh",
    "server/diadem_server/gates/web",
    "server/diadem_server",
    "client/diadem_client",
)
ALONE = {
    SERVER: ["**/*.py"],
    CLIENT: [
        *(f"{each}/*.py" for each in ("hosted", "local", "net", "state", "terminal", "wording")),
        *(f"games/*/{each}.py" for each in ("draft", "event_text")),
    ],
}
"""The modules that each have a test module of their own, by package."""
TRIED_ELSEWHERE = {
    f"{CLIENT}/state/shuffle_check.py": "tests/client/net/test_shuffle_contribution.py",
    # Processes of their own, or talked to by real clients and terminals only.
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
    f"{SERVER}/host_names.py": "tests/server/net/test_browser_rules.py",
    f"{SERVER}/lobby/local_registry.py": "tests/server/lobby/test_registry.py",
    f"{SERVER}/lobby/moderation.py": "tests/server/table/test_bans.py",
    f"{SERVER}/lobby/table_commands.py": "tests/server/lobby/test_refusals.py",
    f"{SERVER}/lobby/table_questions.py": "tests/server/lobby/test_moves.py",
    f"{SERVER}/cluster/certificate.py": "tests/server/cluster/test_link.py",
    f"{SERVER}/cluster/home_side.py": "tests/server/cluster/test_front_side.py",
    f"{SERVER}/cluster/node_services.py": "tests/server/cluster/test_front_side.py",
    f"{SERVER}/net/greeting.py": "tests/server/net/test_connection.py",
    f"{SERVER}/cluster/draining.py": "tests/cluster/test_draining.py",
    f"{SERVER}/cluster/transfer.py": "tests/cluster/test_draining.py",
    f"{SERVER}/cluster/messages.py": "tests/server/cluster/test_mesh.py",
    f"{SERVER}/cluster/lobby_lines.py": "tests/server/cluster/test_front_side.py",
    f"{SERVER}/cluster/journal.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/cluster/membership.py": "tests/cluster/test_membership.py",
    f"{SERVER}/cluster/node.py": "tests/cluster/test_nodes.py",
    f"{SERVER}/cluster/ownership.py": "tests/cluster/test_nodes.py",
    f"{SERVER}/cluster/registry.py": "tests/server/lobby/test_registry.py",
    f"{SERVER}/cluster/schema.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/cluster/sessions.py": "tests/cluster/test_races.py",
    f"{SERVER}/cluster/statements.py": "tests/cluster/test_races.py",
    f"{SERVER}/cluster/table_handoff.py": "tests/cluster/test_draining.py",
    f"{SERVER}/cluster/writer.py": "tests/cluster/test_fence.py",
    f"{SERVER}/net/interfaces.py": "tests/server/net/test_connection.py",
    f"{SERVER}/storage/sql_reader.py": "tests/server/storage/test_journal.py",
    f"{SERVER}/storage/sqlite_statements.py": "tests/server/storage/test_sqlite.py",
    f"{SERVER}/storage/statements.py": "tests/server/storage/test_sqlite.py",
    f"{SERVER}/table/rematch.py": "tests/server/lobby/test_rematch.py",
    # Types alone.
    f"{SERVER}/lobby/first_player.py": "",
    f"{SERVER}/lobby/routing.py": "",
    f"{SERVER}/net/handover.py": "",
    f"{SERVER}/sessions/outbox.py": "",
    f"{SERVER}/storage/changes.py": "",
    f"{SERVER}/storage/records.py": "",
    f"{SERVER}/storage/statement.py": "",
    f"{SERVER}/table/services.py": "",
}
"""The modules that have none, and which test module tests them instead."""
PACKAGES = {
    "shared/diadem_shared": "tests/shared",
    SERVER: "tests/server",
    CLIENT: "tests/client",
    "tools": "tests/tools",
}
"""Where the tests of a package are."""


def places(path: Path) -> list[Path]:
    """Where a module's own test module may be: beside its neighbours', or with real ssh. Paths are relative to ROOT."""
    own = f"test_{path.stem}.py"
    return [
        place
        for source, tests in PACKAGES.items()
        if path.is_relative_to(source)
        for place in (Path(tests) / path.relative_to(source).parent / own, Path("tests/ssh", own))
    ]


def modules() -> Iterator[Path]:
    """Every module that has to have a test module of its own."""
    for source, patterns in ALONE.items():
        for path in sorted(each for pattern in patterns for each in (ROOT / source).glob(pattern)):
            if path.stem != "__init__" and not _is_of_new_game(path):
                yield path.relative_to(ROOT)


def _is_of_new_game(path: Path) -> bool:
    """A game is held to the rule once it has a folder of tests."""
    games = ROOT / CLIENT / "games"
    if not path.is_relative_to(games):
        return False
    return not (ROOT / "tests/client/games" / path.relative_to(games).parts[0]).is_dir()
