"""A match holds if everything in its file agrees; whatever is changed in it is found, and nothing breaks the reader."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from diadem_shared.chain import Chain
from diadem_shared.entries import Adjudicated, Entry, Left, Moved, Sat, Sealed, Setup, Started
from diadem_shared.game import digest
from diadem_shared.games.diadingo.game import Diadingo
from diadem_shared.match import replay
from diadem_shared.match_file import MOST_BYTES, MOST_ENTRIES, MOST_LINE, Fault, Untrue, read
from diadem_shared.verification import (
    RoundFact,
    Seen,
    SeenShuffle,
    SeenView,
    digest_of_view,
    play,
    verify_whole,
)
from tests.cases import cases
from tests.shared.match_files import (
    NAMES,
    SECRET,
    added,
    chained,
    file_of,
    played,
    sealed,
    started,
)

MATCH, ENTRIES = played()
FILE = file_of(MATCH, ENTRIES)
LINES = FILE.splitlines()
OTHER_SECRET = bytes(32)


def fault_of(data: bytes, seen: Seen | None = None) -> tuple[Fault, int]:
    with pytest.raises(Untrue) as told:
        verify_whole(read(data), seen)
    return told.value.fault, told.value.entry


def with_line(number: int, line: bytes) -> bytes:
    return b"\n".join([*LINES[:number], line, *LINES[number + 1 :]]) + b"\n"


def with_end(**changed: Any) -> bytes:
    return with_line(len(LINES) - 1, json.dumps(json.loads(LINES[-1]) | changed).encode())


# What holds


def test_a_match_of_which_all_agrees_holds() -> None:
    verified = verify_whole(read(FILE))
    assert verified.match == MATCH
    assert verified.rounds == (RoundFact(NAMES, ()),)
    assert (verified.is_chained, verified.dropped, verified.unheard) == (True, 0, 0)


def test_who_added_to_each_round_and_who_did_not_is_told() -> None:
    entries: list[Entry] = [
        *map(Sat, NAMES),
        sealed(),
        Sat("Cem"),
        Left(2),
        sealed(),
        Started((added("Ana").hex(), None)),
        Adjudicated(),
    ]
    match = replay(Setup("diadingo"), entries, SECRET)
    verified = verify_whole(read(file_of(match, entries)))
    assert verified.rounds == (RoundFact(("Ana",), ("Bob",)),)
    assert verified.dropped == 1
    entries = [*map(Sat, NAMES), Started(), Adjudicated()]
    match = replay(Setup("diadingo"), entries, SECRET)
    assert verify_whole(read(file_of(match, entries))).rounds == (RoundFact((), ()),)


def test_a_match_of_an_older_server_holds_without_links() -> None:
    verified = verify_whole(read(with_end(chain="")))
    assert not verified.is_chained


def test_it_can_be_played_again_step_by_step() -> None:
    steps = list(play(read(FILE)))
    assert [step.entry for step in steps] == ENTRIES
    assert steps[-1].match == MATCH


def test_it_is_the_match_that_was_seen() -> None:
    shown = {
        number: SeenView("", seat, digest_of_view(step.match, seat))
        for number, step in enumerate(play(read(FILE)), 1)
        for seat in (0, None)
    }
    last = json.loads(LINES[-1])
    shown[len(ENTRIES)] = SeenView(last["chain"], None, digest_of_view(MATCH, None))
    server = json.loads(LINES[0])["commitment"]
    assert verify_whole(read(FILE), Seen(server, shown, (opened(),))).match == MATCH


# The lists that somebody has opened


def opened(**otherwise: Any) -> SeenShuffle:
    """As Ana's client remembers the only one of this match."""
    link = linked(FILE)[3].hex()
    mine = SeenShuffle(0, 3, link, sealed().commitments, added("Ana").hex())
    return replace(mine, **otherwise)


def linked(file: bytes) -> list[bytes]:
    lines = file.splitlines()
    chain = Chain(SECRET, lines[0])
    links = [chain.origin]
    for line in lines[1:-1]:
        links.append(chain.link(links[-1], line))
    return links


@cases(
    ("otherwise", "fault"),
    [
        ({"entry": 2}, (Fault.OTHER_SHUFFLE, 2)),
        ({"entry": 4}, (Fault.OTHER_SHUFFLE, 4)),
        ({"entry": 10_000}, (Fault.OTHER_SHUFFLE, 10_000)),
        ({"link": "ab" * 32}, (Fault.OTHER_SHUFFLE, 3)),
        ({"round": 1}, (Fault.OTHER_SHUFFLE, 3)),
        ({"commitments": ("", "")}, (Fault.OTHER_SHUFFLE, 3)),
        ({"opening": "ab"}, (Fault.LEFT_OUT, 4)),
    ],
)
def test_a_list_that_was_opened_is_missed(
    otherwise: dict[str, Any], fault: tuple[Fault, int]
) -> None:
    other = opened(**otherwise)
    for lists in ((other,), (opened(), other), (other, opened())):
        assert fault_of(FILE, Seen(shuffles=lists)) == fault


