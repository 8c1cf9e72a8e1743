"""The command line, as somebody types it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from diadem.games import GAMES

GAME_CLIENT = Path(sys.executable).with_name("game-client")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [GAME_CLIENT, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_a_match_to_its_end(game: str) -> None:
    done = run("--demo", game, "--seed", "shown")
    assert done.returncode == 0
    assert done.stderr == ""
    first, *_, last = done.stdout.splitlines()
    assert first == f"{game}: 4 bots, seed shown"
    assert "won" in last or "share the win" in last


def test_a_seed_shows_the_same_match_again() -> None:
    again = [run("--demo", "piratatak", "--seed", "twice").stdout for _ in range(2)]
    assert again[0] == again[1]
    assert run("--demo", "piratatak", "--seed", "once").stdout != again[0]


def test_rounds_and_seats_are_as_asked() -> None:
    lines = run("--demo", "diamoniak", "--seats", "2", "--rounds", "3").stdout.splitlines()
    assert sum(line.startswith("The round is over") for line in lines) == 3
    assert lines[0].startswith("diamoniak: 2 bots")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([], "--demo"),
        (["--demo", "dimoniak"], "choose from 'diamoniak', 'piratatak'"),
        (["--demo", "diamoniak", "--seats", "9"], "for 2 to 4 players, not for 9"),
        (["--demo", "diamoniak", "--seats", "two"], "invalid int value: 'two'"),
        (["--demo", "diamoniak", "--rounds", "0"], "'0' is not a number from 1 to 20"),
        (["--demo", "diamoniak", "--pace", "-1"], "not a number of seconds"),
        (["--demo", "diamoniak", "--pace", "nan"], "not a number of seconds"),
        (["--dmeo", "diamoniak"], "--demo"),
    ],
)
def test_a_typo_gets_a_clear_answer(arguments: list[str], hint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert hint in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches() -> None:
    done = run("--help")
    assert done.returncode == 0
    unbroken = "".join(done.stdout.split())
    assert all(game in unbroken for game in GAMES)


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
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == ""


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
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == ""
