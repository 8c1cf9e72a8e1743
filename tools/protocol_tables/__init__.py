"""What docs/protocol.md takes from the code, so that it stays true: its tables, the schema, and frames to try a client with.

    python -m tools.protocol_tables

writes the tables anew between the marks `<!-- name -->` and `<!-- end -->` of the page, and docs/schema.json and tests/corpus/.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from diadem_shared import protocol
from diadem_shared.games import GAMES
from diadem_shared.protocol import FromClient, FromServer
from diadem_shared.schema import schema
from tools import marked
from tools.protocol_tables import answers, codes, deals, games, limits, shuffle, structs

DOCS = Path(__file__).parents[2] / "docs"
PAGE, SCHEMA = DOCS / "protocol.md", DOCS / "schema.json"


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
    "answers": answers.table,
    "asked anew": limits.asked_anew,
    "weights": limits.weights,
    "from server": from_server,
    "parts": parts,
    "entries": games.entries,
    "games": games.all_games,
    "closing": limits.closing,
    "limits": limits.limits,
    "refusals": codes.tables,
    "reasons": codes.reasons,
    "shuffle": shuffle.vector,
    "deals": deals.vector,
}


def renewed(page: str) -> str:
    """The page with its tables as the code has them now."""
    return marked.renewed(page, TABLES)


def written_schema() -> str:
    """A line for each definition, so that one sees what has changed."""
    whole = schema(GAMES)
    defs = whole.pop("$defs")
    head = json.dumps(whole, indent=1)[:-2]
    listed = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in defs.items())
    return f'{head},\n "$defs": {{\n{listed}\n }}\n}}\n'
