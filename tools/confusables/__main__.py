"""python -m tools.confusables CONFUSABLES LICENCE [--out DIR]"""

import argparse
from pathlib import Path

from tools.confusables import NOTICE, OURS, read, together, written

SHIPPED = Path("server/diadem_server/data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("confusables", type=Path, help="confusables.txt of Unicode")
    parser.add_argument("licence", type=Path, help="the text of its licence")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where the table goes")
    given = parser.parse_args()
    table = together(read(given.confusables.read_text("utf-8")), read(OURS.read_text("utf-8")))
    (given.out / "confusables.txt").write_text(written(table), "ascii")
    licence = f"{NOTICE.read_text('utf-8')}\n{'-' * 78}\n\n{given.licence.read_text('utf-8')}"
    (given.out / "confusables.LICENSE.txt").write_text(licence, "utf-8")
    print(f"{len(table):,} characters")


main()
