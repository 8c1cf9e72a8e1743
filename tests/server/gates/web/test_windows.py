"""Which window shows whose client, and for how long; how many there may be. In virtual time."""

import asyncio
from pathlib import Path

import pytest

from diadem_server.gates.admission import HEADROOM
from tests.rig.virtual_gate import SPAWNING, Browser, VirtualGate
from tests.server.gates.web.conftest import PROXY

ANA, BOB, CEM = "a" * 43, "b" * 43, "c" * 43
HERE, THERE = "192.0.2.1", "192.0.2.2"


async def shown(gate: VirtualGate, cookie: str, address: str = HERE) -> Browser:
    window = await gate.window(cookie, address)
    await gate.settle()
    assert window.client is not None
    return window


# A line that breaks


@pytest.mark.parametrize(("seconds", "is_found"), [(0.0, True), (19.0, True), (21.0, False)])
@pytest.mark.parametrize("address", [HERE, THERE])
def test_a_broken_line_finds_its_client_within_twenty_seconds(
    gate: VirtualGate,
    seconds: float,
    is_found: bool,  # noqa: FBT001
    address: str,
) -> None:
    async def go() -> None:
        before = await shown(gate, ANA)
        before.transport.abort()
        await gate.pass_time(seconds)
        after = await gate.window(ANA, address, resume=True)
        await gate.settle()
        assert (after.client == before.client) is is_found
        assert after.client is not None

    gate.run(go())


def test_a_line_that_nobody_knows_is_dead_is_found_to_be(gate: VirtualGate) -> None:
    """By the keepalive; its client waits from then on."""

    async def go() -> None:
        before = await shown(gate, ANA)
        before.transport.unplug()
        await gate.pass_time(55)
        after = await gate.window(ANA, resume=True)
        await gate.settle()
        assert after.client == before.client
        after.transport.unplug()
        await gate.pass_time(100)
        assert not gate.pool.running

    gate.run(go())


def test_a_player_who_came_back_from_elsewhere_counts_where_they_came_first(
    gate: VirtualGate,
) -> None:
    """A phone goes from one network to another and back, and leaves nothing behind in either."""

    async def go() -> None:
        for _ in range(3 * gate.listener.config.most_per_address):
            window = await shown(gate, ANA, HERE)
            window.transport.abort()
            window = await gate.window(ANA, THERE, resume=True)
            await gate.settle()
            window.transport.abort()
            await gate.pass_time(60)
        await gate.check_room((HERE, THERE))

    gate.run(go())


# One window a browser


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("pause", [0.0, SPAWNING / 2, 3 * SPAWNING])
def test_of_eight_windows_with_one_cookie_the_newest_wins(
    gate: VirtualGate,
    stubborn: bool,  # noqa: FBT001
    resume: bool,  # noqa: FBT001
    pause: float,
) -> None:
    """Also where the clients of those before it take their time to end."""
    gate.pool.are_stubborn = stubborn

    async def go() -> None:
        windows = []
        for _ in range(8):
            windows.append(await gate.window(ANA, resume=resume))
            await gate.pass_time(pause)
        await gate.pass_time(15)
        assert [each.close_code for each in windows] == [4001] * 7 + [None]
        (client,) = gate.pool.running
        assert windows[-1].client == client.number

    gate.run(go())


def test_who_reloads_at_a_full_gate_has_the_place_that_they_had(tmp_path: Path) -> None:
    with VirtualGate(tmp_path, most=2, most_per_address=2) as gate:

        async def go() -> None:
            ana, bob = await shown(gate, ANA), await shown(gate, BOB)
            again = await shown(gate, ANA)
            assert (ana.close_code, bob.close_code, again.close_code) == (4001, None, None)
            cem = await gate.window(CEM, THERE)
            await gate.settle()
            assert cem.close_code == 1013
            assert not cem.client

        gate.run(go())


# What is said first


@pytest.mark.parametrize(("seconds", "code"), [(14.0, None), (15.1, 4002)])
def test_the_first_message_comes_within_fifteen_seconds(
    gate: VirtualGate, seconds: float, code: int | None
) -> None:
    async def go() -> None:
        window = await gate.connect(ANA)
        window.ask()
        await gate.pass_time(seconds)
        assert window.close_code == code

    gate.run(go())


# How many there may be


@pytest.mark.parametrize("asks", [False, True])
def test_a_crowd_of_connections_leaves_room_for_others(
    gate: VirtualGate,
    asks: bool,  # noqa: FBT001
) -> None:
    """From one address, with and without a websocket; they end by themselves."""

    async def go() -> None:
        crowd = []
        web = gate.listener.config
        most = HEADROOM * web.connections_a_session * web.most_per_address
        for number in range(int(1.5 * most)):
            window = await gate.connect(f"{number:043}", THERE)
            if asks:
                window.ask()
            crowd.append(window)
        await gate.settle()
        assert 0 < sum(not each.is_lost for each in crowd) <= most
        await shown(gate, ANA, HERE)
        await gate.pass_time(60)
        assert all(each.is_lost or each.close_code for each in crowd)

    gate.run(go())


