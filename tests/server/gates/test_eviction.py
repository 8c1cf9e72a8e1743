"""Which connection gives way to a newcomer: nobody's but that of a network that has many."""

from diadem_server.gates.eviction import Pending, choose

ATTACKER, OTHER, PLAYER, NEWCOMER = "192.0.2.1", "192.0.2.2", "198.51.100.1", "203.0.113.1"


def pending(*each: tuple[str, str]) -> list[Pending]:
    """By network, and whether they have sent something; their ports count up from 0."""
    return [
        Pending((network, port), network, said == "silent")
        for port, (network, said) in enumerate(each)
    ]


SILENT, SPOKEN = (ATTACKER, "silent"), (ATTACKER, "spoken")
CASES = {
    "nobody": ([], NEWCOMER, None),
    "the oldest silent one of the network that has most": (
        [(PLAYER, "silent"), (OTHER, "silent"), SILENT, SILENT],
        NEWCOMER,
        2,
    ),
    "a silent one before one that has spoken, however many": (
        [SPOKEN, SPOKEN, SPOKEN, (OTHER, "silent")],
        NEWCOMER,
        3,
    ),
    "one that has spoken, of the network that has most": (
        [(PLAYER, "spoken"), SPOKEN, SPOKEN],
        NEWCOMER,
        1,
    ),
    "nobody for a network that has more, though they are silent": (
        [(PLAYER, "silent"), SPOKEN, SPOKEN],
        ATTACKER,
        None,
    ),
    "nobody in a handshake for a network that has as many": (
        [(PLAYER, "spoken"), SPOKEN],
        OTHER,
        0,
    ),
    "a silent one of the newcomer's own network": ([SILENT, SPOKEN], ATTACKER, 0),
    "nobody for another handshake of one's own": ([SPOKEN, SPOKEN], ATTACKER, None),
}


def test_who_gives_way() -> None:
    wrong = {}
    for name, (each, newcomer, port) in CASES.items():
        chosen = choose(pending(*each), newcomer)
        if (chosen and chosen[1]) != port:
            wrong[name] = chosen
    assert wrong == {}