def test_each_round_has_a_list_of_its_own() -> None:
    match, entries = played(Setup("diadingo", rounds=2))
    data = file_of(match, entries)
    second = entries.index(sealed(1)) + 1
    lists = opened(link=linked(data)[3].hex()), opened(
        round=1, entry=second, link=linked(data)[second].hex(),
        commitments=sealed(1).commitments, opening=added("Ana", 1).hex(),
    )  # fmt: skip
    assert verify_whole(read(data), Seen(shuffles=lists)).match == match
    left_out = replace(lists[1], opening=lists[0].opening)
    assert fault_of(data, Seen(shuffles=(lists[0], left_out))) == (Fault.LEFT_OUT, second + 1)


def test_without_links_of_an_older_server_the_list_has_to_be_there_all_the_same() -> None:
    assert verify_whole(read(FILE), Seen(shuffles=(opened(link=""),))).dropped_opened == 0
    other = opened(link="", commitments=("", ""))
    assert fault_of(FILE, Seen(shuffles=(other,))) == (Fault.OTHER_SHUFFLE, 3)


def test_a_list_that_was_opened_and_dropped_by_an_entry_is_counted() -> None:
    entries: list[Entry] = [
        *map(Sat, NAMES),
        *(sealed(), Sat("Cem"), Left(2)),
        *(sealed(), started(), Adjudicated()),
    ]
    match = replay(Setup("diadingo"), entries, SECRET)
    lists = opened(link=""), opened(link="", entry=6)
    file = read(file_of(match, entries))
    assert verify_whole(file, Seen(shuffles=lists)).dropped_opened == 1
    assert verify_whole(file, Seen(shuffles=lists[1:])).dropped_opened == 0


# What does not


@cases(
    ("seen", "fault"),
    [
        (Seen("ab" * 32), (Fault.COMMITMENT, 0)),
        (Seen(views={7: SeenView("ab" * 32)}), (Fault.OTHER_MATCH, 7)),
        (Seen(views={7: SeenView("", 0, "ab")}), (Fault.OTHER_VIEW, 7)),
        (Seen(views={7: SeenView("", 9, "ab")}), (Fault.OTHER_VIEW, 7)),
        (Seen(views={10_000: SeenView("")}), (Fault.OTHER_MATCH, 0)),
    ],
)
def test_what_somebody_has_seen_otherwise_is_found(seen: Seen, fault: tuple[Fault, int]) -> None:
    assert fault_of(FILE, seen) == fault


def test_another_secret_is_not_what_the_server_was_bound_to() -> None:
    assert fault_of(with_end(secret=OTHER_SECRET.hex())) == (Fault.COMMITMENT, 0)


def test_a_secret_chosen_when_all_had_added_opens_no_commitment_of_theirs() -> None:
    """Even where the host has bound itself to it all along, in the file."""
    rewritten = file_of(MATCH, ENTRIES, OTHER_SECRET)
    assert fault_of(rewritten) == (Fault.ILLEGAL, 4)


def test_an_addition_that_is_dropped_afterwards_leads_elsewhere() -> None:
    dropped = [Started((None, added("Bob").hex())) if i == 3 else e for i, e in enumerate(ENTRIES)]
    assert fault_of(file_of(MATCH, dropped))[0] in {Fault.ILLEGAL, Fault.RESULT}
    replaced = [
        Sealed(("ab" * 32, each.commitments[1])) if isinstance(each, Sealed) else each
        for each in ENTRIES
    ]
    assert fault_of(file_of(MATCH, replaced)) == (Fault.ILLEGAL, 4)


def test_an_entry_that_is_changed_breaks_the_chain_and_one_that_is_chained_anew_was_seen() -> None:
    first = next(i for i, each in enumerate(ENTRIES) if isinstance(each, Moved))
    slower = json.loads(LINES[first + 1]) | {"spent": 77}
    line = json.dumps(slower).encode()
    assert fault_of(with_line(first + 1, line)) == (Fault.CHAIN, 0)
    lines = [*LINES[: first + 1], line, *LINES[first + 2 : -1]]
    again = chained(lines, MATCH)
    assert verify_whole(read(again)).is_chained
    link = json.loads(LINES[-1])["chain"]
    seen = Seen(views={len(ENTRIES): SeenView(link)})
    assert fault_of(again, seen) == (Fault.OTHER_MATCH, len(ENTRIES))


