"""A hash chain over what a match is made of: how it was set up, and each of its entries.

Each link covers the one before, so that the newest stands for all of them. The hash has a key that follows from the
table's secret: while the match runs, nobody can try out what an entry may have been.
"""

from hashlib import blake2b

from diadem_shared.shuffle import HASH_BYTES, commitment_of_server, hashed


class Chain:
    """The key, and the first link."""

    __slots__ = ("_key", "origin")

    def __init__(self, secret: bytes, header: bytes) -> None:
        self._key = hashed("diadem chain", secret)
        self.origin = self.link(b"", header)
        """The link of the header, before there is any entry."""

    def link(self, before: bytes, written: bytes) -> bytes:
        """The link of an entry, as it is written down, behind that one."""
        return blake2b(before + written, key=self._key, digest_size=HASH_BYTES).digest()


def header(secret: bytes, table: str, version: int, setup: bytes) -> bytes:
    """How a match was set up, in the JSON of its first line; `setup` is JSON as it was written down."""
    commitment = commitment_of_server(secret).hex()
    known = f'"table":"{table}","version":{version},"commitment":"{commitment}"'
    return b'{"type":"table",%b,"setup":%b}' % (known.encode(), setup)
