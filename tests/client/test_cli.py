"""The command line, as somebody types it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from diadem_client import cli
from diadem_client.i18n import set_language
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.playout import play_out
from tests.cases import cases
from tests.patience import PATIENCE
from tests.shared.match_files import SECRET, file_of, played

GAME_CLIENT = Path(sys.executable).with_name("game-client")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [GAME_CLIENT, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    set_language("en")


def test_the_demo_plays_a_match_to_its_end_as_asked() -> None:
    done = run("--demo", "diamoniak", "--seed", "shown", "--seats", "2", "--rounds", "2")
    assert (done.returncode, done.stderr) == (0, "")
    first, *lines, last = done.stdout.splitlines()
    assert first == "diamoniak: 2 bots, seed shown"
    assert sum(line.startswith("The round is over") for line in lines) == 2
    assert "won" in last or "share the win" in last


@cases(
    ("arguments", "hint"),
    [
        ([], "this needs a terminal; --demo GAME"),
        (["--solo", "diamoniak"], "this needs a terminal"),
        (["--solo", "diamoniac"], "no game 'diamoniac'; choose from diamoniak, piratatak"),
        (["--learn", "diamoniak"], "this needs a terminal"),
        (["--learn", "go"], "no game 'go'; choose from diamoniak, piratatak"),
        (["--learn", "diadingo", "--host", "here"], "--learn and --host do not go together"),
        (["--solo", "diamoniak", "--bots", "7"], "for 2 to 4 players, not for 8 (--bots)"),
        (["--solo", "diamoniak", "--level", "godlike"], "no bot 'godlike'; choose from zombie"),
        (["--host", "http://games.example"], "is no address; type HOST"),
        (["--host", ""], "is no address"),
        (["--name", "A" * 21], "a name has 1 to 20 letters"),
        (["--watch"], "--watch needs a table"),
        (["--lang", "la"], "there is no language 'la'; choose from en, de, fr"),
        (["--lang"], "--lang needs something behind it"),
        (["--colours", "3"], "there is no '3'; choose from true, 256, 16, none"),
        (["--ascii=yes"], "--ascii needs nothing behind it"),
        (["--lang", "de", "--watch"], "--watch braucht einen Tisch"),
        (["--demo", "dimoniak"], "choose from diamoniak, piratatak"),
        (["--demo", "diamoniak", "--seats", "9"], "for 2 to 4 players, not for 9"),
        (["--demo", "diamoniak", "--seats", "two"], "'two' is not a number"),
        (["--demo", "diamoniak", "--rounds", "0"], "'0' is not a number from 1 to 20"),
        (["--demo", "diamoniak", "--pace", "-1"], "not a number of seconds"),
        (["--demo", "diamoniak", "--pace", "nan"], "not a number of seconds"),
        (["--dmeo", "diamoniak"], "there is no --dmeo; did you mean --demo?"),
        (["chess"], "there is no chess; --help shows what there is"),
        (["diamoniak"], "there is no diamoniak; did you mean --solo diamoniak?"),
        (["--watch", "K7F3"], "there is no K7F3; did you mean --table K7F3?"),
        (["192.168.1.20"], "there is no 192.168.1.20; did you mean --host 192.168.1.20?"),
        (["--bots", "3"], "--bots does nothing without --solo"),
        (["--rounds", "3"], "--rounds does nothing without --solo or --demo"),
        (["--solo", "diadingo", "--seats", "3"], "--seats does nothing without --demo"),
        (["--player", "ana"], "--player does nothing without --hosted"),
        (["--solo", "diadingo", "--table", "K7F3"], "--solo and --table do not go together"),
        (["--solo", "diadingo", "--demo", "diadingo"], "--demo and --solo do not go together"),
        (["--lan", "de"], "did you mean --lang?"),
        (["--word-list", "w.txt", "--host", "box"], "--word-list and --host do not go together"),
        (["--word-list", "w.txt", "--hosted"], "--word-list and --hosted do not go together"),
        (["--word-list"], "--word-list needs something behind it"),
        (["--export", "gcg"], "--export does nothing without --replay"),
        (["--replay", "/dev/null", "--export", "text"], "it is no ordinary file"),
        (["--replay", __file__, "--export", "text"], "does not begin as the file of a match"),
        (["--replay", "K7QD"], "of which server is that the code?"),
    ],
)
def test_a_typo_gets_a_clear_answer(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("game-client: ")
    assert hint in line


def test_a_mistake_ends_the_program_with_a_sentence() -> None:
    done = run("--watch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("game-client: --watch needs a table")


def test_a_match_is_printed_in_each_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = list(play_out(Setup("diamino-bonus", {"language": "en"}), ["zombie"] * 2, SECRET))
    file = tmp_path / "match.jsonl"
    file.write_bytes(file_of(steps[-1].match, [step.entry for step in steps]))
    for form, first in (("text", "Diamino Bonus"), ("gcg", "#char"), ("json", '{"type":"table"')):
        cli.main(["--lang", "en", "--replay", str(file), "--export", form])
        printed = capsys.readouterr()
        assert printed.err == ""
        assert printed.out.startswith(first)
    other = tmp_path / "other.jsonl"
    other.write_bytes(file_of(*played()))
    with pytest.raises(SystemExit):
        cli.main(["--replay", str(other), "--export", "gcg"])
    assert "of Diamino only" in capsys.readouterr().err


def test_help_teaches() -> None:
    done = run("--help")
    assert done.returncode == 0
    unbroken = "".join(done.stdout.split())
    assert [game for game in GAMES if game not in unbroken] == []


def test_a_reader_who_leaves_early_leaves_no_complaint() -> None:
    with subprocess.Popen(  # noqa: S603
        [GAME_CLIENT, "--demo", "diamoniak"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == ""


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell that runs the tests in the background has them, and what they start, ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_it_quietly() -> None:
    with subprocess.Popen(  # noqa: S603
        [GAME_CLIENT, "--demo", "diamoniak", "--pace", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == ""


def in_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run it where standard input and output are a terminal; its status, and what it wrote."""
    read, written = os.openpty()
    process = subprocess.Popen(  # noqa: S603
        [GAME_CLIENT, *arguments],
        stdin=written,
        stdout=written,
        stderr=written,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environment},
        start_new_session=True,
    )
    os.close(written)
    said = b""
    with suppress(OSError):  # that is how a terminal ends whose program has gone
        while some := os.read(read, 4096):
            said += some
    os.close(read)
    return process.wait(timeout=PATIENCE), said.decode()


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_place_text_gets_a_sentence(term: str) -> None:
    status, said = in_terminal("--name", "Ana", TERM=term)
    assert status == 2
    assert "this terminal cannot place text" in said
    assert "\x1b" not in said


