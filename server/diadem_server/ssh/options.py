"""What `game-server` is told about ssh."""

import argparse
from collections.abc import Callable
from pathlib import Path

from diadem_server.config import SshConfig

MINUTE = 60.0


def add_options(
    parser: argparse.ArgumentParser, number: Callable[[int, int], Callable[[str], int]]
) -> None:
    add = parser.add_argument_group("over ssh (needs diadem[ssh])").add_argument
    add(
        "--ssh",
        type=number(0, 65535),
        metavar="PORT",
        help="let players in over ssh, who need nothing else: ssh -t -p PORT HOST",
    )
    add("--ssh-keys", type=Path, metavar="FILE", help="only with these public keys, one a line")
    add("--ssh-guests", action="store_true", help="also without a key, under any free name")
    some = number(1, 10_000)
    add("--ssh-max", type=some, default=50, metavar="N", help="sessions in all (default: 50)")
    add("--ssh-max-per-key", type=some, default=3, metavar="N", help="of one player (default: 3)")
    add(
        "--ssh-max-per-address",
        type=some,
        default=20,
        metavar="N",
        help="connections from one address (default: 20)",
    )
    add(
        "--ssh-idle",
        type=number(0, 10_000),
        default=30,
        metavar="MINUTES",
        help="without a key pressed, after which a session is closed (default: 30; 0 for never)",
    )


def read_options(parser: argparse.ArgumentParser, given: argparse.Namespace) -> SshConfig | None:
    if given.ssh is None:
        if given.ssh_keys or given.ssh_guests:
            parser.error(
                "--ssh-keys and --ssh-guests say who comes in over ssh: give --ssh PORT too"
            )
        return None
    return SshConfig(
        port=given.ssh,
        keys=given.ssh_keys,
        guests=given.ssh_guests,
        most=given.ssh_max,
        most_per_key=given.ssh_max_per_key,
        most_per_address=given.ssh_max_per_address,
        idle_seconds=MINUTE * given.ssh_idle,
    )
