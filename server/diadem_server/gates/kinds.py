"""Which gates there are, as their supervisor and the server see them."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct

from diadem_server.app import App
from diadem_server.config import SshConfig
from diadem_server.gates.messages import GateSettings, SshSettings


class GateKind(Struct, frozen=True):
    """What the supervisor has to know of a gate."""

    name: str
    module: str
    """Of its process."""
    settings: Callable[[str, int], GateSettings]
    """Its settings, by the path of the server's Unix socket and the port."""
    port: int
    count: Callable[[int], None]
    """Told how many sessions there are."""


def ssh(config: SshConfig, app: App) -> GateKind:
    def settings(path: str, port: int) -> GateSettings:
        server = app.config
        there = replace(config, port=port)
        return SshSettings(path, server.data, server.host, ssh=there, password=server.password)

    def count(sessions: int) -> None:
        app.lobby.metrics.ssh_sessions = sessions

    return GateKind("ssh", "diadem_server.gates.ssh.process", settings, config.port, count)
