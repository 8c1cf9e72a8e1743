"""One websocket connection: which bytes are read and written, and when.

What the bytes mean is for websockets' sans-I/O layer to say; what is done about a message, for the conversation. A flood
is slowed by the system's own backpressure: little is read at a time, and nothing for a moment after a read that
found as much as it could take. What was not parsed is kept by the system, and not here.
"""

import asyncio
import email.utils
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol, cast

from msgspec import Struct
from websockets.datastructures import Headers
from websockets.extensions.base import ServerExtensionFactory
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request, Response
from websockets.protocol import OPEN, SEND_EOF, Event
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from diadem_server.limits.rate_limits import Bucket
from diadem_server.net.backpressure import Backpressure
from diadem_server.net.framing import HEAD, Messages, head, short_message, size_from_client
from diadem_server.net.http import HttpAnswer
from diadem_server.net.listener import Peer
from diadem_server.net.outbox import HIGH_WATER, Outbox
from diadem_shared.frames import from_json
from diadem_shared.protocol import JSON_SUBPROTOCOL, MAX_FRAME, SUBPROTOCOL
from diadem_shared.protocol.json_frames import as_json

HANDSHAKE_SECONDS = 10.0
"""For TLS, and again for the request."""
KEEPALIVE_SECONDS = 20.0
"""Between two pings. Whoever has sent nothing at all in between is gone."""
CLOSE_SECONDS = 5.0
"""For which the server waits for the other side to hang up."""

REQUEST_READ = 1024
MESSAGE_READ = 256
"""Bytes read at once: some forty pings, or ten commands, which take well below a millisecond."""
BYTES_LIKE_A_FRAME = 256
"""That weigh as much as a frame does, where both are limited."""
DISCARD_READ = 4 * 1024
DISCARDS = 100
"""Full reads, after a connection was ended, until it is cut."""
LONGEST_COMPRESSED = 32 * 1024
"""Bytes of a message that compressing holds up nobody for long."""


class Outgoing(Protocol):
    """What waits to be sent."""

    def pause(self) -> None:
        """The socket is full."""

    def resume(self) -> None:
        """It takes more."""

    def take(self) -> list[bytes]:
        """All that waits, which is sent before the end."""


class Conversation(Protocol):
    """What is done about the messages of one connection."""

    @property
    def outbox(self) -> Outgoing: ...
    def receive(self, message: bytes | str) -> None: ...
    def flooded(self) -> None:
        """More came than may come: the client is to be sent away."""

    def last_words(self, code: int) -> bytes | None:
        """What is sent before the close frame with this code, where the client broke the protocol."""

    def lost(self) -> None: ...


class Successor(Conversation, Protocol):
    """A conversation that another one goes on with."""

    @property
    def outbox(self) -> Outbox: ...


class Endpoint(Protocol):
    """Where connections come in."""

    def made(self, websocket: "WebSocket") -> None: ...
    def answer(self, websocket: "WebSocket", request: Request) -> HttpAnswer | None:
        """None lets the client in, if its handshake is as it should be."""

    def opened(self, websocket: "WebSocket", request: Request) -> Conversation: ...
    def lost(self, websocket: "WebSocket") -> None: ...


class Options(Struct, frozen=True):
    """How websockets of one kind are spoken."""

    subprotocols: Sequence[str] | None = (SUBPROTOCOL, JSON_SUBPROTOCOL)
    """Clients have to offer one of these; None where there is none."""
    extensions: Sequence[ServerExtensionFactory] = ()
    max_size: int = MAX_FRAME
    """The longest message, in bytes."""
    high_water: int = HIGH_WATER
    """Bytes waiting in the socket from which on the conversation is told to pause."""
    close_seconds: float = CLOSE_SECONDS
    """For which the server waits for the other side to take what was sent, and hang up."""


