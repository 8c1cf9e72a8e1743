"""The score sheet of Diamino: what others' programs read of a round adds up to its result."""

import re
from pathlib import Path

import pytest

from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.gcg import score_sheets
from diadem_shared.match import Match, apply, open_match, reopen_match
from diadem_shared.playout import Step
from tests.cases import cases
from tests.rig.recorded import FOLDER, read

SEED = b"sheet"
LINE = re.compile(r">(\S+): (.*) ([+-]\d+) (-?\d+)")


def steps_of(setup: Setup, *moves: Entry) -> list[Step]:
    match, steps = open_match(setup), []
    for entry in moves:
        match, told = apply(match, entry, SEED)
        steps.append(Step(entry, match, told))
    return steps


def sums(sheet: str) -> dict[str, int]:
    """The last total of each; every line but what a note explains adds up to the one before."""
    totals: dict[str, int] = {}
    noted: dict[str, int] = {}
    for line in sheet.splitlines():
        if line.startswith("#note green devils: "):
            for each in line.removeprefix("#note green devils: ").split(", "):
                nick, points = each.split(" ")
                noted[nick] = noted.get(nick, 0) + int(points)
        if found := LINE.fullmatch(line):
            nick, _, points, total = found.groups()
            expected = totals.get(nick, 0) + noted.pop(nick, 0) + int(points)
            assert int(total) == expected, line
            totals[nick] = expected
    return {nick: totals.get(nick, 0) + noted.get(nick, 0) for nick in {*totals, *noted}}


def recorded(path: Path) -> list[Step]:
    recording, steps = read(path), list[Step]()
    match = reopen_match(recording.setup, recording.version)
    for entry in recording.entries:
        match, told = apply(match, entry, recording.seed.encode(), recorded=True)
        steps.append(Step(entry, match, told))
    return steps


@cases("path", sorted(FOLDER.glob("diamino-*")), ids=lambda path: path.stem)
def test_a_sheet_adds_up_to_the_result(path: Path) -> None:
    steps = recorded(path)
    match: Match = steps[-1].match
    sheets = score_sheets(steps)
    assert len(sheets) == len(match.rounds)
    names = [player.name for player in match.players]
    for sheet, outcome in zip(sheets, match.rounds, strict=True):
        lines = sheet.splitlines()
        assert lines[0] == "#character-encoding UTF-8"
        players = [
            f"#player{seat + 1} {name.replace(' ', '_')} {name}" for seat, name in enumerate(names)
        ]
        assert lines[1 : len(names) + 1] == players
        found = sums(sheet)
        nicks = [name.replace(" ", "_") for name in names]
        assert [found.get(nick, 0) for nick in nicks] == list(outcome.scores)


def test_plays_are_written_as_the_specification_says() -> None:
    setup = Setup("diamino-bonus", {"language": "en", "judging": "table"})
    steps = steps_of(setup, Sat("Ana Maria"), Sat("B:ob"), Started())
    state = steps[-1].match.state
    seat, other = state.turn, 1 - state.turn
    nicks = ("Ana_Maria", "Bob")
    one, two, three = state.hands[seat].replace("*", "")[:3]
    moves: list[Entry] = [
        Moved(seat, f"lay H8 across {one}{two}"),
        Moved(other, "object"),
        Moved(seat, f"lay H8 down {one}{two.lower() if '*' in state.hands[seat] else two}"),
        Moved(other, "accept"),
        Moved(other, "pass"),
        Moved(seat, f"lay H10 down {three}"),
        Moved(other, "accept"),
    ]
    steps = steps_of(setup, Sat("Ana Maria"), Sat("B:ob"), Started(), *moves)
    (sheet,) = score_sheets(steps)
    lines = [line.split(" ") for line in sheet.splitlines() if line.startswith(">")]
    rack = state.hands[seat].replace("*", "?")
    mover = f">{nicks[seat]}:"
    assert lines[0] == [mover, rack, "8H", one + two, "+0", "0"]
    assert lines[1] == [mover, rack, "--", "+0", "0"]
    assert lines[2][:3] == [mover, rack, "H8"]
    assert lines[3][1:] == [state.hands[other].replace("*", "?"), "-", "+0", "0"]
    assert lines[4][2:4] == ["H8", f"..{three}"]
    assert len(lines) == 5
    assert "#player1 Ana_Maria Ana Maria" in sheet


def test_an_exchange_tells_its_tiles() -> None:
    setup = Setup("diamino-bonus", {"language": "de"})
    state = steps_of(setup, Sat("Ana"), Sat("Bob"), Started())[-1].match.state
    tiles = state.hands[state.turn][-2:]
    moves: list[Entry] = [Sat("Ana"), Sat("Bob"), Started(), Moved(state.turn, f"exchange {tiles}")]
    (sheet,) = score_sheets(steps_of(setup, *moves))
    assert f" -{tiles.replace('*', '?')} +0 0" in sheet.splitlines()[-1]


@pytest.mark.parametrize("name", ["#player1 x\n>y", "\x1b[31m", " "])
def test_a_name_makes_no_line_of_its_own(name: str) -> None:
    (sheet,) = score_sheets(steps_of(Setup("diamino-bonus"), Sat(name), Sat("Bob"), Started()))
    assert len(sheet.splitlines()) == 5
    assert "\x1b" not in sheet
