"""The rate limits of one ssh connection: bytes before login, bytes a second after it, key exchanges."""

import asyncio
from collections.abc import Callable

import asyncssh
import pytest

from diadem_server.gates.ssh import byte_limits
from diadem_server.gates.ssh.byte_limits import ByteLimiter, HostKey, TooMuch

Pass = Callable[[float], None]


@pytest.fixture
async def wait(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Lets so many seconds pass."""
    loop = asyncio.get_running_loop()
    now = [loop.time()]
    monkeypatch.setattr(loop, "time", lambda: now[0])

    def later(seconds: float) -> None:
        now[0] += seconds

    return later


async def test_before_login_there_is_an_end_to_what_one_may_send(wait: Pass) -> None:
    line = ByteLimiter(20.0)
    for _ in range(byte_limits.LOGIN_BYTES // 1024):
        wait(line.take(1024))
    with pytest.raises(TooMuch):
        line.take(1)


@pytest.mark.usefixtures("wait")
async def test_before_login_there_is_a_rate() -> None:
    line = ByteLimiter(20.0)
    assert line.take(byte_limits.LOGIN_BURST) == 0
    assert line.take(byte_limits.LOGIN_RATE) == pytest.approx(1.0)


async def test_after_login_there_is_no_end_within_the_rate(wait: Pass) -> None:
    line = ByteLimiter(20.0)
    line.logged_in()
    for _ in range(1000):
        assert line.take(byte_limits.RATE // 2) == 0
        wait(0.5)


async def test_who_needs_holding_back_for_long_is_cut(wait: Pass) -> None:
    line = ByteLimiter(20.0)
    line.logged_in()
    line.take(byte_limits.BURST)
    for _ in range(21):
        wait(line.take(byte_limits.RATE))
    with pytest.raises(TooMuch):
        line.take(byte_limits.RATE)


async def test_who_comes_to_rest_is_not_cut(wait: Pass) -> None:
    line = ByteLimiter(20.0)
    line.logged_in()
    for _ in range(10):
        line.take(byte_limits.BURST)
        for _ in range(15):
            wait(line.take(byte_limits.RATE))
        wait(1.0)
        assert line.take(1024) == 0


async def test_the_host_key_signs_so_often_for_one_line(wait: Pass) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    (pair,) = asyncssh.load_keypairs(key)
    mine, theirs = HostKey(pair), HostKey(pair)
    for _ in range(byte_limits.KEY_EXCHANGES_AT_ONCE):
        assert mine.sign(b"data") == pair.sign(b"data")
    with pytest.raises(asyncssh.DisconnectError):
        mine.sign(b"data")
    assert theirs.sign(b"data")
    wait(61.0)
    assert mine.sign(b"data")
