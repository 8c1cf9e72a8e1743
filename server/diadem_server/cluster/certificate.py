"""How nodes know each other: the dialled one by the certificate that it made for itself and put into the register, the
dialler by the secret that is kept in the database."""

import datetime
import hashlib
import hmac
import ssl
import tempfile
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAME = "Diadem"
YEARS = datetime.timedelta(days=3650)
"""Nobody looks at the dates: what counts is the fingerprint in the register, which the node leaves when it ends."""


class Certificate(NamedTuple):
    context: ssl.SSLContext
    fingerprint: str
    """For the register: SHA-256 of the certificate."""


def make_certificate() -> Certificate:
    """A new key, which is on no disk for longer than it takes to read it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - YEARS)
        .not_valid_after(now + YEARS)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "node.pem"
        file.touch(mode=0o600)
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context.load_cert_chain(file)
    return Certificate(context, fingerprint(certificate.public_bytes(serialization.Encoding.DER)))


def dialler_context() -> ssl.SSLContext:
    """Takes any certificate: which one it was is looked at by `fingerprint`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def fingerprint(certificate: bytes) -> str:
    return hashlib.sha256(certificate).hexdigest()


def proof(secret: bytes, dialler: int, dialled: int, nonce: bytes, pinned: str) -> bytes:
    """Worth something on this one connection to this one node: nobody can show it again, or to another."""
    said = f"{dialler} {dialled} {pinned} ".encode() + nonce
    return hmac.digest(secret, said, "sha256")
