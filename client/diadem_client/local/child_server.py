"""A child process with a server: `python -m diadem_client.local.child_server` ends with its standard input.

So a client leaves no server behind, however it ends, unless it says that it shall stay. Without `--data`
nothing of it is kept either.
"""

import importlib
import os
import signal
import sys
import tempfile
import threading

STANDARD_INPUT = 0
STAY = b"stay"


def _wait_for_eof() -> None:
    # Not by sys.stdin: its lock would be held when a server that cannot start ends by itself.
    while heard := os.read(STANDARD_INPUT, 4096):
        if STAY in heard:
            return
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    threading.Thread(target=_wait_for_eof, daemon=True).start()
    # The client knows no server; this process is one, as if its command had been typed.
    server = importlib.import_module("diadem_server.cli")
    given = sys.argv[1:]
    if "--data" in given:
        server.main(given)
        return
    with tempfile.TemporaryDirectory(prefix="diadem-", ignore_cleanup_errors=True) as data:
        server.main([*given, "--data", data])


if __name__ == "__main__":
    main()
