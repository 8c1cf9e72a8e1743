"""What the application is started with."""

from msgspec import Struct
from textual.driver import Driver

from diadem_client.look.color_depth import ColorDepth
from diadem_client.net.address import Address
from diadem_client.state.forms import FileReader
from diadem_shared.entries import Setup


class LaunchOptions(Struct, frozen=True):
    """What the command line asks for."""

    host: str = ""
    name: str = ""
    own_name: str = ""
    """What to call a player who named no name."""
    menu: bool = False
    """Begin with the menu instead of asking for a server."""
    table: str = ""
    watch: bool = False
    address: Address | None = None
    """The only server that a hosted client may use."""
    reached: str = ""
    """The name or address by which its player came to the host."""
    page: str = ""
    """The origin of the page in whose browser the player is."""
    password: str = ""
    connect_at_once: bool = False
    """Connect at once instead of asking where."""
    setup: Setup | None = None
    """A table to make as soon as there is a server: a game for one."""
    bots: tuple[str, ...] = ()
    """Levels of the bots to seat there."""
    replay: bytes = b""
    """The file of a match to look at again at once."""
    file_reader: FileReader | None = None
    """Reads the files that the player names; none where the machine is not the player's."""


class TerminalOptions(Struct, frozen=True):
    """The terminal, and how it is drawn on."""

    driver: type[Driver] | None = None
    must_be_ascii: bool = False
    """Draw with ASCII even if the settings do not ask for it."""
    tier: ColorDepth = ColorDepth.PALETTE
    """How many colours it shows."""
    on_console: bool = False
    """Whether it is the console of Linux, whose font has few signs."""
    is_our_page: bool = False
    """Whether it is the page in a browser, which shows the title to its player and to nobody else."""

    @property
    def without_colour(self) -> bool:
        return self.tier is ColorDepth.NONE
