"""Run the harnesses one after another, each in a process of its own, for a minute."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.fuzz import CORPUS, NAMES, harness

FOUND = Path(".fuzz")
"""What is tried next time too; not kept in the repository."""
LONGEST_INPUT = 4096
SLOWEST_SECONDS = 10
MOST_MEGABYTES = 2048


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="HARNESS", help=", ".join(NAMES))
    parser.add_argument("--seconds", type=int, default=60, help="for each (default: 60)")
    given = parser.parse_args()
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}")
    broken = [name for name in given.names or NAMES if not _search(name, given.seconds)]
    for name in broken:
        print(
            f"{name}: put {FOUND}/{name}-* into {CORPUS.relative_to(Path.cwd())}/{name} and mend it"
        )
    return 1 if broken else 0


def _search(name: str, seconds: int) -> bool:
    """Whether nothing was found."""
    known = FOUND / name
    known.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(harness(name).SEEDS):
        (known / f"seed-{number}").write_bytes(seed)
    print(f"== {name}", flush=True)
    command = [
        *(sys.executable, "-m", "tests.fuzz.search", name),
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={SLOWEST_SECONDS}",
        f"-rss_limit_mb={MOST_MEGABYTES}",
        f"-artifact_prefix={FOUND / name}-",
        "-verbosity=0",
        "-print_final_stats=1",
        str(known),
        *([str(CORPUS / name)] if (CORPUS / name).is_dir() else []),
    ]
    return subprocess.run(command, check=False, env=os.environ | {"LANGUAGE": "en"}).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
