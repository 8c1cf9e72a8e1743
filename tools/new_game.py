"""`python -m tools.new_game NAME [--hands]` makes a game that can be played at once, to be changed into the one you want.

It copies a sample game from `tests` under the new name: a folder in `shared/diadem_shared/games`, one in
`client/diadem_client/games`, and a line in the registry of each. Without --hands it is *guess the number*, which hides one
number from all; with it *rows*, in which each player has a hand of cards. docs/adding-a-game.md goes on from there.
"""

import argparse
import re
import sys
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
SHARED, CLIENT = "shared/diadem_shared/games", "client/diadem_client/games"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LAST_LINE = "    },\n)"


class Sample(Struct, frozen=True):
    folder: str
    name: str


OPEN = Sample("sample_game", "numbers")
HANDS = Sample("sample_hands", "rows")


NEXT = """
Play it:  game-client --solo {name}
Then write what is made from it, and test it:
  python -m tools.protocol_tables
  python -m tools.architecture
  python -m tools.catalogs
  python -m tests.rig.recorded {name} zombie zombie
  python -m pytest tests/shared/test_games.py"""


class BadNameError(Exception):
    """No game can be called so."""


def make(root: Path, name: str, sample: Sample) -> list[Path]:
    """Write the files of a game into a copy of this project; gives back those that were made or changed."""
    folder = name.replace("-", "_")
    if NAME.fullmatch(name) is None:
        raise BadNameError(
            f"{name!r} is not a name in small letters and digits, with hyphens between"
        )
    if (root / SHARED / folder).exists() or (root / CLIENT / folder).exists():
        raise BadNameError(f"there is a folder {folder} in {SHARED} or in {CLIENT}")
    source = ROOT / "tests" / sample.folder
    made = [_copy(source / "__init__.py", root / SHARED / folder / "__init__.py", name, sample)]
    for file in sorted((source / "client").rglob("*")):
        if file.suffix in {".py", ".txt"}:
            path = file.relative_to(source / "client").as_posix().replace(sample.name, name)
            made.append(_copy(file, root / CLIENT / folder / path, name, sample))
    registries = [root / each / "__init__.py" for each in (SHARED, CLIENT)]
    for registry in registries:
        _enter(registry, name, folder)
    return made + registries


def _copy(source: Path, target: Path, name: str, sample: Sample) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(renamed(source.read_text(), name, sample))
    return target


def renamed(text: str, name: str, sample: Sample) -> str:
    """The text of the sample game as that of the new one."""
    folder = name.replace("-", "_")
    title = "".join(word.capitalize() for word in name.split("-"))
    client = f"diadem_client.games.{folder}"
    text = text.replace(f"tests.{sample.folder}.client", client)
    text = text.replace(f"tests.{sample.folder}", f"diadem_shared.games.{folder}")
    text = text.replace(f'"{sample.name}"', f'"{name}"')
    text = re.sub(rf"\b{sample.name.upper()}\b", folder.upper(), text)
    return re.sub(rf"\b{sample.name.capitalize()}(?=\b|Code|Pane|View|Bot|Event)", title, text)


def _enter(registry: Path, name: str, folder: str) -> None:
    text = registry.read_text()
    if LAST_LINE not in text:
        raise BadNameError(f"no end of GAMES was found in {registry}")
    registry.write_text(text.replace(LAST_LINE, f'        "{name}": "{folder}",\n{LAST_LINE}', 1))


def main(arguments: list[str] | None = None, root: Path = ROOT) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.new_game", description=__doc__)
    parser.add_argument(
        "name", help="of the game, as tables and command lines call it: lost-diamonds"
    )
    parser.add_argument("--hands", action="store_true", help="each player has a hand of cards")
    given = parser.parse_args(arguments)
    try:
        made = make(root, given.name, HANDS if given.hands else OPEN)
    except BadNameError as error:
        sys.exit(f"new_game: {error}")
    for path in made:
        print(path.relative_to(root))
    print(NEXT.format(name=given.name))


if __name__ == "__main__":
    main()
