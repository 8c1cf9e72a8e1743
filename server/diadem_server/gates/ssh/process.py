"""The ssh gate's process: `python -m diadem_server.gates.ssh.process`."""

import logging
import sys

from diadem_server.gates import process
from diadem_server.gates.messages import CannotListen, SshSettings, read_settings


def main() -> None:
    process.run("ssh", _open)


def _open(settings: bytes, tell: process.Tell) -> process.Gate:
    logging.getLogger("asyncssh").setLevel(logging.ERROR)
    try:
        from diadem_server.gates.ssh.listener import SshListener  # noqa: PLC0415, asyncssh is an extra
    except ModuleNotFoundError:
        missing = f"--ssh needs asyncssh: {sys.executable} -m pip install asyncssh"
        raise CannotListen(missing) from None
    return SshListener(read_settings(settings, SshSettings), tell)


if __name__ == "__main__":
    main()
