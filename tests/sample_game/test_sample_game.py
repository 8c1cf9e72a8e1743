"""docs/adding-a-game.md, followed for real: a folder, a line in the registry, and the rig is content."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from diadem_client.board.registry import pane_for
from diadem_client.board.typed import LinePane
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.games.client_game import ClientGame
from diadem_client.i18n import set_language
from diadem_client.wording import options
from diadem_client.wording.events import tell
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.rules import rules_of
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.refusals import Refusal
from tests.client.board.host import SMALL, Desk, Host, lines_of
from tests.client.state import test_forms
from tests.client.wording import test_options, test_refusals, test_rules
from tests.rig.conformance import check_level, check_match, check_round
from tests.rig.interference import check_interference
from tests.sample_game import Answered, Guess, Numbers, NumbersCode
from tests.sample_game.client import NUMBERS
from tests.sample_hands import Rows
from tests.sample_hands.client import ROWS
from tests.shared import test_games, test_long_rounds

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "adding-a-game.md"
SHARED = ROOT / "shared" / "diadem_shared"
CLIENT = ROOT / "client" / "diadem_client"
SEEDS = range(6)
REQUIRED = {"__init__.py", "event_text.py", "wording.py"}
"""Of the client, in every game."""


SHIPPED = {*GAMES}
OVER_THE_REGISTRY = (
    test_games,
    test_long_rounds,
    test_options,
    test_rules,
    test_refusals,
    test_forms,
)
SAMPLES: dict[str, tuple[AnyGame, ClientGame]] = {
    "numbers": (Numbers(), NUMBERS),
    "rows": (Rows(), ROWS),
}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Each of the two, entered in the registries."""
    game, client = SAMPLES[request.param]
    monkeypatch.setitem(GAMES, game.name, game)
    monkeypatch.setitem(CLIENT_GAMES, game.name, client)
    return game


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    game = Numbers()
    monkeypatch.setitem(GAMES, game.name, game)
    monkeypatch.setitem(CLIENT_GAMES, game.name, NUMBERS)
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sample_games_pass_the_rig(sample: AnyGame, seed: int) -> None:
    check_round(sample, seed)
    check_match(sample, seed)
    for level in sample.bots:
        check_level(sample, level, seed)
    assert check_interference(sample, seed) > 0


def test_the_sample_games_pass_the_tests_over_the_registry(sample: AnyGame) -> None:
    found = [each for module in OVER_THE_REGISTRY for each in checks(module, sample.name)]
    assert len(found) > 10
    for check in found:
        check()
        set_language("en")


def checks(module: ModuleType, name: str) -> Iterator[Callable[[], None]]:
    """What tests of a module do with each game of the registry, to be done with this one."""
    for test in vars(module).values():
        check, table = getattr(test, "folded", (print, []))
        rows = [{argument: value for argument, value, _ids in row} for row in table]
        for argument in ("game", "name"):
            if {row.get(argument) for row in rows} == SHIPPED:
                first = rows[0][argument]
                for row in rows:
                    if (
                        row[argument] == first
                        and not signature(check).parameters.keys() - row.keys()
                    ):
                        yield partial(check, **row | {argument: name})


def test_what_the_page_shows_is_what_was_built() -> None:
    """Every line of Python on the page stands in the sample game, in that order."""
    files = (HERE / "__init__.py", *(HERE / "client").glob("*.py"))
    built = "".join(file.read_text() for file in files)
    shown = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert shown
    for block in shown:
        assert [
            piece for piece in block.split("    ...\n") if piece.strip("\n") not in built
        ] == [], block


def test_the_page_names_every_file_that_games_of_several_files_have() -> None:
    folders = [each.parent for each in SHARED.glob("games/*/game.py")]
    common = set[str].intersection(*({file.name for file in each.iterdir()} for each in folders))
    assert {"game.py", "table.py"} <= common
    named = set(re.findall(r"`([\w.]+)`", PAGE.read_text()))
    assert {each for each in common if each.endswith(".py")} <= named


def test_the_page_lists_every_file_of_the_client() -> None:
    listed = re.findall(r"^\| `([\w<>/.]+)` \|", PAGE.read_text(), re.MULTILINE)
    shown = {each.replace("<language>", "en").replace("<name>", "numbers") for each in listed}
    assert shown == files_in(HERE / "client")
    for folder in CLIENT.glob("games/*/"):
        if (folder / "__init__.py").exists():
            assert {file.name for file in folder.glob("*.py")} >= REQUIRED


def files_in(folder: Path) -> set[str]:
    files = (file for file in folder.rglob("*") if file.suffix in {".py", ".txt"})
    return {file.relative_to(folder).as_posix() for file in files}


@pytest.mark.usefixtures("registered")
async def test_the_sample_game_is_played_by_keys() -> None:
    host = Host(Desk("numbers", seats=2, seed="sample", seat=1), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        assert "1 to 9" in lines_of(host.pane)
        await pilot.press("up", "up", "down", "enter")
        assert host.played == ["guess 2"]


@pytest.mark.usefixtures("registered")
def test_the_sample_game_is_told_in_words() -> None:
    said = tell("numbers", Answered(0, 5, "higher"), ["Ana", "Bob"], 1)
    assert said == "Ana says 5: higher."
    refusal = Refusal(NumbersCode.OUT_OF_RANGE, {"low": 3, "high": 7})
    assert sentence_for(refusal, game="numbers").startswith("The number is from 3 to 7.")
    assert options.game_name("numbers") == "Numbers"
    assert options.option_name("highest", "numbers") == "Highest number"
    assert options.temper("halver", "numbers") == "thorough"
    assert options.temper_and_habit("halver", "numbers") == "thorough: halves what is left"
    assert "One number is hidden." in rules_of("numbers").text


@pytest.mark.usefixtures("registered")
def test_without_a_pane_the_sample_game_is_played_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CLIENT_GAMES, "numbers", replace(NUMBERS, pane=None))
    assert isinstance(pane_for("numbers"), LinePane)


def test_the_moves_of_the_page_can_be_typed() -> None:
    assert Numbers().parse(" Guess 7 ") == Guess(7)
