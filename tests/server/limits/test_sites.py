"""The prefixes of a /48 together may have as much as a few of them, in every limit by address."""

import pytest

from diadem_server.config import Config, SshConfig
from diadem_server.gates.admission import CROWDED, GateAdmission
from diadem_server.limits import rate_limits
from diadem_server.limits.counts import Counts
from diadem_server.limits.gate_limits import RelayedLimits
from diadem_server.limits.rate_limits import Buckets
from diadem_server.limits.sites import SITE_SHARE, share_of, site_of, with_site
from diadem_server.limits.throttle import Throttle
from diadem_server.metrics import Metrics
from diadem_server.net.addresses import prefix_of
from diadem_server.net.admission import Admission

MANY = 200
ADDRESSES = [f"2001:db8:0:{number:x}::1" for number in range(MANY)]
PREFIXES = [prefix_of(address) for address in ADDRESSES]
"""Of one site; a /48 holds 65,536 of them."""
SITE = "2001:db8::/48"
OTHER, IPV4 = "2001:db8:1::/64", "192.0.2.1"
MOST = 3

SITES = {
    "2001:db8::/64": SITE,
    "2001:db8:0:ffff::/64": SITE,
    OTHER: "2001:db8:1::/48",
    SITE: None,
    IPV4: None,
    "": None,
    "session 5": None,
    "SHA256:abc/64": None,
}


def test_a_prefix_of_ipv6_counts_for_its_site() -> None:
    assert {key: site_of(key) for key in SITES} == SITES
    assert with_site(PREFIXES[1]) == (SITE, PREFIXES[1])
    assert with_site(IPV4) == (IPV4,)
    shares = {key: share_of(key) for key in SITES}
    assert shares == {key: SITE_SHARE if key == SITE else 1 for key in SITES}


def test_counts() -> None:
    counts = Counts()
    came = [prefix for prefix in PREFIXES if counts.has_room(prefix, MOST)]
    assert came == PREFIXES
    for prefix in PREFIXES:
        if counts.has_room(prefix, MOST):
            counts.add(prefix)
    assert counts[SITE] == SITE_SHARE * MOST
    assert counts.has_room(OTHER, MOST)
    for prefix in PREFIXES[: SITE_SHARE * MOST]:
        counts.add(prefix, -1)
    assert not counts.here


async def test_token_buckets_and_none_is_remembered_of_those_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "REMEMBERED", 2 * SITE_SHARE * MOST)
    buckets = Buckets(0.0, MOST)
    assert buckets.take(OTHER, MOST)
    used: list[tuple[str, float]] = []
    buckets.used = lambda *each: used.append(each)
    assert sum(buckets.take(prefix) for prefix in PREFIXES) == SITE_SHARE * MOST
    assert sum(much for key, much in used if key == SITE) == SITE_SHARE * MOST
    assert not buckets.take(OTHER), "it is remembered that this one has used all of its own"
    assert buckets.wait(PREFIXES[-1]) > 0


async def test_what_is_spent_afterwards_is_spent_by_the_site_too() -> None:
    buckets = Buckets(1e-6, 100)
    told: list[tuple[str, float]] = []
    buckets.used = lambda *each: told.append(each)
    spent = 0
    while not buckets.wait(PREFIXES[spent]):
        buckets.spend(PREFIXES[spent], 50, told_from=100)
        spent += 1
    assert spent == SITE_SHARE * 100 / 50
    assert set(told) == {(SITE, 100)}, "no prefix has spent so much by itself"
    assert buckets.wait(OTHER) == 0


def test_guesses() -> None:
    guesses = Throttle(free=MOST, longest=100.0, forget=1e9, clock=lambda: 0.0)
    missed = 0
    while not guesses.pause(PREFIXES[missed]):
        guesses.missed(PREFIXES[missed])
        missed += 1
    assert missed == SITE_SHARE * MOST + 1
    assert guesses.pause(OTHER) == 0


async def test_what_other_nodes_have_of_a_site_counts() -> None:
    """It is told beside what its prefixes have, and counted once."""
    here, there = Counts(), Counts()
    here.changed = lambda key, count: there.set_elsewhere(1, {key: count})
    for prefix in PREFIXES[: SITE_SHARE * MOST]:
        here.add(prefix)
    assert there[SITE] == SITE_SHARE * MOST
    assert not there.has_room(PREFIXES[-1], MOST)
    relayed = RelayedLimits()
    relayed.heard("sessions", {}, {PREFIXES[0]: 2, SITE: 5})
    relayed.heard("sessions", {}, {PREFIXES[0]: 1})
    assert relayed.counts["sessions"].here == {PREFIXES[0]: 1, SITE: 5}
    relayed.close()
    assert not relayed.counts["sessions"].here


async def test_connections_at_the_port_of_the_game(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    config = Config(tmp_path_factory.getbasetemp(), max_per_address=MOST, connections_a_second=1e6)
    admission = Admission(config, Metrics())
    begun = [(address, 1) for address in ADDRESSES if admission.begin((address, 1))]
    assert len(begun) == SITE_SHARE * MOST
    for peer in begun:
        admission.end(peer)
    assert admission.begin((ADDRESSES[-1], 1))
    for prefix in PREFIXES:
        if admission.wait(prefix) is None:
            admission.enter(prefix)
    assert admission.open[SITE] == SITE_SHARE * MOST
    assert admission.wait(OTHER) is None


async def test_sessions_at_a_gate() -> None:
    gate = GateAdmission(SshConfig(0, most=MANY, most_per_address=MOST), lambda _: None)
    answers = [gate.enter(None, address) for address in ADDRESSES]
    assert answers.count(None) == SITE_SHARE * MOST
    assert set(answers) == {None, CROWDED}
    assert gate.enter(None, "2001:db8:1::1") is None
