"""A network of hosts on this machine: a namespace each, and a switch between them.

Needs root and iproute2. A kernel without netem cannot make a line slow or lossy, so such a line is a pair
of virtual interfaces with a relay between them (`tests.lan.relay`), which delays and drops whole frames:
what TCP makes of that is the kernel's own doing.
"""

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.programs import tied

ROOT = Path(__file__).parents[2]
IP = shutil.which("ip", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
SWITCH = "switch"


class CannotBeBuilt(Exception):
    """Why this machine has no room for a network of its own."""


def ip(*arguments: str) -> str:
    if IP is None:
        raise CannotBeBuilt("iproute2 is not installed")
    done = subprocess.run([IP, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise CannotBeBuilt(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


class Host:
    def __init__(self, lan: "Lan", name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.namespace = lan.namespace(name)
        self._switch = lan.namespace(SWITCH)

    @property
    def inside(self) -> tuple[str, ...]:
        """What a command is begun with that is to run on this host."""
        return (str(IP), "netns", "exec", self.namespace)

    def ip(self, *arguments: str) -> None:
        ip("-n", self.namespace, *arguments)

    def unplug(self) -> None:
        """Pull the cable at the switch: nothing is lost that this host would notice."""
        ip("-n", self._switch, "link", "set", f"to-{self.name}", "down")

    def plug(self) -> None:
        ip("-n", self._switch, "link", "set", f"to-{self.name}", "up")

    def switch_off(self) -> None:
        """Its own interface goes down, as when a laptop leaves the network."""
        self.ip("link", "set", "eth0", "down")

    def switch_on(self) -> None:
        self.ip("link", "set", "eth0", "up")


class Lan:
    _made = 0

    def __init__(self) -> None:
        Lan._made += 1
        self._tag = f"diadem-{os.getpid()}-{Lan._made}"
        self._hosts = 0
        self._stack = ExitStack()

    def namespace(self, name: str) -> str:
        return f"{self._tag}-{name}"

    def __enter__(self) -> "Lan":
        _remove_left_behind()
        try:
            switch = self._make_namespace(SWITCH)
            ip("-n", switch, "link", "add", SWITCH, "type", "bridge")
            ip("-n", switch, "link", "set", SWITCH, "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _make_namespace(self, name: str) -> str:
        namespace = self.namespace(name)
        ip("netns", "add", namespace)
        self._stack.callback(_remove, namespace)
        ip("-n", namespace, "link", "set", "lo", "up")
        return namespace

    def host(self, name: str) -> Host:
        host, switch = self._new_host(name), self.namespace(SWITCH)
        ends = (f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", host.namespace)
        ip("-n", switch, "link", "add", *ends)
        self._connect(host)
        return host

    def far_host(self, name: str, delay: float, loss: float) -> Host:
        """One whose every frame takes so many seconds, either way, or is lost."""
        host, switch = self._new_host(name), self.namespace(SWITCH)
        relay = subprocess.Popen(  # noqa: S603
            tied(
                *(str(IP), "netns", "exec", switch),
                *(sys.executable, "-m", "tests.lan.relay", f"to-{name}", "eth0"),
                *(str(delay), str(loss)),
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        self._stack.callback(_end, relay)
        assert relay.stdout is not None
        if relay.stdout.readline() != b"ready\n":
            raise CannotBeBuilt("there are no TAP devices (/dev/net/tun)")
        ip("-n", switch, "link", "set", "eth0", "netns", host.namespace)
        self._connect(host)
        return host

    def _new_host(self, name: str) -> Host:
        self._hosts += 1
        host = Host(self, name, f"10.77.0.{self._hosts}")
        self._make_namespace(name)
        return host

    def _connect(self, host: Host) -> None:
        ip("-n", self.namespace(SWITCH), "link", "set", f"to-{host.name}", "master", SWITCH, "up")
        host.ip("addr", "add", f"{host.address}/24", "dev", "eth0")
        host.ip("link", "set", "eth0", "up")


def _remove_left_behind() -> None:
    """Namespaces of tests that were killed: no process keeps those, and so none ends with them."""
    for line in ip("netns", "list").splitlines():
        found = re.match(r"diadem-(\d+)-", line)
        if found and not Path(f"/proc/{found[1]}").exists():
            _remove(line.split()[0])


def _remove(namespace: str) -> None:
    with suppress(CannotBeBuilt):
        ip("netns", "del", namespace)


def _end(relay: "subprocess.Popen[bytes]") -> None:
    relay.kill()
    relay.wait()
    for stream in (relay.stdin, relay.stdout):
        if stream is not None:
            stream.close()
