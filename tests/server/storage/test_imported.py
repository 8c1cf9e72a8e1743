"""A match of another server is kept if all in it holds, and shown to whoever knows its code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diadem_server import cli
from diadem_server.lobby import exports
from diadem_server.storage import imported
from diadem_server.storage.imported import FOLDER, NotImported, bring
from diadem_shared import protocol
from diadem_shared.match_file import MOST_BYTES, read
from diadem_shared.verification import verify_whole
from tests.rig.wire import Player, server
from tests.server import code
from tests.shared.match_files import file_of, played

MATCH, ENTRIES = played()
FILE = file_of(MATCH, ENTRIES)


@pytest.fixture
def given(tmp_path: Path) -> Callable[[bytes], Path]:
    """A file to be imported."""

    def write(written: bytes) -> Path:
        file = tmp_path / "match.jsonl"
        file.write_bytes(written)
        return file

    return write


@pytest.mark.parametrize("page", [1, 3, 250, len(ENTRIES)])
async def test_whoever_knows_the_code_has_the_match_as_it_came(
    tmp_path: Path,
    given: Callable[[bytes], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    page: int,
) -> None:
    """Also if it is brought along while the server runs."""
    monkeypatch.setattr(exports, "PAGE", page)
    async with server(tmp_path) as app, Player(app.port) as ana:
        cli.main(["--data", str(tmp_path), "--import", str(given(FILE))])
        table = capsys.readouterr().out.strip()
        file, after = b"", None
        while True:
            piece = await ana.ask(protocol.Export, table.lower(), after)
            file += piece.piece
            if (after := piece.next) is None:
                break
        assert file == FILE
        assert verify_whole(read(file)).match.totals == MATCH.totals
        assert piece.table == table
        behind = await ana.ask(protocol.Export, table, 10**9)
        assert (behind.piece, behind.next) == (b"", None)


OTHER_CODES = (
    "../bots.json",
    "AAAAAAAAAAAA",
    "K7QD",
    "ÄÄÄÄÄÄÄÄÄÄÄÄ",
    "/etc/passwd",
)


async def test_nothing_else_is_found_by_a_code(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "bots.json").write_text("{}")
    async with server(tmp_path) as app, Player(app.port) as ana:
        answers = {table: code(await ana.ask(protocol.Export, table)) for table in OTHER_CODES}
    assert answers == dict.fromkeys(OTHER_CODES, "no_such_replay")


def without_an_entry() -> bytes:
    first, *entries, end = FILE.splitlines(keepends=True)
    end = end.replace(b'"entries":%d' % len(entries), b'"entries":%d' % (len(entries) - 1))
    return b"".join([first, *entries[:-1], end])


UNSOUND = (
    (b"", "does not begin"),
    (b"\x00\xff" * 1000, "does not begin"),
    (b"[" * 100_000, "longer"),
    (b"\n" * (MOST_BYTES + 1), "longer"),
    (FILE[:-40], "its end is missing"),
    (without_an_entry(), "last link"),
    (FILE.replace(b'"version":2', b'"version":9'), "not known here"),
    (FILE.replace(b'"name":"Ana"', b'"name":"Eve"'), "the rules do not allow"),
    (FILE.replace(b'"game":"diadingo"', b'"game":"chess"'), "not known here"),
    (file_of(MATCH, ENTRIES, totals={"scores": [9, 0], "tiebreaks": [0, 0]}), "result"),
)


def test_what_does_not_hold_is_not_kept(tmp_path: Path, given: Callable[[bytes], Path]) -> None:
    for written, why in UNSOUND:
        with pytest.raises(NotImported, match=why):
            bring(tmp_path, given(written))
    assert not (tmp_path / FOLDER).exists()


def test_what_cannot_be_read_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (tmp_path, tmp_path / "none"):
        with pytest.raises(SystemExit):
            cli.main(["--data", str(tmp_path / "data"), "--import", str(file)])
        assert capsys.readouterr().err.startswith(f"game-server: {file} cannot be read: ")


def test_a_match_is_kept_once_and_no_more_than_so_many(
    tmp_path: Path, given: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imported, "MOST", 1)
    assert bring(tmp_path, given(FILE)) == bring(tmp_path, given(FILE))
    assert [each.stat().st_mode & 0o077 for each in (tmp_path / FOLDER).iterdir()] == [0]
    with pytest.raises(NotImported, match="already"):
        bring(tmp_path, given(file_of(MATCH, ENTRIES, chain="")))
