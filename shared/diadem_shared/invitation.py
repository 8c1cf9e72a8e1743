"""What is typed or opened to come through a door of a server, at a host that is known."""

from diadem_shared.protocol import CLIENT, DEFAULT_PORT, SSH, WEB, Door

COMMAND = ".venv/bin/game-client"
"""In the folder of Diadem, where `make` puts it."""
SSH_PORT = 22
WEB_PORTS = {False: 80, True: 443}
"""Of http and https, where an address need not name one."""


def way(door: Door, host: str, table: str = "") -> str:
    """To the table with this code, if one is named; "" for a kind of door that is not known."""
    if door.kind == CLIENT:
        return _client_line(door, host) + (f" --table {table}" if table else "")
    if door.kind == SSH:
        port = () if door.port == SSH_PORT else ("-p", str(door.port))
        return " ".join(filter(None, ("ssh", "-t", *port, host, table)))
    return _page(door, host) + (f"/{table}" if table else "") if door.kind == WEB else ""


def _client_line(door: Door, host: str) -> str:
    if door.secure:
        host = f"wss://{_bracketed(host)}:{door.port}"
    elif door.port != DEFAULT_PORT:
        host = f"{_bracketed(host)}:{door.port}"
    return f"{COMMAND} --host {host}"


def _page(door: Door, host: str) -> str:
    port = "" if door.port == WEB_PORTS[door.secure] else f":{door.port}"
    return f"http{'s' if door.secure else ''}://{_bracketed(host)}{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def page_as_code(page: str) -> str:
    """The address as a QR code holds it: in capitals, if it means the same then, since they take less room."""
    from diadem_shared.qr import ALPHANUMERIC  # noqa: PLC0415, where a code is drawn

    capitals = page.upper()
    return capitals if all(each in ALPHANUMERIC for each in capitals) else page
