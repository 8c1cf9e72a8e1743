"""make bench: every measurement, or those named: python -m tests.bench rules castles_bots"""

import argparse
import importlib
from pathlib import Path

MEASURES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    chosen = parser.parse_args().measures or MEASURES
    if unknown := set(chosen) - set(MEASURES):
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    for name in chosen:
        print(f"\n== {name}", flush=True)
        for line in importlib.import_module(f"tests.bench.{name}").run():
            print(line, flush=True)


if __name__ == "__main__":
    main()
