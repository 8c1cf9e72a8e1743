"""A run of tests that is killed leaves none of the programs running that it has started."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.postgres import programs
from tests.e2e.rig import TMUX, is_gone, until
from tests.programs import SETPRIV, tied
from tests.rig.gates import descendants

HERE = Path(__file__).parent
ROOT = HERE.parent
STARTS = {"create_subprocess_exec", "Popen"}
ELSEWHERE = {"bench", "client", "server", "rig"}
"""Folders whose programs end by themselves with their input, or are what is tested."""

RUN = """
import asyncio, sys
from pathlib import Path
from tests.cluster.nodes import process
from tests.cluster.postgres import running
from tests.e2e.rig import CLIENT, tmux
from tests.web.browser import CHROMIUM, browser
from tests.web.rig import host, window

async def run(folder, postgres, terminals):
    terminals.open("Ana", CLIENT, "--solo", "diamoniak", "--name", "Ana").begins()
    print(terminals.do("display-message", "-p", "#{pid}").strip(), flush=True)
    async with (
        process(folder, await postgres.create()),
        host(folder) as at,
        window(at.port) as ana,
    ):
        await ana.reads("Diadem, as ana")
        if CHROMIUM is None:
            print("running", flush=True)
            await asyncio.Event().wait()
        async with browser(folder / "profile"):
            print("running", flush=True)
            await asyncio.Event().wait()

folder = Path(sys.argv[1])
with running() as (postgres, _), tmux(folder) as terminals:
    asyncio.run(run(folder, postgres, terminals))
"""


@pytest.mark.slow
@pytest.mark.skipif(SETPRIV is None, reason="needs setpriv (util-linux)")
@pytest.mark.skipif(TMUX is None, reason="needs tmux")
def test_a_run_that_is_killed_leaves_no_program(tmp_path: Path) -> None:
    """A database, a node, a gate with its client, a terminal with a client and its server, and a browser."""
    programs()
    (tmp_path / "run").mkdir()
    with subprocess.Popen(  # noqa: S603, it ends below
        tied(sys.executable, "-c", RUN, str(tmp_path / "run")),
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as run:
        try:
            assert run.stdout is not None
            server = int(run.stdout.readline())
            assert run.stdout.readline() == "running\n"
            started = {server, *descendants(server), *descendants(run.pid)}
        finally:
            run.kill()
    assert len(started) > 10
    until(lambda: all(map(is_gone, started)), "all that was started to be gone")


def test_what_tests_start_is_tied_to_them() -> None:
    untied = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in HERE.rglob("*.py")
        if path.relative_to(HERE).parts[0] not in ELSEWHERE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and _is_start(node.func) and not _is_tied(node)
    ]
    assert untied == []


def _is_start(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr in STARTS


def _is_tied(call: ast.Call) -> bool:
    """By `tied(...)` as its first argument."""
    first = call.args[0]
    first = first.value if isinstance(first, ast.Starred) else first
    return isinstance(first, ast.Call) and ast.unparse(first.func) == "tied"
