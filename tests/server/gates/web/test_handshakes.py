"""Handshakes of every wrong kind, over the wire: none gets a websocket, or holds one that others could have."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import pytest

from diadem_server.net.websocket import HANDSHAKE_SECONDS
from tests.rig.virtual_gate import Line, VirtualGate

HOST = "192.0.2.9:7480"
ANA, BOB = "a" * 43, "b" * 43
RIGHT: dict[str, str | None] = {
    "Host": HOST,
    "Origin": f"http://{HOST}",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Cookie": f"diadem={ANA}",
}
HELLO = b'{"v":1,"size":[80,24]}'

K = TypeVar("K")


def request(
    changed: dict[str, str | None] | None = None,
    line: str = "GET /ws HTTP/1.1",
    more: str = "",
) -> bytes:
    """As the page asks for its websocket, but for what is changed; None leaves a header out."""
    headers = RIGHT | (changed or {})
    said = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None)
    return f"{line}\r\n{said}{more}\r\n".encode("latin-1")


def hello() -> bytes:
    """Masked, with a mask that changes nothing."""
    return bytes([0x81, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO


async def said(gate: VirtualGate, *pieces: bytes, address: str = "192.0.2.1") -> Line:
    line = await gate.line(address)
    for piece in pieces:
        line.send(piece)
        await gate.settle()
    return line


def answers(gate: VirtualGate, requests: Mapping[K, Sequence[bytes]]) -> dict[K, int]:
    """What is answered over HTTP, each from an address of its own; 0 for a line that is closed without a word. Nobody
    has got a client."""
    found = {}
    for number, (name, pieces) in enumerate(requests.items(), start=1):
        line = gate.run(said(gate, *pieces, address=f"10.0.{number}.1"))
        if line.status != 101:
            assert line.is_lost or line.transport.is_closing(), name
        assert not gate.pool.running, name
        found[name] = line.status
    return found


def test_the_page_gets_its_websocket(gate: VirtualGate) -> None:
    """Or else what follows would prove nothing."""
    line = gate.run(said(gate, request(), hello()))
    assert line.status == 101
    assert len(gate.pool.running) == 1


WRONG_HEADERS: dict[tuple[str, str | None], int] = {
    ("Origin", None): 403,
    ("Origin", "https://evil.example"): 403,
    ("Origin", "null"): 403,
    ("Origin", f"http://{HOST}, https://evil.example"): 403,
    ("Origin", "http://192.0.2.9"): 403,
    ("Host", "192.0.2.9.evil.example"): 403,
    ("Host", None): 403,
    ("Host", ""): 403,
    ("Host", f"x@{HOST}"): 403,
    ("Upgrade", None): 426,
    ("Upgrade", "h2c"): 426,
    ("Connection", None): 426,
    ("Connection", "close"): 426,
    ("Sec-WebSocket-Version", None): 400,
    ("Sec-WebSocket-Version", "8"): 400,
    ("Sec-WebSocket-Key", None): 400,
    ("Sec-WebSocket-Key", "AAAA"): 400,
    ("Sec-WebSocket-Key", "?" * 24): 400,
}


def test_a_header_that_is_wrong(gate: VirtualGate) -> None:
    asked = {each: [request(dict([each])), hello()] for each in WRONG_HEADERS}
    assert answers(gate, asked) == WRONG_HEADERS
    both = request({"Host": "evil.example", "Origin": "http://evil.example"})
    assert answers(gate, {"host and origin": [both, hello()]}) == {"host and origin": 403}


def test_a_header_that_is_doubled(gate: VirtualGate) -> None:
    doubled = {
        name: [request(more=f"{name}: {RIGHT[name]}\r\n"), hello()] for name in ("Host", "Origin")
    }
    assert answers(gate, doubled) == dict.fromkeys(doubled, 403)


NO_REQUESTS = (
    "GET /ws",  # HTTP/0.9
    "GET /ws HTTP/0.9",
    "GET /ws HTTP/1.0",
    "GET /ws HTTP/2.0",
    "PRI * HTTP/2.0",
    "GET  /ws HTTP/1.1",
    "GET /ws HTTP/1.1 more",
    "GET",
    "",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # somebody who speaks TLS
    "SSH-2.0-OpenSSH_9.9",
)


def others(found: Mapping[K, int], *allowed: int) -> dict[K, int]:
    return {name: status for name, status in found.items() if status not in allowed}


def test_a_line_that_is_no_request(gate: VirtualGate) -> None:
    asked = {line: [request(line=line), hello()] for line in NO_REQUESTS}
    assert others(answers(gate, asked), 0, 400, 505) == {}


def test_another_method(gate: VirtualGate) -> None:
    methods = ("POST", "HEAD", "CONNECT", "OPTIONS", "BREW")
    asked = {each: [request(line=f"{each} /ws HTTP/1.1"), hello()] for each in methods}
    assert answers(gate, asked) == dict.fromkeys(methods, 405)


def test_a_body(gate: VirtualGate) -> None:
    """A GET that brings one is not read."""
    asked = {
        length: [request({"Content-Length": length}, "GET / HTTP/1.1"), b"x" * 100_000]
        for length in ("5", "99999999999", "-1", "five")
    }
    assert others(answers(gate, asked), 0, 400, 413) == {}


def test_a_body_in_chunks(gate: VirtualGate) -> None:
    said = request({"Transfer-Encoding": "chunked"}, "GET / HTTP/1.1")
    assert (
        others(answers(gate, {"chunked": [said, b"ffff\r\n" + b"x" * 70_000]}), 0, 400, 501) == {}
    )


HEADERS = {
    "long": "Cookie: " + "x" * 100_000 + "\r\n",
    "many": "Cookie: diadem=x\r\n" * 1000,
    "a long name": "x" * 100_000 + ": 1\r\n",
    "no colon": "no colon\r\n",
    "a blank before the colon": "name : 1\r\n",
    "folded": " folded: 1\r\n",
    "zero": "Cookie: \x00\r\n",
}


def test_headers_that_are_huge_many_or_none(gate: VirtualGate) -> None:
    asked = {name: [request(more=more), hello()] for name, more in HEADERS.items()}
    assert others(answers(gate, asked), 0, 400, 431) == {}


NO_COOKIES = (None, "", "diadem=", f"diadem={ANA}x", f"diadem={'%41' * 43}", f"__Host-diadem={ANA}")


def test_a_cookie_that_is_none(gate: VirtualGate) -> None:
    """It gets a websocket, so that the page can tell why it is closed at once."""
    for cookie in NO_COOKIES:
        line = gate.run(said(gate, request({"Cookie": cookie}), hello()))
        assert line.status == 101, cookie
        assert b"\x0f\xa3this browser keeps no cookies" in line.heard, cookie  # 4003
        assert not gate.pool.running, cookie


@pytest.mark.parametrize("pair", [f"diadem={ANA}; diadem={BOB}", f"diadem=x; diadem={ANA}"])
def test_of_two_cookies_the_first_that_can_be_one_counts(gate: VirtualGate, pair: str) -> None:
    """The browser is one player, and neither has any advantage of being sent both."""
    gate.run(said(gate, request({"Cookie": pair}), hello()))
    gate.run(said(gate, request(), hello()))
    (player,) = gate.pool.players.values()
    assert player.token == gate.listener.players.token(ANA)


def test_requests_in_a_row_get_one_answer(gate: VirtualGate) -> None:
    line = gate.run(
        said(gate, request({"Upgrade": None}, "GET / HTTP/1.1") * 3 + request() + hello())
    )
    assert line.heard.count(b"HTTP/1.1 200 OK") == 1
    assert b"101 Switching" not in line.heard
    assert not gate.pool.running


def test_what_is_sent_before_the_answer_is_heard_after_it(gate: VirtualGate) -> None:
    """No proxy can be made to take a part of one request for another."""
    line = gate.run(said(gate, request() + hello()))
    assert line.heard.count(b"HTTP/1.1") == 1
    assert len(gate.pool.running) == 1


def test_a_request_byte_by_byte_has_so_many_seconds(gate: VirtualGate) -> None:
    async def slowly() -> tuple[Line, float]:
        line, begun = await gate.line(), gate.loop.time()
        for byte in request(line="GET / HTTP/1.1") * 100:
            line.send(bytes([byte]))
            await gate.pass_time(0.2)
            if line.is_lost:
                break
        return line, gate.loop.time() - begun

    line, seconds = gate.run(slowly())
    assert line.is_lost
    assert HANDSHAKE_SECONDS <= seconds < HANDSHAKE_SECONDS + 1
    assert not line.heard


def test_an_answer_that_nobody_reads_is_cut(gate: VirtualGate) -> None:
    async def unread() -> Line:
        line = await gate.line()
        line.transport.pause_reading()
        line.send(b"GET /page.mjs HTTP/1.1\r\nHost: 192.0.2.9\r\n\r\n")
        await gate.pass_time(60)
        return line

    assert gate.run(unread()).is_lost


def test_no_wrong_request_is_answered_with_more_than_a_line(gate: VirtualGate) -> None:
    for said_so in (
        request({"Origin": None}),
        request(line="BREW /ws HTTP/1.1"),
        request(line="GET /x.mjs HTTP/1.1"),
    ):
        line = gate.run(said(gate, said_so))
        _, _, body = line.heard.partition(b"\r\n\r\n")
        assert re.fullmatch(rb"[^\n]+\n", body)
        assert b"Traceback" not in body


# After the handshake


NO_FRAMES = {
    "text that is no UTF-8": (b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc", 1007),
    "not masked": (b"\x82\x04keys", 1002),
    "compressed, which was not agreed to": (b"\xf2\x84\x00\x00\x00\x00keys", 1002),
    "of a kind that there is not": (b"\x83\x84\x00\x00\x00\x00keys", 1002),
    "goes on with what was not begun": (b"\x80\x84\x00\x00\x00\x00keys", 1002),
    "a ping that is too long": (b"\x89\xfe\x00\x7e\x00\x00\x00\x00" + 126 * b"x", 1002),
    "16 KiB and a byte": (b"\x82\xfe\x40\x01\x00\x00\x00\x00" + 16_385 * b"x", 1009),
    "a length below zero": (b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1009),
    "the longest length": (b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1009),
}


def test_what_is_no_frame_ends_the_line_and_not_the_client(gate: VirtualGate) -> None:
    codes = {}
    for name, (frame, _) in NO_FRAMES.items():
        line = gate.run(said(gate, request(), hello(), frame))
        codes[name] = closing(line)
        assert len(gate.pool.running) == 1, name
    assert codes == {name: code for name, (_, code) in NO_FRAMES.items()}


def test_who_answers_no_ping_is_gone(gate: VirtualGate) -> None:
    async def silent() -> Line:
        line = await said(gate, request(), hello())
        await gate.pass_time(45)
        return line

    assert closing(gate.run(silent())) == 1011


def closing(line: Line) -> int:
    """The code of the close frame, the last that was heard."""
    code = re.search(rb"\x88[\x02-\x7d]([\x03-\x0f].)[^\x88]*$", line.heard, re.DOTALL)
    assert code is not None, line.heard
    return int.from_bytes(code[1])
