"""Programs that tests start: each ends with the test process, however that ends."""

import os
import shutil
import subprocess
import sys

from tests.patience import PATIENCE

GAME_SERVER = (sys.executable, "-c", "from diadem_server.cli import main; main()")
SETPRIV = shutil.which("setpriv", path=f"{os.environ.get('PATH', '')}:/usr/bin:/bin")
"""Of util-linux. Python's own way, a function between fork and exec, is not safe beside threads."""


def tied(*command: str, signal: str = "KILL") -> tuple[str, ...]:
    """The command, sent this signal by the kernel when the process that started it ends. Without setpriv, the bare command."""
    return (SETPRIV, "--pdeathsig", signal, *command) if SETPRIV else command


def refused_start(*options: str, **environment: str) -> tuple[int, str]:
    """Exit status and message of a game-server that does not start."""
    ended = subprocess.run(  # noqa: S603
        [*GAME_SERVER, *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | environment,
        check=False,
    )
    said = ended.stderr
    assert said.startswith("game-server: "), said
    assert said.count("\n") == 1, said
    return ended.returncode, said.strip()
