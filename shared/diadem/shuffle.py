"""What a fair shuffle is made of: a secret of the server, and what each person at the table adds to it.

Hashes are BLAKE2b of 32 bytes over a label and values, each behind its length, so that no two lists of values run into one.
"""

from hashlib import blake2b

HASH_BYTES = 32


def hashed(label: str, *values: bytes) -> bytes:
    parts = (label.encode(), *values)
    whole = b"".join(len(each).to_bytes(8, "little") + each for each in parts)
    return blake2b(whole, digest_size=HASH_BYTES).digest()


def commitment_of_server(secret: bytes) -> bytes:
    """What a table tells of its secret from the first."""
    return hashed("diadem server", secret)
