"""nginx before the server, with the sites of docs/hosting/ as they stand there."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from socket import create_server

import pytest

from tests.pages import HOSTING
from tests.patience import PATIENCE
from tests.programs import tied
from tests.server.certificate import certificate

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NAME = "games.example.org"
"""By which players come."""
GAME, WEB = 7453, 7480
"""The ports of the server that the two sites are before, as they are written."""
needs_nginx = pytest.mark.skipif(NGINX is None, reason="needs nginx")


def site_before(port: int) -> str:
    """The site that is before this port of the server."""
    sites = re.findall(r"```nginx\n(.*?)```", HOSTING, re.DOTALL)
    (found,) = (each for each in sites if f"127.0.0.1:{port};" in each)
    return str(found)


@asynccontextmanager
async def nginx(
    folder: Path, upstream: int, written: int, without: str = "", *, has_tls: bool = True
) -> AsyncIterator[int]:
    """The site as it stands on the page, but for its ports, the place of its certificate, which is made
    in this folder as `cert.pem`, and the header of this name. Without TLS it has no certificate either."""
    with create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    made, key = certificate(folder, f"DNS:{NAME}")
    site = re.sub(r"/etc/\S+/fullchain.pem", str(made), site_before(written))
    site = re.sub(r"/etc/\S+/privkey.pem", str(key), site)
    site = re.sub(r"listen .*\[::\].*\n", "", site).replace(
        "listen 443", f"listen 127.0.0.1:{port}"
    )
    if not has_tls:
        site = re.sub(r"ssl_certificate.*\n", "", site).replace(f"{port} ssl;", f"{port};")
    site = site.replace(f"127.0.0.1:{written}", f"127.0.0.1:{upstream}")
    if without:
        site, left_out = re.subn(rf"proxy_set_header {without} .*\n", "", site)
        assert left_out == 1
    places = "\n".join(
        f"{kind}_temp_path {folder};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}\n{site}\n}}\n"
    )
    process = await asyncio.create_subprocess_exec(
        *tied(
            *(str(NGINX), "-c", str(folder / "nginx.conf"), "-p", str(folder)),
            *("-e", str(folder / "error.log"), "-g", "daemon off;"),
            signal="TERM",  # upon which it ends its workers
        ),
    )
    try:
        async with asyncio.timeout(PATIENCE):
            await _listens(port)
        yield port
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> None:
    while True:
        with suppress(ConnectionError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.02)
