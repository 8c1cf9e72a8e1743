"""What a fair shuffle is made of: a secret of the server, and what each person at the table adds to it.

Hashes are BLAKE2b of 32 bytes over a label and values, each behind its length, so that no two lists of values run into one.
"""

from collections.abc import Sequence
from hashlib import blake2b
from hmac import compare_digest

HASH_BYTES = 32
ADDED_BYTES = 32
"""What each person adds to a round."""


def hashed(label: str, *values: bytes) -> bytes:
    parts = (label.encode(), *values)
    whole = b"".join(len(each).to_bytes(8, "little") + each for each in parts)
    return blake2b(whole, digest_size=HASH_BYTES).digest()


def commitment_of_server(secret: bytes) -> bytes:
    """What a table tells of its secret from the first."""
    return hashed("diadem server", secret)


def commitment_of_player(server: bytes, round_: int, name: str, added: bytes) -> bytes:
    """What a player tells of what they add to a round, counted from 0, at the table of that server's commitment. Nobody
    else can use it, and nowhere else."""
    return hashed("diadem player", server, round_.to_bytes(8, "little"), name.encode(), added)


def opens(commitment: str, opening: str, server: bytes, round_: int, name: str) -> bool:
    """Whether this is what was committed to; all in hex."""
    try:
        added = bytes.fromhex(opening)
    except ValueError:
        return False
    if added.hex() != opening or len(added) != ADDED_BYTES:
        return False
    return compare_digest(commitment_of_player(server, round_, name, added).hex(), commitment)


def seed_of_round(
    secret: bytes, round_: int, commitments: Sequence[str], openings: Sequence[str | None]
) -> bytes:
    """The chance of a round: nobody knows it who lacks the secret, or anything that a player has added."""
    pairs = zip(commitments, openings, strict=True)
    values = ((text or "").encode() for pair in pairs for text in pair)
    return hashed("diadem round", secret, round_.to_bytes(8, "little"), *values)
