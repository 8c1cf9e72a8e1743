"""How many a gate lets in: by prefix, so that an IPv6 network counts once."""

import pytest

from diadem_server.config import SshConfig
from diadem_server.gates.admission import CROWDED, FULL, HEADROOM, GateAdmission

CONFIG = SshConfig(0, most=5, most_per_address=2, most_per_player=1, connections_a_second=0.0)
NETWORKS = [
    ("192.0.2.7",) * 2,
    ("2001:db8::1", "2001:db8::ffff"),
    ("192.0.2.8", "::ffff:192.0.2.8"),
]


def admission(config: SshConfig = CONFIG) -> tuple[GateAdmission, list[int]]:
    told: list[int] = []
    return GateAdmission(config, told.append), told


@pytest.mark.parametrize("network", NETWORKS)
async def test_connections_count_by_prefix(network: tuple[str, str]) -> None:
    gate, _ = admission(SshConfig(0, most=100, most_per_address=2, connections_a_second=1e6))
    first, second = network
    assert all(gate.begin((first, port)) for port in range(HEADROOM * 2))
    assert not gate.begin((second, 99))
    assert gate.refusal(second) == CROWDED
    assert gate.begin(("198.51.100.1", 1))
    gate.end((first, 0))
    assert gate.begin((second, 99))


@pytest.mark.parametrize("network", NETWORKS)
async def test_arrivals_count_by_prefix(network: tuple[str, str]) -> None:
    gate, _ = admission()
    for port in range(HEADROOM * 2):
        assert gate.begin((network[0], port))
        gate.end((network[0], port))
    assert not gate.begin((network[1], 99))


@pytest.mark.parametrize("network", NETWORKS)
async def test_sessions_count_by_prefix(network: tuple[str, str]) -> None:
    gate, told = admission()
    assert gate.enter(None, network[0]) is None
    assert gate.enter(None, network[0]) is None
    assert gate.enter(None, network[1]) == CROWDED
    gate.leave(None, network[0])
    assert gate.enter(None, network[1]) is None
    assert told == [1, 2, 1, 2]


async def test_there_is_room_for_so_many_in_all() -> None:
    gate, _ = admission()
    for number in range(5):
        assert gate.enter(None, f"192.0.2.{number}") is None
    assert gate.enter(None, "192.0.2.99") == FULL
    assert all(gate.begin((f"198.51.100.{number}", 1)) for number in range(HEADROOM * 5))
    assert not gate.begin(("203.0.113.1", 1))


class Stranger:
    """A connection at a gate, as eviction sees it."""

    def __init__(self, gate: GateAdmission, address: str, port: int, *, silent: bool) -> None:
        self.peer = (address, port)
        self.has_session = False
        self.is_silent = silent
        self.is_evicted = False
        self.is_let_in = gate.begin(self.peer)
        gate.can_evict(self.peer, self)

    def evict(self) -> None:
        self.is_evicted = True


ROOMY = SshConfig(0, connections_a_second=1.0)
ATTACKERS = ("192.0.2.1", "192.0.2.2", "192.0.2.3")


async def test_prefixes_of_one_site_evict_each_other_and_nobody_else() -> None:
    gate, _ = admission(SshConfig(0, most=10, connections_a_second=1e6))
    slow = [Stranger(gate, f"198.51.100.{n}", 1, silent=n % 2 == 0) for n in range(9)]
    crowd = [Stranger(gate, f"2001:db8:0:{n:x}::1", 1, silent=n % 2 == 0) for n in range(100)]
    assert not any(each.is_evicted for each in slow)
    assert sum(each.is_let_in and not each.is_evicted for each in crowd) <= HEADROOM * 10 - 9


@pytest.mark.parametrize("silent", [True, False])
async def test_a_gate_that_attackers_fill_lets_newcomers_in(silent: bool) -> None:  # noqa: FBT001
    """Three addresses hold all the room, without a word or in handshakes that they never end."""
    gate, _ = admission(ROOMY)
    room = HEADROOM * ROOMY.most
    crowd = [
        Stranger(gate, address, port, silent=silent)
        for port in range(room)
        for address in ATTACKERS
    ]
    newcomers = [Stranger(gate, f"198.51.100.{n}", 1, silent=False) for n in range(40)]
    assert all(each.is_let_in and not each.is_evicted for each in newcomers)
    kept = [each for each in [*crowd, *newcomers] if each.is_let_in and not each.is_evicted]
    assert len(kept) == room


async def test_attackers_who_go_on_coming_push_nobody_out() -> None:
    gate, _ = admission(SshConfig(0, connections_a_second=1e6))
    for address in ATTACKERS:
        for port in range(HEADROOM * 50):
            Stranger(gate, address, port, silent=True)
    slow = [Stranger(gate, f"198.51.100.{n}", 1, silent=n % 2 == 0) for n in range(20)]
    playing = Stranger(gate, "203.0.113.1", 1, silent=False)
    playing.has_session = True
    for port in range(1000, 2000):
        for address in ATTACKERS:
            Stranger(gate, address, port, silent=port % 2 == 0)
    assert not any(each.is_evicted for each in [*slow, playing])


async def test_what_was_evicted_is_counted_out_once_and_its_port_waits_for_its_end() -> None:
    gate, _ = admission(SshConfig(0, most=1, connections_a_second=1e6))
    first = Stranger(gate, ATTACKERS[0], 1, silent=True)
    Stranger(gate, ATTACKERS[0], 2, silent=True)
    assert Stranger(gate, ATTACKERS[1], 1, silent=True).is_let_in
    assert first.is_evicted
    assert gate.shared.counts["connections"].here == {ATTACKERS[0]: 1, ATTACKERS[1]: 1}
    assert not gate.begin(first.peer)
    gate.end(first.peer)
    assert gate.shared.counts["connections"].here == {ATTACKERS[0]: 1, ATTACKERS[1]: 1}
    assert gate.begin(first.peer)


async def test_a_connection_that_ends_twice_is_counted_out_once() -> None:
    gate, _ = admission(SshConfig(0, most_per_address=1, connections_a_second=1e6))
    gate.begin(("192.0.2.1", 1))
    gate.begin(("192.0.2.1", 2))
    gate.end(("192.0.2.1", 1))
    gate.end(("192.0.2.1", 1))
    assert gate.begin(("192.0.2.1", 3))
    assert not gate.begin(("192.0.2.1", 4))
