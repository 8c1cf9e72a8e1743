"""Which gates there are, as their supervisor and the server see them."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct

from diadem.protocol import SSH, WEB
from diadem_server.app import App
from diadem_server.config import SshConfig, WebConfig
from diadem_server.gates.messages import GateSettings, SshSettings, WebSettings
from diadem_server.limits.relayed import RelayedLimits


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
    limits: RelayedLimits | None
    """Those that hold for other servers as well, if there are any."""


def ssh(config: SshConfig, app: App) -> GateKind:
    limits = app.gate_limits.get(SSH)

    def settings(path: str, port: int) -> GateSettings:
        server = app.config
        there = replace(config, port=port)
        return SshSettings(
            path,
            server.data,
            server.host,
            limits is not None,
            ssh=there,
            password=server.password,
        )

    def count(sessions: int) -> None:
        app.lobby.metrics.ssh_sessions = sessions

    return GateKind(SSH, "diadem_server.gates.ssh.process", settings, config.port, count, limits)


def web(config: WebConfig, app: App) -> GateKind:
    limits = app.gate_limits.get(WEB)

    def settings(path: str, port: int) -> GateSettings:
        server = app.config
        return WebSettings(
            path,
            server.data,
            config.host or server.host,
            limits is not None,
            web=replace(config, port=port),
            name=server.name,
            tls_cert=server.tls_cert,
            tls_key=server.tls_key,
            behind_proxy=str(server.behind_proxy or ""),
            allow_hosts=server.allow_hosts,
        )

    def count(sessions: int) -> None:
        app.lobby.metrics.web_sessions = sessions

    return GateKind(WEB, "diadem_server.gates.web.process", settings, config.port, count, limits)
