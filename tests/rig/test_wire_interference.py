"""Every game of the registry keeps its secrets on the wire, and the rig would notice if not."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_server.lobby import table_questions
from diadem_server.lobby.lobby import Lobby
from diadem_server.sessions.sessions import Session
from diadem_server.storage.records import TableRow
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table import views
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from diadem_shared.game import Choices, Viewer
from diadem_shared.games import GAMES
from diadem_shared.match import Match
from diadem_shared.protocol import JSON_SUBPROTOCOL, SUBPROTOCOL, Happened, TableLine
from diadem_shared.refusals import Refusal
from tests.rig import Broken
from tests.rig.hands_game import NumbersWithHands
from tests.rig.wire_interference import check_wire
from tests.thoroughness import times

ENCODINGS = (SUBPROTOCOL, JSON_SUBPROTOCOL)
SEEDS = range(times(2, 20))
"""Of ten seeds each finds every leak that is planted below; encodings take turns."""


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "one", tmp_path / "other"]
    for folder in made:
        folder.mkdir()
    return made


@pytest.fixture
def whispers(monkeypatch: pytest.MonkeyPatch) -> NumbersWithHands:
    game = NumbersWithHands()
    monkeypatch.setitem(GAMES, game.name, game)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
async def test_no_frame_tells_what_its_viewer_cannot_know(
    name: str, seed: int, folders: Sequence[Path]
) -> None:
    assert await check_wire(GAMES[name], seed, folders, ENCODINGS[seed % len(ENCODINGS)])


@pytest.mark.parametrize("spoken", ENCODINGS)
async def test_a_game_of_hands_keeps_them(
    whispers: NumbersWithHands, spoken: str, folders: Sequence[Path]
) -> None:
    """The plants below are caught for their fault, not for what they are planted in."""
    assert await check_wire(whispers, 1, folders, spoken)


# Leaks, each put where the server would spring it


def _hand(table: Table) -> int:
    hand: int = table.match.state.hands[0]
    return hand


def shows_the_hand_of_the_seat_before(patch: pytest.MonkeyPatch) -> None:
    private = views.private

    def leak(match: Match, viewer: Viewer) -> Any:
        return private(match, viewer and viewer - 1)

    patch.setattr(views, "private", leak)


def shows_a_hand_to_who_looks_on(patch: pytest.MonkeyPatch) -> None:
    private = views.private
    patch.setattr(views, "private", lambda match, viewer: private(match, viewer or 0))


def tells_everybody_the_fuller_form(patch: pytest.MonkeyPatch) -> None:
    def leak(logged: Logged, _: Viewer) -> list[Happened]:
        return [Happened(logged.number, each.fuller or each.event) for each in logged.told]

    patch.setattr(Logged, "told_to", leak)


def refuses_in_the_light_of_a_hand(patch: pytest.MonkeyPatch) -> None:
    refuse = Lobby.refuse

    def leak(lobby: Lobby, session: Session, command: int, why: Refusal) -> None:
        table = lobby.tables.get(session.table or "")
        about = why.about | ({"n": _hand(table)} if table else {})
        refuse(lobby, session, command, replace(why, about=about))

    patch.setattr(Lobby, "refuse", leak)


def judges_drafts_by_a_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(table_questions, "check", lambda table, *_: _hand(table))


def lists_moves_by_a_hand(patch: pytest.MonkeyPatch) -> None:
    def leak(match: Match, viewer: Viewer) -> Choices | None:
        return None if viewer is None else Choices((f"guess {match.state.hands[0]}",))

    patch.setattr(views, "choices", leak)


def lists_a_hand_in_the_lobby(patch: pytest.MonkeyPatch) -> None:
    line: Callable[[Table], TableLine] = Table.line.fget  # type: ignore[attr-defined]
    leak = property(lambda table: replace(line(table), rounds=_hand(table)))
    patch.setattr(Table, "line", leak)


def says_a_hand_in_the_chat(patch: pytest.MonkeyPatch) -> None:
    opens = Table.open

    def leak(table: Table) -> None:
        opens(table)
        say = table.chat.say
        louder = lambda session, seat, text: say(session, seat, text * _hand(table))  # noqa: E731
        patch.setattr(table.chat, "say", louder)

    patch.setattr(Table, "open", leak)


def shows_once_more_after_a_good_hand(patch: pytest.MonkeyPatch) -> None:
    """The views are as they should be; their number tells."""
    show = Table.show

    def leak(table: Table, last: Logged | None) -> None:
        for _ in range(1 + _hand(table) % 2):
            show(table, last)

    patch.setattr(Table, "show", leak)


def replays_what_is_not_over(patch: pytest.MonkeyPatch) -> None:
    async def leak(journal: SqliteJournal, code: str, _: int) -> TableRow | None:
        rows = await journal.tables(over_since=0.0)
        return next((row for row in rows if row.code == code), None)

    patch.setattr(SqliteJournal, "finished_table", leak)


@pytest.mark.parametrize(
    "plant",
    [
        shows_the_hand_of_the_seat_before,
        shows_a_hand_to_who_looks_on,
        tells_everybody_the_fuller_form,
        refuses_in_the_light_of_a_hand,
        judges_drafts_by_a_hand,
        lists_moves_by_a_hand,
        lists_a_hand_in_the_lobby,
        says_a_hand_in_the_chat,
        shows_once_more_after_a_good_hand,
        replays_what_is_not_over,
    ],
)
@pytest.mark.parametrize("spoken", ENCODINGS)
async def test_a_leak_on_the_wire_is_caught(
    plant: Callable[[pytest.MonkeyPatch], None],
    spoken: str,
    whispers: NumbersWithHands,
    folders: Sequence[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    with pytest.raises(Broken):
        await check_wire(whispers, 1, folders, spoken)


async def test_a_history_that_forgets_nothing_is_caught(
    folders: Sequence[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """D-12: in memory play no log may say where a try has failed."""

    def leak(_: Match, log: Sequence[Logged], viewer: Viewer) -> list[Happened]:
        return [happened for logged in log for happened in logged.told_to(viewer)]

    monkeypatch.setattr(views, "recalled", leak)
    with pytest.raises(Broken, match="may be recalled"):
        await check_wire(GAMES["diadingo"], 0, folders)
