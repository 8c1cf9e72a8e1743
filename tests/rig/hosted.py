"""What tests of hosted clients share."""

from socket import socket

from diadem_client.net.address import Address


async def _refused() -> socket:
    raise ConnectionRefusedError


BY_A_GATE = Address("Diadem", opened_by=_refused)
"""Of a client to which a gate hands its connections, and which gets none."""