def test_a_breakdown_is_one_sentence_and_a_log(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import diadem_client.local.solo\n"
        "def broken(*_): raise RuntimeError('a planted fault')\n"
        "diadem_client.local.solo.SoloServer.port = broken\n"
    )
    status, said = in_terminal(
        *("--solo", "diamoniak"),
        TERM="xterm-256color",
        PYTHONPATH=str(tmp_path),
        XDG_STATE_HOME=str(tmp_path),
    )
    assert status == 1
    assert "Traceback" not in said
    assert "Something broke in Diadem" in said
    (log,) = tmp_path.rglob("client.log")
    assert "a planted fault" in log.read_text()


@cases(("language", "words"), [("de", "Bots"), ("fr", "robots")])
def test_help_speaks_the_language_asked_for(
    language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--lang", language, "--help"])
    assert words in capsys.readouterr().out


def test_the_demo_speaks_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["--demo", "diamoniak", "--lang", "de"])
    assert "gewonnen" in capsys.readouterr().out


def test_a_game_that_has_fewer_rounds_is_not_played_for_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES["diamoniak"], "most_rounds", 3, raising=False)
    for how in ("--solo", "--demo"):
        with pytest.raises(SystemExit):
            cli.main([how, "diamoniak", "--rounds", "4"])
        assert "'4' is not a number from 1 to 3" in capsys.readouterr().err


def test_a_game_without_a_lesson_is_not_learned(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diadem_client.command_line.games_with_lesson", lambda: ["diadingo"])
    with pytest.raises(SystemExit):
        cli.main(["--learn", "diamoniak"])
    assert "there is no game 'diamoniak'; choose from diadingo" in capsys.readouterr().err
