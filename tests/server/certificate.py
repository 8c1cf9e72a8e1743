"""A certificate that nobody has signed, for a server of a test."""

import shutil
import subprocess
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="needs openssl to make a certificate"
)


def certificate(folder: Path, names: str = "IP:127.0.0.1") -> tuple[Path, Path]:
    """Certificate and key."""
    made, key = folder / "cert.pem", folder / "key.pem"
    make = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {made} -addext subjectAltName={names}"
    subprocess.run(make.split(), check=True, capture_output=True)  # noqa: S603
    return made, key
