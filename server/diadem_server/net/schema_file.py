"""The schema of all messages, as it is fetched over HTTP: made once, and sent compressed to who can read that."""

import gzip
from collections.abc import Mapping
from functools import cached_property

import msgspec
from websockets.datastructures import Headers

from diadem_shared.games import GAMES
from diadem_shared.schema import schema

HEADERS = {
    "Content-Type": "application/schema+json",
    "Cache-Control": "public, max-age=3600",
    "Vary": "Accept-Encoding",
}


class SchemaFile:
    @cached_property
    def _plain(self) -> bytes:
        return msgspec.json.encode(schema(GAMES))

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self._plain, mtime=0)

    def answer(self, asked: Headers) -> tuple[Mapping[str, str], bytes]:
        """Headers and content."""
        codings = ",".join(asked.get_all("Accept-Encoding")).split(",")
        if "gzip" in (each.partition(";")[0].strip() for each in codings):
            return {**HEADERS, "Content-Encoding": "gzip"}, self._compressed
        return HEADERS, self._plain
