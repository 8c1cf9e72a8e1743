"""Servers to choose from: those heard on the local network, then those used last."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import set_cell_size
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed, ngettext
from diadem_client.net.address import Address, BadAddress, read_address
from diadem_client.net.discovery import DiscoveredServer
from diadem_client.settings import RecentServer

COLUMNS = (20, 27)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Row(Struct, frozen=True):
    host: str
    """As it is typed."""
    words: str


class Servers(OptionList):
    DEFAULT_CSS = """
    Servers { height: auto; max-height: 6; border: none; padding: 0 1; text-wrap: nowrap;
              text-overflow: ellipsis; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self._rows: list[Row] = []
        self.can_focus = False

    def show(self, heard: Sequence[DiscoveredServer], used: Sequence[RecentServer]) -> None:
        """The same server stays marked, whatever comes and goes around it."""
        rows = [_heard(each) for each in heard]
        known = {_own(each.address, is_here=each.is_here) for each in heard}
        known |= {each.address for each in heard}
        for each in used:
            if (address := _address(each)) not in known:
                known |= {address} if address else set()
                rows.append(_used(each))
        if rows == self._rows:
            return
        marked = self.host_at(self.highlighted)
        self._rows = rows
        self.can_focus = bool(rows)
        self.clear_options()
        self.add_options(Option(row.words) for row in rows)
        hosts = [row.host for row in rows]
        if hosts:
            self.highlighted = hosts.index(marked) if marked in hosts else 0

    def goes_on(self, step: int) -> bool:
        """Whether there is another one below or above the one that is marked."""
        return self.highlighted is not None and self.highlighted + step in range(self.option_count)

    def host_at(self, index: int | None) -> str | None:
        return self._rows[index].host if index is not None and index < len(self._rows) else None


def _heard(server: DiscoveredServer) -> Row:
    host = server.address.url if server.address.secure else str(server.address)
    if not server.compatible:
        said = _("another version ({version})").format(version=server.version or "?")
    else:
        tables = ngettext("{count} table", "{count} tables", server.tables)
        said = listed(
            [tables.format(count=server.tables), *([_("password")] if server.password else [])]
        )
    return Row(host, _columns(server.name, host, said))


def _used(server: RecentServer) -> Row:
    return Row(server.host, _columns(server.name, server.host, _("used before")))


def _address(server: RecentServer) -> Address | None:
    try:
        return _own(read_address(server.host))
    except BadAddress:
        return None


def _own(address: Address, *, is_here: bool = False) -> Address:
    """The same for a server of this machine, however the machine is called in it."""
    is_own = is_here or address.host in LOOPBACK
    return replace(address, host=LOOPBACK[0]) if is_own else address


def _columns(*cells: str) -> str:
    *fixed, last = cells
    padded = (set_cell_size(cell, width) for cell, width in zip(fixed, COLUMNS, strict=True))
    return " ".join((*padded, last))
