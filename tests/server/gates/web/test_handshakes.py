"""Handshakes of every wrong kind, over the wire: none gets a websocket, or holds one that others could have."""

import re

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


async def said(gate: VirtualGate, *pieces: bytes) -> Line:
    line = await gate.line()
    for piece in pieces:
        line.send(piece)
        await gate.settle()
    return line


def answer(gate: VirtualGate, *pieces: bytes) -> int:
    """What is answered over HTTP; 0 for a line that is closed without a word. Nobody has got a client."""
    line = gate.run(said(gate, *pieces))
    if line.status != 101:
        assert line.is_lost or line.transport.is_closing()
    assert not gate.pool.running
    return line.status


def test_the_page_gets_its_websocket(gate: VirtualGate) -> None:
    """Or else what follows would prove nothing."""
    line = gate.run(said(gate, request(), hello()))
    assert line.status == 101
    assert len(gate.pool.running) == 1


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Origin": None}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": f"http://{HOST}, https://evil.example"}, 403),
        ({"Origin": "http://192.0.2.9"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
        ({"Host": "192.0.2.9.evil.example"}, 403),
        ({"Host": None}, 403),
        ({"Host": ""}, 403),
        ({"Host": f"x@{HOST}"}, 403),
        ({"Upgrade": None}, 426),
        ({"Upgrade": "h2c"}, 426),
        ({"Connection": None}, 426),
        ({"Connection": "close"}, 426),
        ({"Sec-WebSocket-Version": None}, 400),
        ({"Sec-WebSocket-Version": "8"}, 400),
        ({"Sec-WebSocket-Key": None}, 400),
        ({"Sec-WebSocket-Key": "AAAA"}, 400),
        ({"Sec-WebSocket-Key": "?" * 24}, 400),
    ],
    ids=str,
)
def test_a_header_that_is_wrong(
    gate: VirtualGate, changed: dict[str, str | None], status: int
) -> None:
    assert answer(gate, request(changed), hello()) == status


@pytest.mark.parametrize("name", ["Host", "Origin"])
def test_a_header_that_is_doubled(gate: VirtualGate, name: str) -> None:
    assert answer(gate, request(more=f"{name}: {RIGHT[name]}\r\n"), hello()) == 403


@pytest.mark.parametrize(
    "line",
    [
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
    ],
)
def test_a_line_that_is_no_request(gate: VirtualGate, line: str) -> None:
    assert answer(gate, request(line=line), hello()) in {0, 400, 505}


@pytest.mark.parametrize("method", ["POST", "HEAD", "CONNECT", "OPTIONS", "BREW"])
def test_another_method(gate: VirtualGate, method: str) -> None:
    assert answer(gate, request(line=f"{method} /ws HTTP/1.1"), hello()) == 405


@pytest.mark.parametrize("length", ["5", "99999999999", "-1", "five"])
def test_a_body(gate: VirtualGate, length: str) -> None:
    """A GET that brings one is not read."""
    said = request({"Content-Length": length}, "GET / HTTP/1.1")
    assert answer(gate, said, b"x" * 100_000) in {0, 400, 413}


def test_a_body_in_chunks(gate: VirtualGate) -> None:
    said = request({"Transfer-Encoding": "chunked"}, "GET / HTTP/1.1")
    assert answer(gate, said, b"ffff\r\n" + b"x" * 70_000) in {0, 400, 501}


@pytest.mark.parametrize(
    "more",
    [
        "Cookie: " + "x" * 100_000 + "\r\n",
        "Cookie: diadem=x\r\n" * 1000,
        "x" * 100_000 + ": 1\r\n",
        "no colon\r\n",
        "name : 1\r\n",
        " folded: 1\r\n",
        "Cookie: \x00\r\n",
    ],
    ids=lambda each: repr(each[:12]),
)
def test_headers_that_are_huge_many_or_none(gate: VirtualGate, more: str) -> None:
    assert answer(gate, request(more=more), hello()) in {0, 400, 431}


@pytest.mark.parametrize(
    "cookie",
    [None, "", "diadem=", f"diadem={ANA}x", f"diadem={'%41' * 43}", f"__Host-diadem={ANA}"],
)
def test_a_cookie_that_is_none(gate: VirtualGate, cookie: str | None) -> None:
    """It gets a websocket, so that the page can tell why it is closed at once."""
    line = gate.run(said(gate, request({"Cookie": cookie}), hello()))
    assert line.status == 101
    assert b"\x0f\xa3this browser keeps no cookies" in line.heard  # 4003
    assert not gate.pool.running


@pytest.mark.parametrize("pair", [f"diadem={ANA}; diadem={BOB}", f"diadem=x; diadem={ANA}"])
def test_of_two_cookies_the_first_that_can_be_one_counts(gate: VirtualGate, pair: str) -> None:
    """The browser is one player, and neither has any advantage of being sent both."""
    gate.run(said(gate, request({"Cookie": pair}), hello()))
    gate.run(said(gate, request(), hello()))
    (orders,) = gate.pool.orders.values()
    assert orders.token == gate.listener.players.token(ANA)


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


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc", 1007),  # text that is no UTF-8
        (b"\x82\x04keys", 1002),  # not masked
        (b"\xf2\x84\x00\x00\x00\x00keys", 1002),  # compressed, which was not agreed to
        (b"\x83\x84\x00\x00\x00\x00keys", 1002),  # of a kind that there is not
        (b"\x80\x84\x00\x00\x00\x00keys", 1002),  # goes on with a message that was not begun
        (b"\x89\xfe\x00\x7e\x00\x00\x00\x00" + 126 * b"x", 1002),  # a ping that is too long
        (b"\x82\xfe\x40\x01\x00\x00\x00\x00" + 16_385 * b"x", 1009),
        (b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1009),
        (b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1009),
    ],
)
def test_what_is_no_frame_ends_the_line_and_not_the_client(
    gate: VirtualGate, frame: bytes, code: int
) -> None:
    line = gate.run(said(gate, request(), hello(), frame))
    assert closing(line) == code
    assert len(gate.pool.running) == 1


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
