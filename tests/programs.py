"""Programs that tests start: each ends with the test process, however that ends."""

import os
import shutil

SETPRIV = shutil.which("setpriv", path=f"{os.environ.get('PATH', '')}:/usr/bin:/bin")
"""Of util-linux. Python's own way, a function between fork and exec, is not safe beside threads."""


def tied(*command: str, signal: str = "KILL") -> tuple[str, ...]:
    """The command, sent this signal by the kernel when whoever started it is gone. Without setpriv, the bare command."""
    return (SETPRIV, "--pdeathsig", signal, *command) if SETPRIV else command
