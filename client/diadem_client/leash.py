"""A server on a leash: `python -m diadem_client.leash` runs one until its standard input ends.

So a game for one leaves no server behind, however the client came to its end.
"""

import importlib
import os
import signal
import sys
import tempfile
import threading


def _wait_for_the_end() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    threading.Thread(target=_wait_for_the_end, daemon=True).start()
    # The client knows no server; this process is one, as if its command had been typed.
    server = importlib.import_module("diadem_server.cli")
    with tempfile.TemporaryDirectory(prefix="diadem-", ignore_cleanup_errors=True) as data:
        server.main([*sys.argv[1:], "--data", data])


if __name__ == "__main__":
    main()