class WebSocket(asyncio.BufferedProtocol):
    transport: asyncio.Transport
    backpressure: Backpressure

    def __init__(
        self, endpoint: Endpoint, peer: Peer | None, limit: Bucket, options: Options
    ) -> None:
        """`limit` is what may come, in frames."""
        self.peer = peer
        self._loop = asyncio.get_running_loop()
        self._endpoint = endpoint
        self._limit = limit
        self._options = options
        spoken = options.subprotocols
        self._protocol = ServerProtocol(
            subprotocols=None if spoken is None else list(map(Subprotocol, spoken)),
            extensions=options.extensions,
            max_size=options.max_size,
        )
        self._conversation: Conversation | None = None
        self._compresses = False
        self._is_json = False
        """Whether messages are written as JSON on this line; all that handles them has them packed."""
        self._buffer = memoryview(bytearray(REQUEST_READ))
        self._messages = Messages()
        self._unparsed = 0
        """Bytes given to the protocol that were no whole frame yet; more than there are, if lengths came in more
        bytes than they need."""
        self._timer: asyncio.TimerHandle | None = None
        """The timeout of the handshake, then of keepalive, then of closing."""
        self._has_heard = True
        """Since the last ping."""
        self._is_closing = False
        """Nothing is listened to any more but for the other side's close frame."""
        self._is_ended = False
        """Not even that: what comes is thrown away until the other side hangs up."""
        self._discards = 0
        self.is_silent = True
        """Whether nothing was read yet."""

    # The transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(self._options.high_water)
        self.backpressure = Backpressure(self.transport)
        self._start_timer(HANDSHAKE_SECONDS, self.transport.abort)
        self._endpoint.made(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._has_heard = True
        self.is_silent = False
        is_full = nbytes == len(self._buffer)
        if self._is_ended:
            self._discards += is_full
            if self._discards > DISCARDS:
                self.transport.abort()
                return
        else:
            data = bytes(self._buffer[:nbytes])
            is_open = self._conversation is not None
            frames = self._receive(data) if is_open else self._receive_request(data)
            if not self._limit.take(frames + nbytes / BYTES_LIKE_A_FRAME):
                self._flooded()
            is_full = is_full and is_open
        if is_full:
            self.backpressure.pause()

    def pause_writing(self) -> None:
        if self._conversation is not None:
            self._conversation.outbox.pause()

    def resume_writing(self) -> None:
        if self._conversation is not None:
            self._conversation.outbox.resume()

    def eof_received(self) -> None:
        """The transport closes itself then, once all is sent."""
        self._is_ended = True
        self._protocol.receive_eof()
        self._start_close_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_ended = True
        self.backpressure.stop()
        if self._timer is not None:
            self._timer.cancel()
        self._protocol.receive_eof()
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.lost()
        elif trouble := self._protocol.handshake_exc:
            self._protocol.logger.info("opening handshake failed: %s", trouble)
        self._endpoint.lost(self)

    # What comes in

    def _receive_request(self, data: bytes) -> int:
        """Line by line, so that nothing is taken for a frame before the request is answered."""
        at = 0
        while at < len(data) and self._conversation is None and not self._is_ended:
            end = data.find(b"\n", at) + 1 or len(data)
            self._protocol.receive_data(data[at:end])
            at = end
            for request in self._protocol.events_received():
                self._answer(request)
            self._write_control()
        return self._receive(data[at:]) if at < len(data) and not self._is_ended else 0

    def _answer(self, request: Event) -> None:
        assert isinstance(request, Request)  # noqa: S101, first comes the request
        answer = self._endpoint.answer(self, request)
        response = self._protocol.accept(request) if answer is None else _response(answer)
        if request.method == "HEAD":
            response.body = b""  # its length is told all the same
        self._protocol.send_response(response)
        self._write_control()
        if self._protocol.state is OPEN:
            self._compresses = "Sec-WebSocket-Extensions" in response.headers
            self._is_json = response.headers.get("Sec-WebSocket-Protocol") == JSON_SUBPROTOCOL
            if not self._compresses:
                # The one that has parsed the request keeps it, which takes 2 KiB.
                self._protocol = ServerProtocol(state=OPEN, max_size=self._options.max_size)
            self._buffer = memoryview(bytearray(MESSAGE_READ))
            self._start_timer(KEEPALIVE_SECONDS, self._keep_alive)
            self._conversation = self._endpoint.opened(self, request)

    def _receive(self, data: bytes) -> int:
        """Hand on the messages in it; how many frames there were."""
        if (
            not self._compresses
            and not self._is_json
            and not self._unparsed
            and not self._messages.has_begun
            and self._protocol.state is OPEN
            and (message := short_message(data)) is not None
        ):
            self._hand_on(message)
            return 1
        self._protocol.receive_data(data)
        frames = self._protocol.events_received()
        self._unparsed += len(data)
        for frame in frames:
            assert isinstance(frame, Frame)  # noqa: S101, the request was the first event
            self._unparsed -= size_from_client(frame)
            try:
                whole = self._messages.add(frame)
            except UnicodeDecodeError as error:
                self.fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
            else:
                if whole is not None:
                    self._hand_on(whole)
        self._write_control()
        return len(frames)

    def _hand_on(self, message: bytes | str) -> None:
        if self._conversation is not None and not self._is_closing:
            if self.backpressure.is_held:
                self.backpressure.keep(HEAD + len(message))
            self._conversation.receive(from_json(message) if self._is_json else message)

    def _flooded(self) -> None:
        if self._conversation is None:
            self.transport.abort()
        elif not self._is_closing:
            self._conversation.flooded()
        elif not self._is_ended:
            self._protocol.fail(CloseCode.POLICY_VIOLATION)
            self._write_control()

    def go_on_with(self, conversation: Successor) -> None:
        """What it sends from now on is what the one before has not sent yet, and more."""
        if self._conversation is not None:
            before = self._conversation.outbox
            if isinstance(before, Outbox):
                conversation.outbox.succeed(before)
            self._conversation = conversation

    # What goes out

    @property
    def unsent(self) -> int:
        return self.transport.get_write_buffer_size()

    def write(self, messages: Iterable[bytes]) -> None:
        if self._protocol.state is OPEN and not self.transport.is_closing():
            self.transport.writelines(self._framed(messages))

    def write_text(self, message: str) -> None:
        if self._protocol.state is OPEN and not self.transport.is_closing():
            self._protocol.send_text(message.encode())
            self._write_control()

    def _framed(self, messages: Iterable[bytes]) -> list[bytes]:
        if self._is_json:
            messages = map(as_json, messages)
        elif not self._compresses:
            return [piece for each in messages for piece in (head(len(each)), each)]
        pieces: list[bytes] = []
        send = self._protocol.send_text if self._is_json else self._protocol.send_binary
        for message in messages:
            is_short = len(message) <= LONGEST_COMPRESSED
            if self._compresses and is_short and self._protocol.state is OPEN:
                send(message)
                pieces += self._protocol.data_to_send()
            else:
                pieces += (head(len(message), is_text=self._is_json), message)
        return pieces

    def _write_control(self) -> None:
        """Write what the protocol has to say: pongs, a response, a close frame, the end."""
        pieces = self._protocol.data_to_send()
        if not pieces:
            return
        if is_end := SEND_EOF in pieces:
            pieces.remove(SEND_EOF)
            self._protocol.receive_eof()  # it would only throw away whatever comes
            pieces[:0] = self._framed(self._last_messages())
        if not self.transport.is_closing():
            self.transport.writelines(pieces)
        if is_end:
            self._end()

    def _last_messages(self) -> list[bytes]:
        """What has to go out before the close frame."""
        if self._conversation is None:
            return []
        messages = self._conversation.outbox.take()
        closed = self._protocol.close_exc
        if closed.sent is not None and (last := self._conversation.last_words(closed.sent.code)):
            messages.append(last)
        return messages

    # Timers, and the end

    def _start_timer(self, seconds: float, due: Callable[[], object]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, due)

    def _keep_alive(self) -> None:
        if not self._has_heard and not self.backpressure.is_held:
            self.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            return
        self._has_heard = False
        self._protocol.send_ping(b"")
        self._write_control()
        self._start_timer(KEEPALIVE_SECONDS, self._keep_alive)

    def _start_close_timeout(self) -> None:
        """Once: nobody puts it off by sending on."""
        if not self._is_closing:
            self._is_closing = True
            self._start_timer(self._options.close_seconds, self.transport.abort)

    def close(self, code: int, reason: str = "") -> None:
        """After all that was sent; the other side has some time to close as well."""
        if self._conversation is None and not self._is_ended:
            self.transport.abort()
        elif self._conversation is not None and self._protocol.state is OPEN:
            self.write(self._conversation.outbox.take())
            self._protocol.send_close(code, reason)
            self._write_control()
            self._start_close_timeout()
            self.backpressure.release()

    def fail(self, code: int, reason: str = "") -> None:
        """Close without waiting for the other side to do so: nothing that it sends is looked at any more."""
        if self._protocol.state is OPEN:
            self._protocol.fail(code, reason)
            self._write_control()

    def _end(self) -> None:
        self._is_ended = True
        self._buffer = memoryview(bytearray(DISCARD_READ))
        self._start_close_timeout()
        self.backpressure.release()
        if self.transport.is_closing():
            return  # it was aborted, and the loop has yet to say so
        if self.transport.can_write_eof():
            with suppress(OSError):  # the other side is gone
                self.transport.write_eof()
        else:
            self.transport.close()

    def abort(self) -> None:
        self.transport.abort()


def _response(answer: HttpAnswer) -> Response:
    """The one answer of a connection that is no websocket."""
    body = answer.text.encode() if answer.content is None else answer.content
    headers = {
        "Date": email.utils.formatdate(usegmt=True),
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": "text/plain; charset=utf-8",
        **answer.headers,
    }
    return Response(answer.status.value, answer.status.phrase, Headers(headers), body)
