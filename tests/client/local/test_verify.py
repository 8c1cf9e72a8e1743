"""`game-client --verify` answers any file, and the code of any match, with sentences."""

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.local import verify
from diadem_client.local.own_words import OwnWords
from diadem_client.local.verify import DOES_NOT, HOLDS, UNUSABLE
from diadem_client.net.address import read_address
from diadem_client.settings import SettingsStore
from diadem_shared.entries import Setup
from diadem_shared.lexicon import from_text
from diadem_shared.lexicon.shelf import put
from diadem_shared.match_file import read
from tests.client.net.fair_match import pair
from tests.patience import PATIENCE
from tests.shared.match_files import file_of, played

FILE = file_of(*played())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


def verified(what: object, **given: object) -> int:
    named = {"keep": None, "tells": False, "pace": None, "server": "", "words": ""} | given
    words = OwnWords(str(named.pop("words")))
    return verify.run(str(what), (named.pop("server"), "Ana"), words, **named)  # type: ignore[arg-type] # as named above


def written(folder: Path, data: bytes) -> Path:
    path = folder / "match.jsonl"
    path.write_bytes(data)
    return path


def test_a_match_that_holds_is_told_to_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(written(tmp_path, FILE)) == HOLDS
    told = capsys.readouterr().out
    assert "holds: Diadingo, Ana" in told
    assert "Round 1: shuffled by the server, Ana, Bob." in told
    assert "The hash chain fits." in told


def test_one_that_was_played_by_own_words_is_held_against_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put("of the byre", from_text("cow\n", ""))
    match, entries = played(Setup("diamino-rummy", {"word_list": "of the byre"}))
    named = replace(match, setup=Setup("diamino-rummy", {"word_list": "byre"}))
    path = written(tmp_path, file_of(named, entries, digest=""))
    assert verified(path) == DOES_NOT
    assert "cannot be checked: its word list is somebody's own" in capsys.readouterr().out
    assert verified(path, words=tmp_path / "byre.txt") == UNUSABLE
    (tmp_path / "byre.txt").write_text("cow\n")
    assert verified(path, words=tmp_path / "byre.txt") == HOLDS


def test_it_is_read_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(written(tmp_path, FILE), tells=True, pace=0.0) == HOLDS
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith(": Ana, Bob") for line in lines)
    assert "A round begins." in lines
    assert any("won" in line or "share the win" in line for line in lines)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "does not hold: it does not begin as the file of a match."),
        (b"\x00" * 5000, "does not hold: it does not begin"),
        (b"[" * 200_000, "does not hold: it is longer than any match."),
        (FILE[:-300], "does not hold: it is not whole"),
        (
            FILE.replace(b'"move":"take ', b'"move":"jump ', 1),
            "is not allowed by the rules (unread",
        ),
        (FILE.replace(b'"version":2', b'"version":8'), "cannot be checked: this game, or this ver"),
        (FILE.replace(b'"Ana"', b'"An\\u001b[2J"'), "does not hold: "),
    ],
    ids=range(7),
)
def test_a_match_that_does_not_hold_is_answered_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str
) -> None:
    assert verified(written(tmp_path, data)) == DOES_NOT
    told = capsys.readouterr().out
    assert said in told
    assert len(told.splitlines()) == 1


def test_names_from_a_file_steer_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match, entries = played(names=("\x1b[2J\x07\u202e" + "x" * 500, "Bob"))
    assert verified(written(tmp_path, file_of(match, entries)), tells=True, pace=0.0) == HOLDS
    told = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e"} & {*told}
    assert "x" * 100 not in told


def test_what_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for what in (tmp_path, tmp_path / "pipe", tmp_path / "nothing", "no/such/file", "~nobody/x"):
        assert verified(what) == UNUSABLE
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_code_needs_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert verified("K7QD") == UNUSABLE
    assert "--host" in capsys.readouterr().err


def test_a_server_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified("K7QD", server="127.0.0.1:1") == UNUSABLE
    assert "Nobody answers" in capsys.readouterr().err
    monkeypatch.setattr(verify, "ANSWER_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        assert verified("K7QD", server=address) == UNUSABLE
    assert "does not answer" in capsys.readouterr().err


@pytest.fixture
def finished(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A server in a thread of its own, where Ana has played; its address, and the code of the match."""
    found: list[tuple[str, str]] = []
    ready, done = threading.Event(), threading.Event()

    async def play() -> None:
        (tmp_path / "data").mkdir()
        async with pair(tmp_path / "data") as both:
            code = await both.begin(Setup("diadingo"))
            await both.play_on()
            address = f"127.0.0.1:{both.app.port}"
            token = both.ana.client.session.token or ""
            SettingsStore().save_token(read_address(address), "Ana", token)
            found.append((address, code))
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(play()))
    thread.start()
    assert ready.wait(PATIENCE)
    yield found[0]
    done.set()
    thread.join()


def test_a_match_is_fetched_by_its_code_and_kept(
    finished: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, code = finished
    kept = tmp_path / "kept.jsonl"
    assert verified(code.lower(), server=server, keep=str(kept)) == HOLDS
    assert "holds: Diadingo" in capsys.readouterr().out
    assert read(kept.read_bytes()).header.table == code
    assert verified(kept) == HOLDS
    assert verified(code, server=server, keep=str(kept)) == UNUSABLE
    assert "is there already" in capsys.readouterr().err
    assert verified("NONE", server=server) == UNUSABLE
    assert "no finished match NONE" in capsys.readouterr().err
