"""A server makes itself known on the local network, by multicast DNS, for as long as it runs.

It is a convenience: whatever goes wrong here is told once in the log, and nobody who plays waits for it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from msgspec import Struct

from diadem_server import VERSION
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.own_addresses import own_addresses
from diadem_shared.announcement import LONGEST_NAME, SERVICE, Announcement, to_txt

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

log = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
"""Between two looks at whether there is news to tell."""
LONGEST_LABEL = 63
"""Bytes, in a name of the DNS."""


class Place(Struct, frozen=True):
    """Where the server listens."""

    hosts: Sequence[str]
    port: int
    tls: bool

    @property
    def is_seen_from_outside(self) -> bool:
        return not all(ip_address(host).is_loopback for host in self.hosts)

    def addresses(self) -> list[str]:
        """Where others reach it: of all this machine's addresses if it listens everywhere."""
        if any(ip_address(host).is_unspecified for host in self.hosts):
            return own_addresses()
        return [host for host in self.hosts if not ip_address(host).is_loopback]


class Announcer:
    def __init__(self, lobby: Lobby, place: Place) -> None:
        self._lobby = lobby
        self._place = place
        self._has_trouble = False
        self._has_complained = False

    async def run(self) -> None:
        """Until it is cancelled, and then a good-bye."""
        # It takes some 30 ms to load, in which the loop serves players.
        await asyncio.to_thread(__import__, "zeroconf.asyncio")
        complaints = _Complaints(self._cannot)
        logging.getLogger("zeroconf").addHandler(complaints)
        try:
            while True:
                await self._announce_if_possible()
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            logging.getLogger("zeroconf").removeHandler(complaints)

    async def _announce_if_possible(self) -> None:
        self._has_trouble = False
        try:
            if addresses := self._place.addresses():
                await self._announce(addresses)
            else:
                self._cannot("this machine has no address but its own")
        except Exception as error:  # noqa: BLE001, of the network or of zeroconf: no game minds
            self._cannot(error)

    def _cannot(self, why: object) -> None:
        self._has_trouble = True
        if not self._has_complained:
            self._has_complained = True
            log.warning("not announced on the local network: %s", why)

    async def _announce(self, addresses: Sequence[str]) -> None:
        """As long as this machine keeps its addresses."""
        from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

        told = self._news()
        info = _record(told, addresses, self._place.port)
        zeroconf = AsyncZeroconf(interfaces=list(addresses))
        try:
            await (await zeroconf.async_register_service(info, allow_name_change=True))
            if not self._has_trouble:
                name = info.name.removesuffix(f".{SERVICE}")
                log.info("announced on the local network as %s", name)
            while self._place.addresses() == addresses:
                await asyncio.sleep(PAUSE_SECONDS)
                if (news := self._news()) != told:
                    told = news
                    again = _record(told, addresses, self._place.port, info.name)
                    await (await zeroconf.async_update_service(again))
        finally:
            try:
                # The network may be gone, and then nobody hears a good-bye.
                with suppress(Exception):
                    await zeroconf.async_close()
            except asyncio.CancelledError:  # once more: the good-bye took too long
                zeroconf.zeroconf.close()
                raise

    def _news(self) -> Announcement:
        config = self._lobby.config
        return Announcement(
            name=config.name,
            version=VERSION,
            tables=len(self._lobby.public_tables.tables),
            password=config.password is not None,
            tls=self._place.tls,
        )


class _Complaints(logging.Handler):
    """What zeroconf could not send; what others sent amiss is no concern of ours."""

    def __init__(self, tell: Callable[[object], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and isinstance(record.exc_info[1], OSError):
            self._tell(record.exc_info[1])


def _record(
    told: Announcement, addresses: Sequence[str], port: int, name: str = ""
) -> "ServiceInfo":
    from zeroconf import ServiceInfo  # noqa: PLC0415

    return ServiceInfo(
        SERVICE,
        name or f"{instance(told.name, addresses[0], port)}.{SERVICE}",
        port,
        properties=to_txt(told),
        server=f"diadem-{_as_label(addresses[0])}-{port}.local.",
        parsed_addresses=list(addresses),
    )


def instance(name: str, address: str, port: int) -> str:
    """A name that no other server on this network has, whatever it is called."""
    where = f" {_as_label(address)}-{port}"
    plain = "".join(each if each.isprintable() and each != "." else " " for each in name)
    room = LONGEST_LABEL - len(where.encode())
    return (plain[:LONGEST_NAME].encode()[:room].decode(errors="ignore").strip() + where).strip()


def _as_label(address: str) -> str:
    return address.replace(".", "-").replace(":", "-")