@cases(
    ("changed", "fault"),
    [
        ({"digest": "ab" * 16}, Fault.RESULT),
        ({"totals": {"scores": [1, 2], "tiebreaks": [0, 0]}}, Fault.RESULT),
        ({"totals": {"scores": [], "tiebreaks": []}}, Fault.RESULT),
        ({"chain": "ab" * 32}, Fault.CHAIN),
        ({"entries": 3}, Fault.NOT_WHOLE),
        ({"entries": "3"}, Fault.NOT_WHOLE),
        ({"secret": "ab"}, Fault.NOT_WHOLE),
        ({"secret": None}, Fault.NOT_WHOLE),
        ({"type": "table"}, Fault.NOT_WHOLE),
    ],
)
def test_an_end_that_says_otherwise_is_found(changed: dict[str, Any], fault: Fault) -> None:
    assert fault_of(with_end(**changed)) == (fault, 0)


@cases(
    ("entry", "why"),
    [
        (Moved(0, "jump"), Fault.ILLEGAL),
        (Moved(7, "decline"), Fault.ILLEGAL),
        (Moved(-1, "decline"), Fault.ILLEGAL),
        (Sat("Cem"), Fault.ILLEGAL),
        (Started(), Fault.ILLEGAL),
    ],
)
def test_an_entry_that_is_not_allowed_is_named(entry: Entry, why: Fault) -> None:
    entries = [*ENTRIES[:4], entry, *ENTRIES[4:]]
    assert fault_of(file_of(MATCH, entries)) == (why, 5)


