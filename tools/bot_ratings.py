"""`python -m tools.bot_ratings` writes ratings.json of each game's folder: the ratings of its bots in standings, from the shares that
docs/bots.md has measured of each level against the one below it. The head of a column there begins with the title of the game.

The mark of the gentlest level is set; where a level wins a share p, it is 400 * log10(p / (1 - p)) above, by which a
mark foretells just that share. A grown-up beginner holds their own between Diamino's `fair` and `even`, and so comes close to
the mark of whoever is new.
"""

import json
import re
from collections.abc import Iterator
from math import log10
from pathlib import Path

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_shared.bot_ratings import ratings_file
from diadem_shared.games import GAMES, package_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bots.md"
SECTION = "## Even steps"
GENTLEST = 1000
SHARE = re.compile(r"(\d+) %")


def steps(page: str) -> Iterator[tuple[str, str, str, int]]:
    """Game, level, the level below it, and the percent that it wins against that."""
    section = page.partition(SECTION)[2].partition("\n## ")[0]
    titles = {known.title: name for name, known in CLIENT_GAMES.items()}
    games: list[str | None] = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:2] == ["level", "against"]:
            games = [titles.get(cell.partition(",")[0]) for cell in cells[2:]]
        elif line.startswith("|"):
            for game, cell in zip(games, cells[2:], strict=True):
                if game is not None and (share := SHARE.match(cell)):
                    yield game, cells[0], cells[1], int(share[1])


def marks(page: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, float]] = {game: {} for game in GAMES}
    for game, level, below, percent in steps(page):
        known = found[game]
        if not known:
            known[below] = GENTLEST
        known[level] = known[below] + 400 * log10(percent / (100 - percent))
    return {
        game: {level: round(mark) for level, mark in known.items()} for game, known in found.items()
    }


def written(page: str) -> dict[Path, str]:
    """The files, with what is to stand in each."""
    by_file: dict[Path, dict[str, dict[str, int]]] = {}
    for game, known in marks(page).items():
        if known:
            by_file.setdefault(Path(str(ratings_file(package_of(game)))), {})[game] = known
    return {file: json.dumps(known, indent=1) + "\n" for file, known in by_file.items()}


if __name__ == "__main__":
    for file, content in written(PAGE.read_text()).items():
        file.write_text(content)
