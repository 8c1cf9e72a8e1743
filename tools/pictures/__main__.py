"""Pictures of real screens, drawn from what the client writes on a terminal.

python -m tools.pictures                      those of the README, as SVG
python -m tools.pictures --look FOLDER        all screens as PNG to look at, and many at a time on sheets (needs Pillow)
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tests.client.scenes.every import SCENES
from tools.pictures.shots import KINDS, SIZES, THEMES, shots
from tools.pictures.svg import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "110x36": ["diamino-bonus", "diamoniak"],
    "80x24": ["diadingo", "piratatak", "inviting"],
}
"""What the README shows, and how large."""


def for_the_readme() -> None:
    for size, scenes in SHOWN.items():
        for shot in shots(scenes, "true", ["dark"], size):
            path = FOLDER / f"{shot.scene}.svg"
            path.write_text(svg(shot.rows, shot.scene), encoding="utf-8")
            print(path)


def to_look_at(given: argparse.Namespace) -> None:
    from tools.pictures import png, sheets  # noqa: PLC0415, they need more than is installed with the rest

    scenes = [name for name in SCENES if _wanted(name, given.scene)]
    for kind in given.kind:
        themes = given.theme if kind not in {"none", "ascii"} else given.theme[:1]
        for size in given.size:
            saved: dict[str, list[Path]] = {}
            for shot in shots(scenes, kind, themes, size):
                path = given.look / f"{shot}.png"
                png.save(shot.rows, path)
                saved.setdefault(f"{kind}-{shot.theme}-{size}", []).append(path)
                print(path)
            for name, paths in saved.items():
                for path in sheets.save_sheets(paths, given.look / "sheets", name):
                    print(path)


def _wanted(name: str, beginnings: Sequence[str]) -> bool:
    return not beginnings or any(name.startswith(each) for each in beginnings)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.pictures", description=__doc__)
    parser.add_argument("--look", type=Path, metavar="FOLDER")
    parser.add_argument("--scene", nargs="+", default=[], help="those that begin so")
    for name, all_ in (("kind", tuple(KINDS)), ("theme", THEMES), ("size", SIZES)):
        parser.add_argument(
            f"--{name}", nargs="+", choices=all_ if name != "size" else None, default=list(all_)
        )
    given = parser.parse_args()
    if given.look is None:
        for_the_readme()
    else:
        to_look_at(given)


if __name__ == "__main__":
    main()
