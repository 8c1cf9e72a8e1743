"""The cookie by which a browser is known: 32 random bytes, which no page can read."""

import re
import secrets

from websockets.datastructures import Headers

NAME, NAME_OVER_TLS = "diadem", "__Host-diadem"
"""Browsers take the second over TLS only, and from no other host."""
IDENTITY = re.compile(r"[A-Za-z0-9_-]{43}")
IDENTITY_BYTES = 32
KEPT_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""


def identity_in(headers: Headers, *, secure: bool) -> str | None:
    """Who the browser says it is, if it says so in the right form."""
    name = _name(secure=secure)
    for pair in "; ".join(headers.get_all("Cookie")).split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name and IDENTITY.fullmatch(value):
            return value
    return None


def new_identity() -> str:
    return secrets.token_urlsafe(IDENTITY_BYTES)


def set_cookie(identity: str, *, secure: bool) -> str:
    """The value of the header. The cookie is Lax: a Strict one is not sent when a link in a chat is
    followed, and the browser would be given another."""
    value = f"{_name(secure=secure)}={identity}; Path=/; Max-Age={KEPT_SECONDS}"
    return f"{value}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def _name(*, secure: bool) -> str:
    return NAME_OVER_TLS if secure else NAME
