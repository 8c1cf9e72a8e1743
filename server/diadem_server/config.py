"""The configuration of a server, with its options. `game-server --help` and docs/hosting/options.md list them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from platformdirs import user_data_path

from diadem_server.host_names import Network, PublicAddress
from diadem_server.options import (
    ADDRESS,
    DATABASE,
    FILE,
    FOLDER,
    HOST_PORT,
    HOSTS,
    NETWORK,
    ORIGINS,
    PUBLIC_ADDRESS,
    TEXT,
    WORD_LISTS,
    Option,
    WordListFile,
    choice,
    number,
    seconds,
)

SOME = number(1, 100_000)
FEW = number(1, 10_000)
PORT = number(0, 65535, metavar="PORT")
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class SshConfig:
    port: Annotated[
        int,
        Option("let players in over ssh, who need nothing else: ssh -t -p PORT HOST", PORT, "ssh"),
    ]
    keys: Annotated[
        Path | None, Option("only with these public keys, one a line", FILE, "ssh-keys")
    ] = None
    """The keys that are let in; None for every key."""
    guests: Annotated[
        bool, Option("also without a key, under any free name", name="ssh-guests")
    ] = False
    most: Annotated[int, Option("sessions in all", FEW, "ssh-max")] = 50
    most_per_player: Annotated[int, Option("of one player", FEW, "ssh-max-per-key")] = 3
    most_per_address: Annotated[
        int, Option("connections from one address", FEW, "ssh-max-per-address")
    ] = 20
    idle_seconds: Annotated[
        float,
        Option(
            "without a key pressed, after which a session is closed; 0 for never",
            number(0, 10_000, metavar="MINUTES", unit=60),
            "ssh-idle",
        ),
    ] = 30 * 60.0
    connections_a_second: float = 1.0
    """The rate limit of new connections from one address, beyond a burst of twice `most_per_address`."""
    sessions_a_second: float = 1.0
    """The same of sessions: each spawns a process, and one connection can ask again and again."""
    connections_a_session: int = 1
    login_seconds: float = 30.0
    flood_seconds: float = 20.0
    """Seconds for which a connection may exceed its rate limit before it is closed."""
    keepalive_seconds: float = 15.0
    """Seconds between keepalives; a connection ends when three are unanswered."""


@dataclass(frozen=True)
class WebConfig:
    port: Annotated[
        int,
        Option(
            "let players in by their browser, who need nothing else: http://HOST:PORT", PORT, "web"
        ),
    ]
    host: Annotated[
        str | None,
        Option("serve the page on this address only, not where --host says", ADDRESS, "web-host"),
    ] = None
    origins: Annotated[
        tuple[str, ...],
        Option("where players find the page, if a proxy gives it that name", ORIGINS, "web-origin"),
    ] = ()
    most: Annotated[int, Option("sessions in all", FEW, "web-max")] = 50
    most_per_address: Annotated[
        int, Option("sessions from one address", FEW, "web-max-per-address")
    ] = 20
    idle_seconds: Annotated[
        float,
        Option(
            "without a key pressed, after which a session is closed; 0 for never",
            number(0, 10_000, metavar="MINUTES", unit=60),
            "web-idle",
        ),
    ] = 30 * 60.0
    most_per_player: int = 3
    """Sessions of one browser. It has one window; those of windows before take a while to end."""
    connections_a_second: float = 10.0
    """The rate limit of new connections from one address, beyond a burst of six times `most_per_address`."""
    sessions_a_second: float = 1.0
    """The rate limit of new sessions from one address, beyond a burst of twice `most_per_address`."""
    connections_a_session: int = 3
    """A page and its files come over several."""
    hello_seconds: float = 15.0
    grace_seconds: float = 20.0
    """For which a client waits for a browser whose line broke."""


@dataclass(frozen=True)
class ClusterConfig:
    database: Annotated[
        str,
        Option("share tables with other servers over this PostgreSQL", DATABASE, "cluster"),
    ] = field(repr=False)
    """Its URL, or a file that holds that."""
    listen: Annotated[
        str | None,
        Option("where other nodes reach this one", HOST_PORT, "cluster-listen"),
    ] = None
    """None for a free port of the address from which it reaches the database."""
    address: Annotated[
        str | None,
        Option("the same as others have it, if that is another", HOST_PORT, "cluster-address"),
    ] = None


@dataclass(frozen=True)
class Config:
    data: Annotated[
        Path,
        Option("where matches are kept", FOLDER, default=user_data_path("diadem", appauthor=False)),
    ]
    host: Annotated[str | None, Option("listen on this address only, not on all", ADDRESS)] = None
    port: Annotated[int, Option("to listen on; 0 picks a free one", PORT)] = 7453
    name: Annotated[str, Option("what players see as the server's name", TEXT)] = "Diadem"
    announce: Annotated[bool, Option("do not make it known on the local network")] = True
    password: str | None = None
    tls_cert: Annotated[Path | None, Option("serve wss:// with this certificate", FILE)] = None
    tls_key: Annotated[Path | None, Option("its key, if that is in another file", FILE)] = None
    max_tables: Annotated[int, Option("tables at a time", SOME)] = 200
    max_tables_per_address: Annotated[
        int, Option("of them made from one address and not over", SOME)
    ] = 25
    tables_a_minute: int = 30
    """The rate limit of new tables from one address."""
    newcomers_an_hour: Annotated[
        int, Option("new players an hour from one address", SOME, "max-newcomers")
    ] = 120
    """Who comes back with their token is none. The burst is as much."""
    written_an_hour: Annotated[
        int,
        Option(
            "megabytes an hour that are written for players of one address",
            number(1, 1_000_000, metavar="MB", unit=MEGABYTE),
            "max-written",
        ),
    ] = 64 * MEGABYTE
    """Bytes of moves, chat and answers in the journal. The burst is as much."""
    max_connections: Annotated[int, Option("connections at a time", SOME)] = 500
    max_per_address: Annotated[int, Option("of them from one address", SOME)] = 50
    connections_a_second: Annotated[
        float,
        Option(
            "a second from one address, once twice --max-per-address have come",
            SOME,
            "max-arrivals",
        ),
    ] = 5.0
    commands_a_second: Annotated[
        float,
        Option(
            "a second from one player, who may hurry for three seconds",
            number(10, 100_000),
            "max-commands",
        ),
    ] = 20.0
    burst: int = 60
    """The burst: commands that a player's token bucket holds."""
    behind_proxy: Annotated[
        Network | None,
        Option(
            "connections from there (an address or a network) count for whom X-Forwarded-For names",
            NETWORK,
        ),
    ] = None
    public_address: Annotated[
        PublicAddress | None,
        Option("where players are told to come, such as wss://NAME:443", PUBLIC_ADDRESS),
    ] = None
    """None for the address by which each of them has come."""
    allow_hosts: Annotated[
        tuple[str, ...],
        Option(
            "a name of this server in the DNS, if players come without TLS", HOSTS, "allow-host"
        ),
    ] = ()
    """Names that browsers may know this server by, besides those that only a local network gives away."""
    allow_origins: Annotated[
        tuple[str, ...], Option("let web pages from there use this server", ORIGINS, "allow-origin")
    ] = ()
    bot_pause: Annotated[
        float,
        Option(
            "what a bot takes over a move, unless players want less; twice that among bots",
            seconds(60),
        ),
    ] = 0.4
    """So that people can follow it."""
    thinkers: Annotated[int, Option("processes for bots that think for long", number(1, 64))] = 1
    keep_replays: Annotated[int, Option("finished matches to keep", number(0, 10**9))] = 1_000
    keep_bytes: Annotated[
        int,
        Option(
            "megabytes that finished matches may take",
            number(1, 1_000_000, metavar="MB", unit=MEGABYTE),
            "keep-megabytes",
        ),
    ] = 256 * MEGABYTE
    word_lists: Annotated[
        dict[str, WordListFile],
        Option("another list of words for Diamino, one a line", WORD_LISTS, "word-list"),
    ] = field(default_factory=dict)
    compress: Annotated[bool, Option("save bytes for players far away, at some cost")] = False
    ssh: SshConfig | None = None
    web: WebConfig | None = None
    gate_user: Annotated[
        str | None,
        Option("run what strangers reach over ssh and in the browser as this user", TEXT),
    ] = None
    """None for nobody, if the server is root's, or else for its own user."""
    cluster: ClusterConfig | None = None
    now: Callable[[], float] = time.time
    """The wall clock, for times that are written down. Durations are measured by the event loop's clock."""


@dataclass(frozen=True)
class Invocation:
    """A parsed command line: the server's configuration, and options of the command alone."""

    config: Config
    password_file: Annotated[Path | None, Option("ask players for the password in it", FILE)] = None
    log: Annotated[str, Option("how the log is written", choice("human", "json"))] = "human"
    verbose: Annotated[bool, Option("log connections that went wrong")] = False
    backup: Annotated[Path | None, Option("copy all that is kept to FILE, and end", FILE)] = None
    bot_token: Annotated[
        str | None, Option("make a token for a bot of this name, print it, and end", TEXT)
    ] = None
    match_file: Annotated[
        Path | None,
        Option(
            "verify the match in FILE and keep it, print its code here, and end", FILE, "import"
        ),
    ] = None