def test_d9_a_file_of_older_rules_holds_under_those(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was fixed is not shown then at the end."""
    with monkeypatch.context() as older:
        older.setattr(Diadingo, "version", 1)
        file = file_of(*played(Setup("diadingo")))
    match = verify_whole(read(file)).match
    assert match.game.public(match.state).marked == ()
    lines = [file.splitlines()[0].replace(b'"version":1', b'"version":2'), *file.splitlines()[1:-1]]
    assert fault_of(chained(lines, match)) == (Fault.RESULT, 0)


def test_a_match_that_is_not_over_is_not_whole() -> None:
    entries = ENTRIES[:-1]
    match = replay(Setup("diadingo"), entries, SECRET)
    assert fault_of(file_of(match, entries)) == (Fault.NOT_WHOLE, 0)


# Files of later servers


def with_entry(line: bytes, at: int = 3) -> bytes:
    """The file with an entry more, as a server would have written it."""
    lines = [*LINES[:at], line, *LINES[at:-1]]
    told = json.loads(LINES[-1]) | {"entries": len(lines) - 1}
    link = linked(b"\n".join([*lines, LINES[-1]]))[-1].hex()
    return b"\n".join([*lines, json.dumps(told | {"chain": link}).encode()]) + b"\n"


LATER = (
    b'{"type":"weather","sky":"blue"}',
    b'{"type":"changed","setup":{"game":"diadingo","wind":true}}',
)


@cases("line", LATER)
def test_an_entry_that_only_later_servers_know_keeps_a_match_from_being_checked(
    line: bytes,
) -> None:
    """It is nobody's fault, as long as it is what was shown."""
    file = with_entry(line)
    link = linked(file)[5].hex()
    assert fault_of(file) == (Fault.OTHER_RULES, 3)
    assert fault_of(file, Seen(views={5: SeenView(link)})) == (Fault.OTHER_RULES, 3)
    assert fault_of(file, Seen(views={5: SeenView("ab" * 32)})) == (Fault.OTHER_MATCH, 5)
    mine = opened(entry=5, link="ab" * 32)
    assert fault_of(file, Seen(shuffles=(mine,))) == (Fault.OTHER_SHUFFLE, 5)
    assert fault_of(with_line(3, line)) == (Fault.CHAIN, 0)


# Files of people who mean ill


def nested(depth: int) -> bytes:
    return b'{"type":"moved","seat":0,"move":' + b"[" * depth + b"]" * depth + b"}"


def setup_with(**changed: Any) -> bytes:
    told = json.loads(LINES[0])
    told["setup"] |= changed
    return with_line(0, json.dumps(told).encode())


@cases(
    ("data", "fault"),
    [
        (b"", Fault.NO_MATCH),
        (b"\n\n\n", Fault.NO_MATCH),
        (b"\x00" * 1000, Fault.NO_MATCH),
        (b"[]\n{}\n", Fault.NO_MATCH),
        (b"\xff\xfe{}", Fault.NO_MATCH),
        (LINES[0], Fault.NOT_WHOLE),
        (FILE[:-200], Fault.NOT_WHOLE),
        (FILE + b"{}\n", Fault.NOT_WHOLE),
        (with_line(0, LINES[0].replace(b'"version":2', b'"version":"2"')), Fault.NO_MATCH),
        (with_line(0, LINES[0].replace(b'"version":2', b'"version":9')), Fault.OTHER_RULES),
        (with_line(0, LINES[0].replace(b'"version":2', b'"version":0')), Fault.OTHER_RULES),
        (setup_with(game="chess"), Fault.OTHER_RULES),
        (setup_with(rounds=10**9), Fault.NO_MATCH),
        (setup_with(options={"scoring": "none"}), Fault.ILLEGAL),
        (with_line(2, b"{}"), Fault.BAD_LINE),
        (with_line(2, b"null"), Fault.BAD_LINE),
        (with_line(2, nested(10)), Fault.BAD_LINE),
        (with_line(2, nested(6000)), Fault.BAD_LINE),
        (with_line(2, b'{"type":"moved","seat":0,"move":{"type":"draw"}}'), Fault.BAD_LINE),
        (with_line(2, b'{"type":"sealed","commitments":"ab"}'), Fault.BAD_LINE),
        (with_line(2, b'{"type":"sat","name":"%b"}' % (b"x" * MOST_LINE)), Fault.TOO_LONG),
        (b"x" * (MOST_BYTES + 1), Fault.TOO_LONG),
        (LINES[0] + b"\n{}" * (MOST_ENTRIES + 2), Fault.TOO_LONG),
    ],
)
def test_a_file_that_is_none_is_refused_with_a_reason(data: bytes, fault: Fault) -> None:
    assert fault_of(data)[0] is fault


def test_a_list_of_words_that_is_not_here_is_no_ones_fault() -> None:
    entries: list[Entry] = [*map(Sat, NAMES), Started(), Adjudicated()]
    match = replay(Setup("diamino-bonus"), entries, SECRET)
    elsewhere = replace(match, setup=Setup("diamino-bonus", {"word_list": "../../etc/passwd"}))
    assert fault_of(file_of(elsewhere, entries)) == (Fault.NO_WORD_LIST, 3)


def _flip(data: bytes, at: int, bit: int) -> bytes:
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


@given(at=st.integers(0, len(FILE) - 1), bit=st.integers(0, 7))
def test_no_bit_can_be_changed(at: int, bit: int) -> None:
    """What is no fault either is the last newline, nor what the last line calls its own type."""
    changed = _flip(FILE, at, bit)
    if read_or_none(changed) == read_or_none(FILE):
        type_ = FILE.rindex(b"type")
        assert at == len(FILE) - 1 or at in range(type_, type_ + len(b"type"))
    else:
        fault_of(changed)


def read_or_none(data: bytes) -> object:
    try:
        return read(data)
    except Untrue:
        return None


@given(st.binary(max_size=300))
def test_whatever_it_holds_is_answered_with_a_fault(data: bytes) -> None:
    fault_of(data)
    fault_of(LINES[0] + b"\n" + data + b"\n" + LINES[-1])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
KINDS = ("sat", "left", "changed", "sealed", "started", "moved", "lost", "returned", "taken_over")
KEYS = ("name", "seat", "move", "bot", "commitments", "openings", "setup", "spent")
likely = (
    st.integers(-2, 4)
    | st.sampled_from(["Ana", "draw", "take C4", "zombie", "0" * 64])
    | st.lists(st.sampled_from(["", "0" * 64, None]), max_size=3)
    | st.fixed_dictionaries({"game": st.sampled_from(["diamoniak", "diadingo", "diamino-rummy"])})
    | values
)
made_up = st.builds(
    lambda kind, fields: {"type": kind} | fields,
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(KEYS), likely, max_size=4),
)


@given(st.lists(made_up, max_size=8), st.integers(0, len(ENTRIES)))
def test_whatever_entries_are_made_up_nothing_else_comes_of_it(
    entries: list[dict[str, Any]], at: int
) -> None:
    lines = [json.dumps(each).encode() for each in entries]
    data = chained([*LINES[: at + 1], *lines, *LINES[at + 1 : -1]], MATCH)
    try:
        verify_whole(read(data))
    except Untrue as untrue:
        assert untrue.fault in Fault  # noqa: PT017, it is one of these or none


def test_digests_are_of_what_a_seat_sees() -> None:
    views: list[Callable[[], str]] = [
        lambda: digest_of_view(MATCH, 0),
        lambda: digest_of_view(MATCH, 1),
        lambda: digest_of_view(MATCH, None),
    ]
    assert len({view() for view in views}) == 3
    assert views[0]() == digest(MATCH.game.view(MATCH.state, 0))
    assert digest_of_view(MATCH, 5) == ""
    assert started() == ENTRIES[3]
