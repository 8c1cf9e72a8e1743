"""Which gates there are, as their supervisor and the server see them."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict

from msgspec import Struct

from diadem_server.app import App
from diadem_server.config import Config, SshConfig, WebConfig
from diadem_server.gates import privileges
from diadem_server.gates.messages import GateSettings, GateUser, SshSettings, WebSettings
from diadem_server.limits.gate_limits import RelayedLimits
from diadem_shared.protocol import SSH, WEB


class GateKind(Struct, frozen=True):
    """What the supervisor has to know of a gate."""

    name: str
    module: str
    """Of its process."""
    settings: Callable[[int, int], GateSettings]
    """Its settings, by the descriptor at which it hands over connections, and the port."""
    port: int
    count: Callable[[int], None]
    """Told how many sessions there are."""
    limits: RelayedLimits | None
    """Those that hold for other servers as well, if there are any."""


class _AsUser(TypedDict):
    user: GateUser | None
    most_processes: int


def _as_user(server: Config, sessions: int) -> _AsUser:
    """With as many processes as all gates need, but for so many sessions at least."""
    of_all = sum(each.most for each in (server.ssh, server.web) if each is not None)
    return {
        "user": privileges.user_for(server.gate_user),
        "most_processes": privileges.most_processes(max(of_all, sessions)),
    }


def ssh(config: SshConfig, app: App) -> GateKind:
    limits = app.gate_limits.get(SSH)

    def settings(handing: int, port: int) -> GateSettings:
        server = app.config
        there = replace(config, port=port)
        return SshSettings(
            handing,
            server.data,
            server.host,
            limits is not None,
            **_as_user(server, config.most),
            ssh=there,
            password=server.password,
        )

    def count(sessions: int) -> None:
        app.lobby.metrics.ssh_sessions = sessions

    return GateKind(SSH, "diadem_server.gates.ssh.process", settings, config.port, count, limits)


def web(config: WebConfig, app: App) -> GateKind:
    limits = app.gate_limits.get(WEB)

    def settings(handing: int, port: int) -> GateSettings:
        server = app.config
        return WebSettings(
            handing,
            server.data,
            config.host or server.host,
            limits is not None,
            **_as_user(server, config.most),
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
