"""The tables of docs/protocol.md, taken from the code so that they stay true.

    python -m tools.protocol_tables

writes them anew between the marks `<!-- name -->` and `<!-- end -->` of the page.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from diadem import protocol
from diadem.protocol import FromClient, FromServer
from tools import marked
from tools.protocol_tables import codes, games, structs

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def from_client() -> Iterator[str]:
    for kind in structs.kinds(FromClient):
        yield from structs.message(kind, level=3)


def from_server() -> Iterator[str]:
    for kind in structs.kinds(FromServer):
        yield from structs.message(kind, level=3)


def parts() -> Iterator[str]:
    messages: list[structs.Kind] = [
        *structs.kinds(FromClient),
        *structs.kinds(FromServer),
        protocol.TablePublic,
        protocol.Description,
    ]
    for kind in structs.named_in(messages):
        yield from structs.described(kind, level=3)


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "from client": from_client,
    "from server": from_server,
    "parts": parts,
    "entries": games.entries,
    "games": games.all_games,
    "refusals": codes.tables,
}


def renewed(page: str) -> str:
    """The page with its tables as the code has them now."""
    return marked.renewed(page, TABLES)
