"""make bench: every measurement but the soak, or those named: python -m tools.bench rules soak"""

import argparse
import importlib
import os
from pathlib import Path

MEASURES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)

LONG = "soak"
"""Not among those that are taken if none is named."""


OPTIONS = {
    LONG: ("minutes", "plant"),
    "client": ("against",),
    "growth": ("against",),
    "server": ("against", "long"),
    "cluster": ("only",),
    "hostile": ("only",),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument("--minutes", type=float, default=10.0, help="of a soak (default: 10)")
    parser.add_argument("--plant", default="", help="of a soak: a fault that it has to find")
    parser.add_argument(
        "--against", type=Path, help="of client, growth and server: another checkout, in turn"
    )
    parser.add_argument("--long", action="store_true", help="of the server: from 1 table to 400")
    parser.add_argument(
        "--only", action="append", metavar="PART", help="of cluster and hostile: one of their parts"
    )
    given = parser.parse_args()
    chosen = given.measures or [name for name in MEASURES if name != LONG]
    if unknown := set(chosen) - set(MEASURES):
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    os.environ.setdefault(
        "PATIENCE", "120"
    )  # of the tests' helpers, for a machine that is busy measuring
    for name in chosen:
        print(f"\n== {name}", flush=True)
        options = {each: getattr(given, each) for each in OPTIONS.get(name, ())}
        for line in importlib.import_module(f"tools.bench.{name}").run(**options):
            print(line, flush=True)


if __name__ == "__main__":
    main()
