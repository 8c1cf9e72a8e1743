"""How a server is set up. The command line fills this in; see `game-server --help`."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from diadem_server.net.addresses import Network


@dataclass(frozen=True)
class SshConfig:
    port: int
    keys: Path | None = None
    """Who is let in, one public key a line; None lets in every key."""
    guests: bool = False
    """Whether those without a key are let in, by the name they give."""
    most: int = 50
    most_per_key: int = 3
    most_per_address: int = 20
    connections_a_second: float = 1.0
    """From one address, once it has made twice as many as it may have at a time."""
    idle_seconds: float = 30 * 60.0
    """Without a key; 0 for ever."""
    login_seconds: float = 30.0
    flood_seconds: float = 20.0
    """For which a line may bring more than it may; then it is cut."""
    keepalive_seconds: float = 15.0
    """Between signs of life that the other side is asked for; three unanswered end a line."""


@dataclass(frozen=True)
class Config:
    data: Path
    host: str | None = None
    """The address to listen on; None means all of this machine's."""
    port: int = 7453
    name: str = "Diadem"
    announce: bool = True
    """Make it known on the local network."""
    password: str | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    max_tables: int = 200
    max_tables_per_address: int = 25
    """Made from there, at which a match is not over."""
    tables_a_minute: int = 30
    """That may be made from one address."""
    max_connections: int = 500
    max_per_address: int = 50
    behind_proxy: Network | None = None
    """Where connections come from that a reverse proxy passes on, with X-Forwarded-For."""
    allow_hosts: tuple[str, ...] = ()
    """Names that browsers may know this server by, besides those that only a local network gives away."""
    allow_origins: tuple[str, ...] = ()
    """Web pages that may use this server, besides its own."""
    connections_a_second: float = 5.0
    """From one address, once it has made twice as many as it may have at a time."""
    commands_a_second: float = 20.0
    burst: int = 60
    bot_pause: float = 0.8
    """Seconds a bot takes over a move, so that people can follow it."""
    thinkers: int = 1
    """Processes for bots that think for long."""
    keep_replays: int = 1_000
    word_lists: dict[str, Path] = field(default_factory=dict)
    compress: bool = False
    ssh: SshConfig | None = None
    now: Callable[[], float] = time.time
    """What time it is, for what is written down. What is measured goes by the time of the event loop."""
