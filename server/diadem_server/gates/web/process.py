"""The web gate's process: `python -m diadem_server.gates.web.process`."""

from diadem_server.gates import process
from diadem_server.gates.messages import WebSettings, read_settings
from diadem_server.gates.web.listener import WebListener


def main() -> None:
    process.run("web", _open)


def _open(settings: bytes, tell: process.Tell) -> process.Gate:
    return WebListener(read_settings(settings, WebSettings), tell)


if __name__ == "__main__":
    main()
