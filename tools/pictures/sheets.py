"""Contact sheets: many pictures of screens on one, to be looked at together (needs Pillow)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from tools.pictures.png import font

ACROSS, DOWN = 3, 4
WIDTH = 720
"""Pixels of a picture on a sheet."""
GAP, LABEL = 8, 24
GROUND, INK = (70, 20, 70), (255, 230, 90)


def save_sheets(pictures: Sequence[Path], folder: Path, name: str) -> Iterator[Path]:
    """As many sheets as it takes."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(range(0, len(pictures), ACROSS * DOWN), start=1):
        path = folder / f"{name}-{number}.png"
        _sheet(pictures[first : first + ACROSS * DOWN]).save(path)
        yield path


def _sheet(pictures: Sequence[Path]) -> Image.Image:
    small = [(path.stem, _small(path)) for path in pictures]
    height = max(image.height for _name, image in small) + LABEL
    rows = -(-len(small) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * (WIDTH + GAP) + GAP, rows * (height + GAP) + GAP), GROUND)
    pen = ImageDraw.Draw(sheet)
    for at, (name, image) in enumerate(small):
        x, y = GAP + at % ACROSS * (WIDTH + GAP), GAP + at // ACROSS * (height + GAP)
        pen.text((x, y), name, INK, font=font(bold=False))
        sheet.paste(image, (x, y + LABEL))
    return sheet


def _small(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.resize(
            (WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS
        )