@pytest.mark.parametrize("said", [b"", b"G"])
def test_a_gate_that_silent_connections_fill_lets_players_in(
    gate: VirtualGate, said: bytes
) -> None:
    """From three addresses, without a word, or with one byte of a request. Whoever plays is left alone."""

    async def go() -> None:
        ana = await shown(gate, ANA)
        web = gate.listener.config
        room = HEADROOM * web.connections_a_session * web.most
        for number in range(room):
            line = await gate.line(f"203.0.113.{number % 3}")
            line.send(said)
        await gate.settle()
        players = [
            await gate.window(f"{number:043}", f"10.0.{number}.1") for number in range(web.most - 1)
        ]
        await gate.settle()
        assert [each.client is not None for each in players] == [True] * len(players)
        assert not ana.is_lost

    gate.run(go())


def test_a_crowd_of_players_from_many_addresses_fills_it_and_no_more(gate: VirtualGate) -> None:
    """Those for whom there is no room are told to come back."""

    async def go() -> None:
        windows = [
            await gate.window(f"{number:043}", f"10.0.{number % 50}.1") for number in range(200)
        ]
        await gate.settle()
        gate.check()
        most = gate.listener.config.most
        assert len(gate.pool.running) == most
        told = [each.close_code for each in windows if each.close_code]
        assert set(told) == {1013}
        assert all(each.is_lost for each in windows if not each.is_welcome)

    gate.run(go())


def test_cookies_without_end_are_remembered_nowhere(gate: VirtualGate) -> None:
    async def fetch(number: int) -> bytes:
        line = await gate.line(f"10.0.{number >> 8}.{number & 255}")
        line.send(b"GET / HTTP/1.1\r\nHost: 192.0.2.9\r\n\r\n")
        await gate.settle()
        return line.heard

    async def go() -> None:
        cookies = set()
        for number in range(200):
            cookies.add((await fetch(number)).partition(b"diadem=")[2][:43])
        assert len(cookies) == 200

    gate.run(go())
    folder = gate.listener.settings.data / "web"
    assert [each.name for each in folder.iterdir()] == ["players_secret"]


def test_who_comes_by_a_proxy_is_limited_as_others_are(gate: VirtualGate) -> None:
    """By the address that it names; other players who come by it are not."""

    async def go() -> None:
        crowd: list[Browser] = []
        for number in range(200):
            window = await gate.connect(f"{number:043}", PROXY, {"X-Forwarded-For": THERE})
            window.ask()
            crowd.append(window)
        await gate.settle()
        web = gate.listener.config
        let_in = [each for each in crowd if each.status == 101]
        assert len(let_in) <= HEADROOM * web.connections_a_session * web.most_per_address
        assert {each.status for each in crowd} == {101, 503}
        ana = await gate.window(ANA, PROXY, {"X-Forwarded-For": HERE})
        await gate.settle()
        assert ana.client

    gate.run(go())


def test_a_connection_from_a_port_that_is_not_counted_out_yet_is_reset(gate: VirtualGate) -> None:
    """Whoever resets a connection and comes again from its port would be counted twice, and out once."""

    async def go() -> None:
        begin, end = gate.listener.admission.begin, gate.listener.admission.end
        for _ in range(1000):
            assert begin((THERE, 5000))
            assert not begin((THERE, 5000))
            end((THERE, 5000))
            await gate.pass_time(1)
        await shown(gate, ANA, THERE)

    gate.run(go())


# Who does not read


def test_a_window_that_reads_nothing_is_cut_and_its_client_waits_for_it(gate: VirtualGate) -> None:
    """Nothing is kept for it meanwhile: its terminal is not read."""

    async def go() -> None:
        before = await shown(gate, ANA)
        before.transport.pause_reading()
        (terminal,) = gate.terminals
        said = 0
        while terminal.is_reading and said < 1000:
            terminal.channel.write(bytes(1024))
            said += 1
            await asyncio.sleep(0)
        assert said < 1000
        await gate.pass_time(46)
        assert before.is_lost
        assert terminal.is_reading
        after = await gate.window(ANA, resume=True)
        await gate.settle()
        assert after.client == before.client

    gate.run(go())


@pytest.mark.parametrize(("size", "code"), [(0, 4004), (1, 4004), (16 * 1024, None)])
def test_a_page_that_sends_more_than_may_come_is_told_so(
    gate: VirtualGate, size: int, code: int | None
) -> None:
    """Thousands of tiny messages; long ones are read no faster than they may come. Others play on."""

    async def go() -> None:
        ana, eve = await shown(gate, ANA), await shown(gate, BOB, THERE)
        for _ in range(2000):
            eve.type(size * b"?")
        await gate.pass_time(20)
        assert eve.close_code == code
        assert ana.close_code is None
        assert len(gate.pool.running) == 2

    gate.run(go())


# The end


def test_whoever_is_there_as_the_host_stops_is_told_to_come_back(tmp_path: Path) -> None:
    """Whether they play, have said nothing yet, or say who they are just then."""

    async def go() -> list[Browser]:
        ana = await shown(gate, ANA)
        silent, late = await gate.connect(BOB), await gate.connect(CEM, THERE)
        silent.ask()
        late.ask()
        await gate.settle()
        leaving = asyncio.create_task(gate.close())
        await asyncio.sleep(0.01)
        late.say('{"v":1,"size":[80,24]}')
        await leaving
        return [ana, silent, late]

    with VirtualGate(tmp_path) as gate:
        windows = gate.run(go())
        assert [each.close_code for each in windows] == [1012] * 3
        assert not gate.pool.running
