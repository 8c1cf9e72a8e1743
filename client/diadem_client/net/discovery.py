"""Servers that announce themselves on the local network by mDNS, for as long as the player looks for one.

Announcements come from strangers: they are sanitized, shortened, and limited in number.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Interface, ip_address
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec import Struct

from diadem_client.i18n import sanitized
from diadem_client.net.address import Address
from diadem_shared.announcement import SERVICE, read_txt
from diadem_shared.protocol import SUBPROTOCOL

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

log = logging.getLogger(__name__)

MAX_SERVERS = 24
"""The most servers that are kept; a stranger may announce thousands."""
RESCAN_SECONDS = 5.0
GATHER_SECONDS = 0.2
"""Seconds over which changes are debounced into one."""
ASK_MILLISECONDS = 3_000


class DiscoveredServer(Struct, frozen=True):
    """A server as it announces itself."""

    name: str
    address: Address
    version: str
    tables: int
    password: bool
    """Whether the server needs a password."""
    compatible: bool
    """Whether the server speaks this client's version of the protocol."""
    is_here: bool = False
    """Whether it runs on this machine."""


class ServerBrowser:
    """`run` browses until it is cancelled, and calls `tell` with the servers whenever they change."""

    def __init__(self, tell: Callable[[tuple[DiscoveredServer, ...]], None]) -> None:
        self._tell = tell
        self._heard: dict[str, DiscoveredServer | None] = {}
        """Servers by the name of their service; None while the address is resolved."""
        self._told: tuple[DiscoveredServer, ...] = ()
        self._questions: dict[str, asyncio.Task[None]] = {}
        self._due: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        # Loading zeroconf takes some 30 ms, so a thread does it while the screen handles keys.
        zeroconf = await asyncio.to_thread(__import__, "zeroconf.asyncio")
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
        while True:
            try:
                await self._browse(zeroconf.asyncio)
            except Exception as error:  # noqa: BLE001, of the network or of zeroconf: one can still type
                log.info("nothing can be heard on the local network: %s", error)
            await asyncio.sleep(RESCAN_SECONDS)

    async def _browse(self, zeroconf: ModuleType) -> None:
        line: AsyncZeroconf = zeroconf.AsyncZeroconf()
        try:
            browser = zeroconf.AsyncServiceBrowser(
                line.zeroconf, SERVICE, handlers=[self._on_change]
            )
            try:
                while True:
                    await asyncio.sleep(RESCAN_SECONDS)
                    # This machine may have come to another network.
                    await line.async_update_interfaces()
            finally:
                await browser.async_cancel()
                await self._give_up()
        finally:
            try:
                with suppress(OSError):
                    await line.async_close()
            except asyncio.CancelledError:  # once more, as the program ends meanwhile
                line.zeroconf.close()
                raise

    async def _give_up(self) -> None:
        if self._due:
            self._due.cancel()
            self._due = None
        self._heard.clear()
        for question in self._questions.values():
            question.cancel()
        await asyncio.gather(*self._questions.values(), return_exceptions=True)

    def _on_change(
        self,
        zeroconf: "Zeroconf",
        service_type: str,
        name: str,
        state_change: "ServiceStateChange",
    ) -> None:
        if state_change is type(state_change).Removed:
            if question := self._questions.pop(name, None):
                question.cancel()
            self._heard.pop(name, None)
            self._changed()
        elif name in self._heard or len(self._heard) < MAX_SERVERS:
            self._heard.setdefault(name, None)
            if name not in self._questions:
                question = asyncio.create_task(self._ask(zeroconf, name))
                self._questions[name] = question
                question.add_done_callback(lambda done: self._answered(name, done))

    async def _ask(self, zeroconf: "Zeroconf", name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415

        info = AsyncServiceInfo(SERVICE, name)
        there = await info.async_request(zeroconf, ASK_MILLISECONDS)
        if there and (heard := read(info, own_interfaces())):
            self._heard[name] = heard
        else:
            # Its place is for others; should it say more, it is asked again.
            self._heard.pop(name, None)
        self._changed()

    def _answered(self, name: str, question: "asyncio.Task[None]") -> None:
        if self._questions.get(name) is question:
            del self._questions[name]
        if not question.cancelled() and (error := question.exception()):
            log.info("a service on the local network makes no sense: %s", sanitized(repr(error)))

    def _changed(self) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._tell_all)

    def _tell_all(self) -> None:
        self._due = None
        known = {each for each in self._heard.values() if each is not None}
        heard = tuple(sorted(known, key=lambda each: (each.name.casefold(), str(each.address))))
        if heard != self._told:
            self._told = heard
            self._tell(heard)


def read(info: "ServiceInfo", interfaces: Sequence[IPv4Interface]) -> DiscoveredServer | None:
    """The server that a service announces; None if its address is unusable."""
    host = nearest(info.parsed_addresses(), interfaces)
    if host is None or not info.port:
        return None
    told = read_txt(info.properties)
    address = Address(host, info.port, told.tls)
    return DiscoveredServer(
        name=sanitized(told.name).strip() or str(address),
        address=address,
        version=sanitized(told.version),
        tables=told.tables,
        password=told.password,
        compatible=told.protocol == SUBPROTOCOL,
        is_here=any(host == str(each.ip) for each in interfaces),
    )


def own_interfaces() -> list[IPv4Interface]:
    import ifaddr  # noqa: PLC0415, only who looks for servers loads it

    return [
        IPv4Interface(f"{each.ip}/{each.network_prefix}")
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
        if isinstance(each.ip, str)  # IPv4; those of IPv6 are tuples
    ]


def nearest(addresses: Sequence[str], interfaces: Sequence[IPv4Interface]) -> str | None:
    """Of the addresses that a server announces, the one to use from this machine.

    A server may have networks of its own, for containers say, that this machine has as well: what is
    an address of this very machine comes last.
    """

    def distance(address: str) -> int:
        if any(address == str(here.ip) for here in interfaces):
            return 2
        return 0 if any(ip_address(address) in here.network for here in interfaces) else 1

    return min(filter(_is_connectable, addresses), key=distance, default=None)


def _is_connectable(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    needs_a_scope = address.version == 6 and address.is_link_local
    nowhere = address.is_loopback or address.is_multicast or address.is_unspecified
    return not (nowhere or needs_a_scope)
