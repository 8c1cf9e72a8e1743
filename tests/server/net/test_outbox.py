"""What waits for a client is written together and in order, and is never too much."""

from collections.abc import Sequence

import pytest

from diadem_server.net import outbox
from diadem_server.net.outbox import MOST_WAITING, STALLED_SECONDS, Flusher, Outbox
from tests.server import Time
from tests.server.net.wired import turns


class Stream:
    """Takes what it is given, or says that the system does not."""

    def __init__(self) -> None:
        self.written: list[list[bytes]] = []
        self.unsent = 0
        self.is_broken = False
        self.aborts: list[None] = []

    def write(self, messages: Sequence[bytes]) -> None:
        if self.is_broken:
            raise OSError
        self.written.append(list(messages))

    def close(self, code: int, reason: str) -> None:
        raise AssertionError

    def abort(self) -> None:
        self.aborts.append(None)


@pytest.fixture
async def stream() -> Stream:
    return Stream()


@pytest.fixture
async def box(stream: Stream) -> Outbox:
    return Outbox(stream, Flusher())


async def test_what_is_sent_in_one_turn_is_written_once_and_in_order(
    box: Outbox, stream: Stream
) -> None:
    box.send(b"1")
    box.offer("view", b"2")
    box.offer("view", b"3")
    box.send(b"4")
    assert not stream.written
    await turns()
    assert stream.written == [[b"1", b"2", b"3", b"4"]], "a reader who keeps up misses nothing"
    box.send(b"5")
    await turns()
    assert stream.written[1:] == [[b"5"]]


async def test_while_the_socket_is_full_the_newest_of_each_kind_waits(
    box: Outbox, stream: Stream
) -> None:
    box.pause()
    for number in range(3):
        box.offer("view", b"view %d" % number)
        box.offer("lobby", b"lobby %d" % number)
        box.send(b"answer %d" % number)
    await turns()
    assert not stream.written
    box.resume()
    assert stream.written == [
        [b"answer 0", b"answer 1", b"view 2", b"lobby 2", b"answer 2"],
    ], "what is replaced comes where the newer one came"
    box.offer("view", b"view 3")
    box.offer("view", b"view 4")
    await turns()
    assert stream.written[1:] == [[b"view 3", b"view 4"]]


async def test_a_socket_that_is_full_again_at_once_is_waited_for_again(
    box: Outbox, stream: Stream
) -> None:
    box.pause()
    box.send(b"1")
    box.resume()
    box.pause()
    box.send(b"2")
    await turns()
    assert stream.written == [[b"1"]]
    box.resume()
    assert stream.written == [[b"1"], [b"2"]]


async def test_too_much_that_waits_ends_the_connection(box: Outbox, stream: Stream) -> None:
    box.pause()
    stream.unsent = 100_000
    half = bytes((MOST_WAITING - stream.unsent) // 2)
    box.send(half)
    box.send(half)
    for _ in range(100):
        box.offer("view", b"")
    assert not stream.aborts
    box.send(b"1")
    assert len(stream.aborts) == 1
    assert not box.take(), "nothing is kept for nobody"


async def test_what_is_replaced_does_not_count(box: Outbox, stream: Stream) -> None:
    box.pause()
    for _ in range(10):
        box.offer("view", bytes(MOST_WAITING // 2))
    assert not stream.aborts
    assert len(box.take()) == 1


async def test_who_reads_nothing_for_long_is_disconnected(
    box: Outbox, stream: Stream, clock: Time
) -> None:
    for _ in range(2):
        box.pause()
        clock.goes_on(STALLED_SECONDS - 1)
        await turns()
        box.resume()
    assert not stream.aborts
    box.pause()
    clock.goes_on(STALLED_SECONDS)
    await turns()
    assert len(stream.aborts) == 1


async def test_a_stream_that_breaks_is_ended(
    box: Outbox, stream: Stream, caplog: pytest.LogCaptureFixture
) -> None:
    stream.is_broken = True
    box.send(b"1")
    await turns()
    assert len(stream.aborts) == 1
    box.send(b"2")
    await turns()
    assert len(caplog.records) == 1, "and told of once"


async def test_after_it_is_closed_nothing_is_kept_or_written(
    box: Outbox, stream: Stream, clock: Time
) -> None:
    box.send(b"1")
    box.pause()
    box.close()
    box.send(b"2")
    box.offer("view", b"3")
    box.pause()
    box.resume()
    clock.goes_on(outbox.STALLED_SECONDS)
    await turns()
    assert not stream.written
    assert not stream.aborts
    assert not box.take()


async def test_outboxes_filled_in_one_turn_are_written_in_that_order_and_none_keeps_another() -> (
    None
):
    written: list[str] = []

    class Named(Stream):
        def __init__(self, name: str) -> None:
            super().__init__()
            self._name = name

        def write(self, messages: Sequence[bytes]) -> None:
            written.append(self._name)
            if self._name == "broken":
                raise OSError

    flusher = Flusher()
    for name in ("first", "broken", "last"):
        Outbox(Named(name), flusher).send(b"view")
    assert not written
    await turns()
    assert written == ["first", "broken", "last"]
