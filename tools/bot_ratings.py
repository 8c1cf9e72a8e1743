"""`python -m tools.bot_ratings` writes shared/diadem_shared/bot_ratings.py anew: the marks of bots in standings, from the shares that
docs/bots.md has measured of each level against the one below it.

The mark of the gentlest level is set; where a level wins a share p, it is 400 * log10(p / (1 - p)) above, by which a
mark foretells just that share. A grown-up beginner holds their own between Diamino's `fair` and `even`, and so comes close to
the mark of whoever is new.
"""

import re
from collections.abc import Iterator
from math import log10
from pathlib import Path

from diadem_shared.games import GAMES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bots.md"
DATA = ROOT / "shared" / "diadem_shared" / "bot_ratings.py"
SECTION = "## Even steps"
GENTLEST = 1000
COLUMNS = {
    "Diamoniak": "diamoniak",
    "Piratatak": "piratatak",
    "Diadingo": "diadingo",
    "Diamino Rummy": "diamino-rummy",
    "Diamino Bonus": "diamino-bonus",
}
"""How the heads of columns begin, up to a comma."""
SHARE = re.compile(r"(\d+) %")
HEAD = '''"""The marks of bots in standings, by game and level; zombies have none. Made by `python -m tools.bot_ratings`."""

MARKS: dict[str, dict[str, int]] = {
'''


def steps(page: str) -> Iterator[tuple[str, str, str, int]]:
    """Game, level, the level below it, and the percent that it wins against that."""
    section = page.partition(SECTION)[2].partition("\n## ")[0]
    games: list[str | None] = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:2] == ["level", "against"]:
            games = [COLUMNS.get(cell.partition(",")[0]) for cell in cells[2:]]
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


def written(page: str) -> str:
    lines = []
    for game, known in marks(page).items():
        lines.append(f'    "{game}": {{')
        lines += [f'        "{level}": {mark},' for level, mark in known.items()]
        lines.append("    },")
    return HEAD + "\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    DATA.write_text(written(PAGE.read_text()))
