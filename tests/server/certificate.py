"""A certificate that nobody has signed, for a server of a test."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="needs openssl to make a certificate"
)


def certificate(folder: Path, names: str = "IP:127.0.0.1") -> tuple[Path, Path]:
    """Certificate and key."""
    paths = folder / "cert.pem", folder / "key.pem"
    for path, content in zip(paths, _made(names), strict=True):
        path.write_bytes(content)
        path.chmod(0o600)
    return paths


@cache
def _made(names: str) -> tuple[bytes, bytes]:
    """Once in a run: to start a program costs more than most tests that need one."""
    with TemporaryDirectory() as folder:
        made, key = Path(folder, "cert.pem"), Path(folder, "key.pem")
        make = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {made} -addext subjectAltName={names}"
        subprocess.run(make.split(), check=True, capture_output=True)  # noqa: S603
        return made.read_bytes(), key.read_bytes()
