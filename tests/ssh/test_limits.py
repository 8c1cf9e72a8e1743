"""How many come in, and that whoever does not is told why."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import asyncssh
import pytest

from tests.patience import PATIENCE
from tests.rig.gates import until
from tests.ssh.rig import KEY, Host, Visit, connection, host, opened, visit

FULL = "Diadem is full just now. Please come back later.\r\n"
OTHER = asyncssh.generate_private_key("ssh-ed25519")


async def gets_in(
    at: Host, others: int, name: str = "ana", key: asyncssh.SSHKey | None = KEY
) -> None:
    """Once there are so many others: the gate counts out who was there just after they are gone."""
    answers = (f"as {name}", "Too many", FULL)
    async with asyncio.timeout(PATIENCE):
        while True:
            await until(lambda: len(at.clients) == at.lines == others, "room")
            with suppress(asyncssh.DisconnectError, ConnectionError):
                async with visit(at.ssh.port, name, key) as visitor:
                    if await _first_of(answers, visitor) == answers[0]:
                        return


async def _first_of(answers: Sequence[str], visitor: Visit) -> str:
    await until(lambda: any(each in visitor.text for each in answers), "an answer")
    return next(each for each in answers if each in visitor.text)


async def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    async with host(tmp_path, most=2, guests=True) as at, visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        async with visit(at.ssh.port, "bob", None) as bob:
            await bob.reads("Diadem, as bob")
            async with visit(at.ssh.port, "cem", None) as cem:
                assert await cem.status() == 1
                assert cem.text == FULL
            assert await bob.quit() == 0
        await gets_in(at, 1, "cem", None)


async def test_one_player_is_here_so_many_times(tmp_path: Path) -> None:
    async with (
        host(tmp_path, most_per_player=1) as at,
        visit(at.ssh.port) as ana,
        visit(at.ssh.port, "bob", OTHER) as bob,
    ):
        await ana.reads("Diadem, as ana")
        await bob.reads("Diadem, as bob")
        async with visit(at.ssh.port) as again:
            assert await again.status() == 1
            assert again.text == "You are here too often already. Leave somewhere else first.\r\n"


async def test_one_line_carries_so_many_sessions(tmp_path: Path) -> None:
    async with (
        host(tmp_path, most_per_player=1) as at,
        await connection(at.ssh.port) as line,
        opened(line) as ana,
    ):
        await ana.reads("Diadem, as ana")
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.create_process(term_type="xterm", encoding=None)


async def test_so_many_come_from_one_address(tmp_path: Path) -> None:
    async with host(tmp_path, most_per_address=1) as at:
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")
            with pytest.raises(asyncssh.DisconnectError, match="Too many players come from your"):
                await connection(at.ssh.port, "bob", OTHER)
        await gets_in(at, 0)


async def test_whoever_comes_again_and_again_is_not_listened_to(tmp_path: Path) -> None:
    async with host(
        tmp_path, connections_a_second=0.0, sessions_a_second=0.0, most_per_address=2
    ) as at:
        for _ in range(4):
            async with await connection(at.ssh.port):
                pass
        with pytest.raises((asyncssh.ConnectionLost, ConnectionError)):
            await connection(at.ssh.port)


async def test_a_crowd_that_says_nothing_is_not_kept(tmp_path: Path) -> None:
    async with host(tmp_path, most_per_address=3) as at, AsyncExitStack() as crowd:
        for _ in range(6):
            reader, writer = await asyncio.open_connection("127.0.0.1", at.ssh.port)
            crowd.callback(writer.close)
            assert await reader.readline()
        with suppress(ConnectionError):  # a reset may come before the connection is said to be made
            reader, writer = await asyncio.open_connection("127.0.0.1", at.ssh.port)
            crowd.callback(writer.close)
            assert await reader.read() == b""


@pytest.mark.parametrize("said", [b"", b"S"])
async def test_who_says_nothing_gives_way_to_whoever_comes(tmp_path: Path, said: bytes) -> None:
    """Two addresses hold all the room that the gate has for connections."""
    async with host(tmp_path, most=4, most_per_address=2) as at, AsyncExitStack() as crowd:
        for number in range(8):
            source = (f"127.0.1.{1 + number % 2}", 0)
            _, writer = await asyncio.open_connection("127.0.0.1", at.ssh.port, local_addr=source)
            crowd.callback(writer.close)
            writer.write(said)
        async with visit(at.ssh.port) as ana:
            await ana.reads("Diadem, as ana")


async def test_one_address_does_not_take_all_the_room(tmp_path: Path) -> None:
    async with (
        host(tmp_path, most_per_address=1, guests=True) as at,
        await connection(at.ssh.port, "ana", None) as line,
        opened(line) as ana,
        opened(line) as again,
    ):
        await ana.reads("Diadem, as ana")
        assert await again.status() == 1
        assert again.text == "Too many players come from your address just now.\r\n"
