"""How others come to this server, as clients are told, who show it to those they invite.

Only the host's own settings name a host here. What strangers say of one, such as the header `Host`, is
told to nobody else: where the host of the server has named none, each client takes the one that it came by.
"""

from urllib.parse import urlsplit

from diadem_server.config import Config
from diadem_server.host_names import DEFAULT_PORTS, is_loopback
from diadem_shared.protocol import CLIENT, SSH, WEB, Door


class PublicEndpoints:
    def __init__(self, config: Config) -> None:
        self._config = config
        self._ports: dict[str, int] = {}
        """By kind."""
        self.is_seen_from_outside = False
        """Whether other machines can connect to the server itself."""
        # Players who come back right after a start are welcomed before the gates are there.
        for kind, gate in ((SSH, config.ssh), (WEB, config.web)):
            if gate is not None and gate.port:
                self.open(kind, gate.port)

    def open(self, kind: str, port: int) -> None:
        """The server, or a gate, listens there."""
        self._ports[kind] = port

    def lines(self) -> tuple[Door, ...]:
        """Those by which others can come."""
        doors = map(self.door, self._ports)
        return tuple(door for door in doors if door.host or self._is_seen(door.kind))

    def door(self, kind: str) -> Door:
        """One that is open, also if others cannot reach it."""
        port, config, public = self._ports[kind], self._config, self._config.public_address
        host, secure = public.host if public else "", config.tls_cert is not None
        if kind == WEB and config.web is not None and config.web.origins:
            return _of_origin(config.web.origins[0])
        if kind == CLIENT and public is not None:
            port = public.port or port
            secure = secure if public.secure is None else public.secure
        return Door(kind, port, host, secure and kind != SSH)

    def _is_seen(self, kind: str) -> bool:
        web = self._config.web
        if kind == WEB and web is not None and web.host:
            return not is_loopback(web.host)
        return self.is_seen_from_outside


def _of_origin(origin: str) -> Door:
    """Of the page, where a proxy has it."""
    parts = urlsplit(origin)
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    return Door(WEB, port, parts.hostname or "", parts.scheme == "https")
