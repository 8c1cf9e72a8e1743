"""How others come to this server, as clients are told, who show it to those they invite.

Only the host's own settings name a host here. What strangers say of one, such as the header `Host`, is
told to nobody else: where the host of the server has named none, each client takes the one that it came by.
"""

from diadem.protocol import CLIENT, SSH, Door
from diadem_server.config import Config


class Doors:
    def __init__(self, config: Config) -> None:
        self._public = config.public_address
        self._open: dict[str, Door] = {}
        """By their kinds."""
        self.is_seen_from_outside = False
        """Whether other machines can connect."""
        if config.ssh is not None and config.ssh.port:
            # Players who come back right after a start are welcomed before the gate is there.
            self.open(SSH, config.ssh.port)

    def open(self, kind: str, port: int, host: str = "", *, secure: bool = False) -> None:
        """A gate listens there. `host` is where the host of the server has said that it is reached."""
        public = self._public
        if public is not None and not host:
            host = public.host
            if kind == CLIENT:
                port = public.port or port
                secure = secure if public.secure is None else public.secure
        self._open[kind] = Door(kind, port, host, secure)

    def lines(self) -> tuple[Door, ...]:
        """Those by which others can come."""
        return tuple(door for door in self._open.values() if door.host or self.is_seen_from_outside)
